import type { ReportRequest } from "../../shared/contract/report.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { copyText } from "../parts/copy.ts";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { commandOf } from "./command.ts";

export function CopyCommand({ request, ledgerName }: { readonly request: ReportRequest; readonly ledgerName: string }) {
  const { say, language } = useSpeech();
  const tell = useNotice((store) => store.tell);
  const info = useAsk("app.info", {});
  const copy = async (): Promise<void> => {
    const command = commandOf(request, { ledgerName, language, isPackaged: info.state === "answered" && info.value.isPackaged });
    const isCopied = await copyText(command);
    tell({ text: say(isCopied ? "command.copied" : "command.shown"), detail: command });
  };
  return <button type="button" className="link" onClick={() => void copy()}>{say("action.copy-command")}</button>;
}
