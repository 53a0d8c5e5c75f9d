import { useState } from "react";
import type { LogField, LogMapping, LogMappingGuess } from "../../../shared/contract/log-mapping.ts";
import { logFields, logMeasures } from "../../../shared/contract/log-mapping.ts";
import type { ColumnMapping, ConstantField, MappedField, MappingGuess } from "../../../shared/contract/mapping.ts";
import { constantFields, mappedFields, neededFields, openFields } from "../../../shared/contract/mapping.ts";
import { isLogMapping } from "../../../shared/contract/mappings.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { Choice } from "../../settings/selects.tsx";
import { hasSameNames, useDesk } from "../../state/desk.ts";
import { FormDialog, TextLine } from "../../teams/fields.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";

type Say = ReturnType<typeof useSpeech>["say"];

interface MappingDialogProps {
  readonly file: string;
  /** Where the file stands in the preview: it may lie in a folder or an archive, and has no name of its own. */
  readonly planned: { readonly plan: string; readonly index: number };
  /** Files of the import with the same columns. */
  readonly count: number;
  readonly onClose: () => void;
}

/** What was chosen in the dialog; the rest is as it was said before, or as guessed. */
interface Chosen {
  readonly kind?: "bill" | "log";
  readonly name?: string;
  readonly bill?: ColumnMapping;
  readonly log?: LogMapping;
}

/**
 * Which column of a file means what: a guess to look through and to complete, for a file that no format knows.
 * One dialog while it asks and after, so that the focus goes back to what opened it.
 */
export function MappingDialog({ file, planned, count, onClose }: MappingDialogProps) {
  const { say, words } = useSpeech();
  const map = useDesk((desk) => desk.map);
  const given = useDesk((desk) => desk.options.mappings);
  const [chosen, choose] = useState<Chosen>({});
  const bill = useAsk("mapping.guess", { file: null, planned });
  const log = useAsk("log-mapping.guess", { file: null, planned });
  const refused = bill.state === "refused" ? bill : log.state === "refused" ? log : null;
  const guesses = bill.state === "answered" && log.state === "answered" ? { bill: bill.value, log: log.value } : null;
  const filled = guesses === null ? null : filledIn(guesses, given?.find(({ header }) => hasSameNames(header, guesses.bill.header)), chosen);
  const missing = guesses === null || filled === null ? [] : missingIn(filled, guesses.log, say);
  const use = (): void => {
    if (filled === null || missing.length > 0) return;
    map({ ...filled[filled.kind], name: filled.name.trim() === "" ? file.slice(0, MOST_NAME) : filled.name.trim() });
    onClose();
  };
  const wrong = missing.length === 0 ? null : say("import.map.missing", { fields: missing.join(words.language === "zh-CN" ? "、" : ", ") });
  return (
    <FormDialog title={say("import.map.title", { file })} onClose={onClose} onSave={use} saveLabel={say("import.map.use")} isDisabled={filled === null || missing.length > 0} wrong={wrong} isWide>
      {refused !== null && <Refused error={refused.error} />}
      {refused === null && filled === null && <p role="status">{say("state.asking")}</p>}
      {guesses !== null && filled !== null && (
        <>
          {count > 1 && <p className="prose">{say("import.map.all-files", { count })}</p>}
          <div className="form-grid">
            <Choice label={say("import.map.kind")} value={filled.kind} choices={(["bill", "log"] as const).map((id) => ({ id, text: say(`import.map.kind.${id}`) }))} onChoose={(kind) => choose({ ...chosen, kind })} />
            <TextLine label={say("import.map.name")} value={filled.name} onChange={(text) => choose({ ...chosen, name: text.slice(0, MOST_NAME) })} />
          </div>
          {filled.kind === "bill"
            ? <BillFields guess={guesses.bill} mapping={filled.bill} onChange={(mapping) => choose({ ...chosen, bill: mapping })} />
            : <LogFields guess={guesses.log} mapping={filled.log} onChange={(mapping) => choose({ ...chosen, log: mapping })} />}
        </>
      )}
    </FormDialog>
  );
}

interface Guesses {
  readonly bill: MappingGuess;
  readonly log: LogMappingGuess;
}

