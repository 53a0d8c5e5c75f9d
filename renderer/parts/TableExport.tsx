import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { LedgerError } from "../../shared/contract/errors.ts";
import type { Language } from "../../shared/i18n/index.ts";
import type { Result } from "../../shared/result.ts";
import { useTell } from "../ledger/useAsk.ts";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

interface TableExportProps {
  /** Of the file that is proposed, without its ending. */
  readonly fileName: string;
  /** What the menu is called where "Export" alone does not say of what. */
  readonly label?: string;
  readonly isBusy: boolean;
  /** `file` is the token of the file chosen. */
  readonly write: (to: { readonly as: "csv" | "xlsx"; readonly language: Language; readonly file: string }) => Promise<Result<unknown, LedgerError>>;
}

/** Writes a table as CSV or Excel into a file that the person chooses, and says so. */
export function TableExport({ fileName, label, isBusy, write }: TableExportProps) {
  const { say, language, error } = useSpeech();
  const choose = useTell("files.choose");
  const tell = useNotice((store) => store.tell);
  const run = async (as: "csv" | "xlsx"): Promise<void> => {
    const chosen = await choose.tell({ kind: "export-save", suggestedName: `${fileName}.${as}` });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file === undefined) return;
    const written = await write({ as, language, file: file.token });
    tell(written.ok ? { text: say("pivot.exported", { file: file.name }) } : { text: error(written.error).what, detail: error(written.error).todo });
  };
  return (
    <MenuTrigger>
      <Button className="link" isDisabled={isBusy} aria-label={label ?? say("action.export")}>{say("action.export")}</Button>
      <Popover className="popover" placement="bottom end">
        <Menu aria-label={label ?? say("action.export")} onAction={(key) => void run(key === "csv" ? "csv" : "xlsx")}>
          {(["xlsx", "csv"] as const).map((as) => <MenuItem key={as} id={as} className="option">{say(`export.${as}`)}</MenuItem>)}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
