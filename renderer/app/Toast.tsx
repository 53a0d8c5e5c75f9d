import { useEffect } from "react";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** What was just done; it goes by itself, or when it is read to the end with Esc. What can be taken back stays a while longer. */
export function Toast() {
  const { say } = useSpeech();
  const notice = useNotice((store) => store.notice);
  const tell = useNotice((store) => store.tell);
  useEffect(() => {
    if (notice === null) return undefined;
    const timer = window.setTimeout(() => tell(null), notice.undo === undefined ? 8000 : 30_000);
    return () => window.clearTimeout(timer);
  }, [notice, tell]);
  return (
    <div role="status" aria-live="polite">
      {notice !== null && (
        <div className="toast">
          {notice.text}
          {notice.undo !== undefined && <button type="button" className="link" onClick={notice.undo}>{say("action.undo")}</button>}
          {notice.detail !== undefined && <code>{notice.detail}</code>}
        </div>
      )}
    </div>
  );
}