/** The form as it stands: what was chosen, else what was said of these columns before, else the guess. */
function filledIn(guesses: Guesses, said: ColumnMapping | LogMapping | undefined, chosen: Chosen): Required<Chosen> {
  const saidLog = said !== undefined && isLogMapping(said) ? said : null;
  const first = {
    bill: said !== undefined && !isLogMapping(said) ? said : guesses.bill.mapping,
    log: saidLog ?? guesses.log.mapping,
  };
  const kind = saidLog !== null || guesses.log.isSaved || (first.bill.columns.billed === undefined && looksLikeLog(guesses.log)) ? "log" : "bill";
  return { kind, name: first[kind].name, ...first, ...chosen };
}

/** Names of what is needed and not yet said. */
function missingIn({ kind, bill, log }: Required<Chosen>, guess: LogMappingGuess, say: Say): string[] {
  if (kind === "bill") return openFields(bill).map((field) => say(field === "decimalMark" ? "import.map.decimal" : `import.map.field.${field}`));
  const measures = logMeasures.some((field) => log.columns[field] !== undefined) ? [] : [say("import.map.measures")];
  return [...measures, ...openUnits(log, guess).map((field) => say("import.map.missing.unit", { field: say(`import.map.log.${field}`) }))];
}

/** As the contract bounds it. */
const MOST_NAME = 120;

function BillFields({ guess, mapping, onChange }: { readonly guess: MappingGuess; readonly mapping: ColumnMapping; readonly onChange: (mapping: ColumnMapping) => void }) {
  const { say } = useSpeech();
  const isNeeded = (field: MappedField): boolean => (neededFields as readonly MappedField[]).includes(field);
  const line = (field: MappedField) => {
    const constant = (constantFields as readonly MappedField[]).includes(field) ? (field as ConstantField) : null;
    return (
      <FieldLine
        key={field}
        label={say(`import.map.field.${field}`)}
        column={mapping.columns[field]}
        guess={guess}
        unsure={guess.unsure.find((open) => open.field === field)?.columns}
        isByValues={guess.byValues.includes(field) && guess.mapping.columns[field] === mapping.columns[field]}
        onChoose={(column) => onChange({ ...mapping, columns: withField(mapping.columns, field, column) })}
      >
        {constant !== null && mapping.columns[field] === undefined && (
          <input
            className="text-input"
            aria-label={say("import.map.constant.label", { field: say(`import.map.field.${field}`) })}
            placeholder={say("import.map.constant")}
            maxLength={200}
            value={mapping.constants[constant] ?? ""}
            onChange={({ target }) => onChange({ ...mapping, constants: withField(mapping.constants, constant, target.value === "" ? undefined : target.value) })}
          />
        )}
      </FieldLine>
    );
  };
  return (
    <>
      <FieldTable title={say("import.map.needed")}>{neededFields.map(line)}</FieldTable>
      <BillReading mapping={mapping} onChange={onChange} />
      <FieldTable title={say("import.map.more")}>{mappedFields.filter((field) => !isNeeded(field)).map(line)}</FieldTable>
    </>
  );
}

/** From UTC−12 to UTC+14 by the half hour, as zones lie. */
const zones = Array.from({ length: 53 }, (_, index) => -12 * 60 + index * 30);

