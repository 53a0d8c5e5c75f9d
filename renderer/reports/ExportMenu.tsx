import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { ReportRequest } from "../../shared/contract/report.ts";
import { useTell } from "../ledger/useAsk.ts";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

const kinds = ["pdf", "xlsx", "csv", "html", "md", "json", "text"] as const;
const endings = { pdf: "pdf", xlsx: "xlsx", csv: "csv", html: "html", md: "md", json: "json", text: "txt" } as const;

/** Writes the report of a request to a file that the person names. */
export function useExport(request: ReportRequest): { readonly run: (as: (typeof kinds)[number]) => Promise<void>; readonly isBusy: boolean } {
  const { say, language, error } = useSpeech();
  const choose = useTell("files.choose");
  const write = useTell("report.export");
  const tell = useNotice((store) => store.tell);
  const run = async (as: (typeof kinds)[number]): Promise<void> => {
    const chosen = await choose.tell({ kind: "export-save", suggestedName: `${request.report}-${request.period}.${endings[as]}` });
    const file = chosen.ok ? chosen.value[0] : undefined;
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    if (file === undefined) return;
    const written = await write.tell({ request, as, language, file: file.token });
    tell(written.ok ? { text: say("export.done", { file: file.name }) } : { text: error(written.error).what, detail: error(written.error).todo });
  };
  return { run, isBusy: write.isBusy };
}

/** The kinds of file that a report can be written as. */
export function ExportMenu({ request }: { readonly request: ReportRequest }) {
  const { say } = useSpeech();
  const { run, isBusy } = useExport(request);
  return (
    <MenuTrigger>
      <Button className="link" isDisabled={isBusy}>{say("action.export")}</Button>
      <Popover className="popover" placement="bottom end">
        <Menu aria-label={say("action.export")} onAction={(key) => void run(key as (typeof kinds)[number])}>
          {kinds.map((kind) => (
            <MenuItem key={kind} id={kind} className="option">{say(`export.${kind}`)}</MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
