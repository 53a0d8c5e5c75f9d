import { useEffect } from "react";
import { useNotice } from "../state/notice.ts";

/** What was just done; it goes by itself, or when it is read to the end with Esc. */
export function Toast() {
  const notice = useNotice((store) => store.notice);
  const tell = useNotice((store) => store.tell);
  useEffect(() => {
    if (notice === null) return undefined;
    const timer = window.setTimeout(() => tell(null), 8000);
    return () => window.clearTimeout(timer);
  }, [notice, tell]);
  return (
    <div role="status" aria-live="polite">
      {notice !== null && <div className="toast">{notice.text}{notice.detail !== undefined && <code>{notice.detail}</code>}</div>}
    </div>
  );
}