/** How times and amounts are written, and what buys GPU-hours. */
function BillReading({ mapping, onChange }: { readonly mapping: ColumnMapping; readonly onChange: (mapping: ColumnMapping) => void }) {
  const { say } = useSpeech();
  const hours = mapping.quantityIs ?? (mapping.hoursFromPeriod ? "period" : "none");
  const zoneText = (minutes: number): string => (minutes === 0 ? "UTC" : `UTC${minutes < 0 ? "−" : "+"}${Math.floor(Math.abs(minutes) / 60)}${minutes % 60 === 0 ? "" : ":30"}`);
  const decimals = [{ id: "open", text: say("import.map.decimal.open") }, { id: ".", text: say("import.map.decimal.point") }, { id: ",", text: say("import.map.decimal.comma") }] as const;
  return (
    <div className="form-grid mapping-reading">
      <Choice label={say("import.map.decimal")} value={mapping.decimalMark ?? "open"} choices={decimals.filter(({ id }) => id !== "open" || mapping.decimalMark === null)} onChoose={(mark) => mark !== "open" && onChange({ ...mapping, decimalMark: mark })} />
      <Choice label={say("import.map.zone")} value={String(mapping.zoneMinutes)} choices={zones.map((minutes) => ({ id: String(minutes), text: zoneText(minutes) }))} onChoose={(minutes) => onChange({ ...mapping, zoneMinutes: Number(minutes) })} />
      <Choice label={say("import.map.order")} value={mapping.dateOrder ?? "proved"} choices={(["proved", "month-first", "day-first"] as const).map((id) => ({ id, text: say(`import.map.order.${id}`) }))} onChoose={(order) => onChange({ ...mapping, dateOrder: order === "proved" ? null : order })} />
      <Choice label={say("import.map.starts")} value={mapping.startIs} choices={(["instant", "month"] as const).map((id) => ({ id, text: say(`import.map.starts.${id}`) }))} onChoose={(startIs) => onChange({ ...mapping, startIs })} />
      {mapping.columns.end !== undefined && <Choice label={say("import.map.ends")} value={mapping.endIs} choices={(["instant", "last-day"] as const).map((id) => ({ id, text: say(`import.map.ends.${id}`) }))} onChoose={(endIs) => onChange({ ...mapping, endIs })} />}
      <Choice
        label={say("import.map.hours")}
        value={hours}
        choices={(["none", "instance-hours", "gpu-hours", "period"] as const).map((id) => ({ id, text: say(`import.map.hours.${id}`) }))}
        onChoose={(from) => onChange({ ...mapping, quantityIs: from === "instance-hours" || from === "gpu-hours" ? from : null, hoursFromPeriod: from === "period" })}
      />
    </div>
  );
}

const activityUnits = ["percent", "ratio"] as const;
const memoryUnits = ["MiB", "GiB", "MB", "GB", "bytes"] as const;
const unitsOf = {
  utilization: activityUnits, engineActive: activityUnits, smActive: activityUnits, tensorActive: activityUnits, dramActive: activityUnits,
  memoryUsed: [...memoryUnits, "share"], memoryTotal: memoryUnits, power: ["W", "mW", "kW"],
} as const satisfies { readonly [F in keyof LogMapping["units"]]-?: readonly NonNullable<LogMapping["units"][F]>[] };
type UnitField = keyof typeof unitsOf;

function LogFields({ guess, mapping, onChange }: { readonly guess: LogMappingGuess; readonly mapping: LogMapping; readonly onChange: (mapping: LogMapping) => void }) {
  const { say } = useSpeech();
  const isMeasure = (field: LogField): boolean => (logMeasures as readonly LogField[]).includes(field);
  const line = (field: LogField) => (
    <FieldLine
      key={field}
      label={say(`import.map.log.${field}`)}
      column={mapping.columns[field]}
      guess={guess}
      unsure={guess.unsure.find((open) => open.field === field && open.columns.length > 1)?.columns}
      isByValues={guess.byValues.includes(field) && guess.mapping.columns[field] === mapping.columns[field]}
      onChoose={(column) => onChange({ ...mapping, columns: withField(mapping.columns, field, column) })}
    >
      {field in unitsOf && mapping.columns[field] !== undefined && (
        <Choice
          label={say("import.map.unit", { field: say(`import.map.log.${field}`) })}
          isLabelHidden
          value={mapping.units[field as UnitField] ?? "cell"}
          choices={[{ id: "cell", text: say(isUnitOpen(guess, mapping, field as UnitField) ? "import.map.unit.open" : "import.map.unit.cell") }, ...unitsOf[field as UnitField].map((unit) => ({ id: unit, text: unitText(unit, say) }))]}
          onChoose={(unit) => onChange({ ...mapping, units: withField(mapping.units, field as UnitField, unit === "cell" ? undefined : (unit as never)) })}
        />
      )}
    </FieldLine>
  );
  const values = (["reading", "mean"] as const).map((id) => ({ id, text: say(`import.map.values.${id}`) }));
  return (
    <>
      <FieldTable title={say("import.map.measures")}>{logFields.filter(isMeasure).map(line)}</FieldTable>
      <div className="form-grid mapping-reading"><Choice label={say("import.map.values")} value={mapping.isMeanUpTo ? "mean" : "reading"} choices={values} onChoose={(value) => onChange({ ...mapping, isMeanUpTo: value === "mean" })} /></div>
      <FieldTable title={say("import.map.more")}>{logFields.filter((field) => !isMeasure(field)).map(line)}</FieldTable>
    </>
  );
}

