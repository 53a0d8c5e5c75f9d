import { useCallback } from "react";
import { useDesk } from "../state/desk.ts";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { useLedger } from "./LedgerProvider.tsx";
import { asked } from "./useAsk.ts";

/** Puts chosen or dropped files on the desk of the Imports screen. Both say whether there were any. */
export function useFiles(): { readonly choose: (kind: "import" | "folder") => Promise<boolean>; readonly drop: (files: readonly File[]) => Promise<boolean> } {
  const { client } = useLedger();
  const { error, say } = useSpeech();
  const put = useDesk((desk) => desk.put);
  const tell = useNotice((store) => store.tell);
  const choose = useCallback(
    async (kind: "import" | "folder") => {
      const result = await asked(client, "files.choose", { kind });
      if (!result.ok) {
        tell({ text: error(result.error).what, detail: error(result.error).todo });
        return false;
      }
      if (result.value.length > 0) put(result.value);
      return result.value.length > 0;
    },
    [client, error, put, tell],
  );
  const drop = useCallback(
    async (files: readonly File[]) => {
      const chosen = files.length === 0 ? [] : await client.dropped(files);
      if (chosen.length > 0) put(chosen);
      else tell({ text: say("import.nothing-dropped") });
      return chosen.length > 0;
    },
    [client, put, say, tell],
  );
  return { choose, drop };
}
