import { Input, Label, TextField } from "react-aria-components";
import type { CalculatorFacts, CalculatorField } from "../../shared/contract/calculators.ts";
import type { ChosenFile } from "../ledger/client.ts";
import { useTell } from "../ledger/useAsk.ts";
import { Choice } from "../settings/selects.tsx";
import { NameField } from "../teams/fields.tsx";
import { useNotice } from "../state/notice.ts";
import { en } from "../../shared/i18n/en.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

interface FieldProps {
  readonly field: CalculatorField;
  readonly value: string;
  readonly facts: CalculatorFacts | null;
  readonly log: ChosenFile | null;
  readonly isWrong: boolean;
  readonly onChange: (value: string) => void;
  readonly onLog: (log: ChosenFile | null) => void;
}

const none = "";

/** One thing that a calculator asks for, with its unit in the label. */
export function Field({ field, value, facts, log, isWrong, onChange, onLog }: FieldProps) {
  const { words, say } = useSpeech();
  const label = labelOf(field, words.say);
  if (field.kind === "file") return <LogField label={label} log={log} onLog={onLog} />;
  if (field.kind === "machine") return <NameField label={label} value={value} names={facts?.machines ?? []} onChange={onChange} />;
  const choices = choicesOf(field, facts, words.say);
  if (choices !== null) {
    return <Choice label={label} value={value} choices={[...(field.initial === undefined ? [{ id: none, text: say("calc.none") }] : []), ...choices]} onChoose={onChange} />;
  }
  return (
    <TextField className="form-field" value={value} onChange={onChange} isInvalid={isWrong}>
      <Label>{label}</Label>
      <Input className="text-input n" autoComplete="off" spellCheck={false} placeholder={field.initial ?? ""} />
    </TextField>
  );
}

/** The name of a field and how it is written: "GPU memory (GB or GiB)". */
function labelOf({ id }: CalculatorField, sayKey: (key: string, values?: Readonly<Record<string, string>>) => string): string {
  const field = sayKey(`calc.field.${id}`);
  return `calc.hint.${id}` in en ? sayKey("calc.labelled", { field, hint: sayKey(`calc.hint.${id}`) }) : field;
}

function choicesOf(field: CalculatorField, facts: CalculatorFacts | null, sayKey: (key: string) => string): readonly { readonly id: string; readonly text: string }[] | null {
  if (field.kind === "choice") return (field.choices ?? []).map((id) => ({ id, text: sayKey(`calc.choice.${id}`) }));
  if (field.kind === "model") return (facts?.models ?? []).map((id) => ({ id, text: id }));
  return field.kind === "profile" ? (facts?.profiles ?? []) : null;
}

function LogField({ label, log, onLog }: { readonly label: string; readonly log: ChosenFile | null; readonly onLog: (log: ChosenFile | null) => void }) {
  const { say, error } = useSpeech();
  const choose = useTell("files.choose");
  const tell = useNotice((store) => store.tell);
  const pick = async (): Promise<void> => {
    const chosen = await choose.tell({ kind: "import" });
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    const [file] = chosen.value;
    if (file !== undefined) onLog(file);
  };
  return (
    <div className="form-field calc-file" role="group" aria-label={label}>
      <span className="calc-label">{label}</span>
      {log === null ? (
        <button type="button" className="link" onClick={() => void pick()}>{say("calc.choose-file")}</button>
      ) : (
        <span className="calc-chosen"><span title={log.name}>{log.name}</span> <button type="button" className="link" aria-label={say("calc.remove-file", { file: log.name })} onClick={() => onLog(null)}>×</button></span>
      )}
    </div>
  );
}