function FieldTable({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  const { say } = useSpeech();
  return (
    <section>
      <SectionHead title={title} />
      <table className="statement mapping" aria-label={title}>
        <thead><tr><th scope="col">{say("import.map.what")}</th><th scope="col">{say("import.map.column")}</th><th scope="col">{say("import.map.sample")}</th></tr></thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

interface FieldLineProps {
  readonly label: string;
  readonly column: string | undefined;
  readonly guess: Pick<MappingGuess, "header" | "sample">;
  /** Columns of which the guess took none. */
  readonly unsure: readonly string[] | undefined;
  /** Its name says nothing: what stands in it did. */
  readonly isByValues: boolean;
  readonly onChoose: (column: string | undefined) => void;
  readonly children: React.ReactNode;
}

/** What is meant, the column that holds it, and what stands there in the first rows. */
function FieldLine({ label, column, guess, unsure, isByValues, onChoose, children }: FieldLineProps) {
  const { say, words } = useSpeech();
  const columns = [...new Set(guess.header)].filter((name) => name.trim() !== "");
  const sample = column === undefined ? [] : samplesOf(guess, column);
  return (
    <tr>
      <th scope="row">{label}</th>
      <td><Choice label={label} isLabelHidden value={column === undefined ? "none" : `=${column}`} choices={[{ id: "none", text: say("import.map.none") }, ...columns.map((name) => ({ id: `=${name}`, text: name }))]} onChoose={(id) => onChoose(id === "none" ? undefined : id.slice(1))} /></td>
      <td><div className="mapping-cell">
        {sample.length > 0 && <span className="mono mapping-sample" title={sample.join("\n")}>{sample.join(" · ")}</span>}
        {isByValues && <span className="muted small">{say("import.map.by-values")}</span>}
        {column === undefined && unsure !== undefined && <span className="muted small">{say("import.map.unsure", { columns: unsure.join(words.language === "zh-CN" ? "、" : ", ") })}</span>}
        {children}
      </div></td>
    </tr>
  );
}

/** The first three different values of a column. */
function samplesOf({ header, sample }: Pick<MappingGuess, "header" | "sample">, column: string): readonly string[] {
  const index = header.indexOf(column);
  return [...new Set(sample.map((row) => row[index]?.trim() ?? "").filter((cell) => cell !== ""))].slice(0, 3).map((cell) => (cell.length > 30 ? `${cell.slice(0, 30)}…` : cell));
}

function withField<T extends object, K extends keyof T>(fields: T, field: K, value: T[K]): T {
  const { [field]: _old, ...others } = fields;
  return (value === undefined ? others : { ...others, [field]: value }) as T;
}

function looksLikeLog({ mapping, unsure }: LogMappingGuess): boolean {
  return logMeasures.some((field) => mapping.columns[field] !== undefined || unsure.some((open) => open.field === field));
}

/** Neither the name nor the values of the column that was guessed tell its unit; of another column only a person can say. */
function isUnitOpen(guess: LogMappingGuess, mapping: LogMapping, field: UnitField): boolean {
  const open = guess.unsure.find((each) => each.field === field);
  return mapping.columns[field] !== undefined && mapping.units[field] === undefined && open !== undefined && open.columns.includes(mapping.columns[field]);
}

function openUnits(mapping: LogMapping, guess: LogMappingGuess): readonly UnitField[] {
  return (Object.keys(unitsOf) as UnitField[]).filter((field) => isUnitOpen(guess, mapping, field));
}

function unitText(unit: string, say: Say): string {
  return unit === "percent" || unit === "ratio" || unit === "share" ? say(`import.map.unit.${unit}`) : unit;
}
