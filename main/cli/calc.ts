import { resolve } from "node:path";
import { calculatorFields, calculatorIds, type CalculatorAnswer, type CalculatorId } from "../../shared/contract/calculators.ts";
import { ledgerError, type LedgerError } from "../../shared/contract/errors.ts";
import type { MethodInput } from "../../shared/contract/methods.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import { currencyOf, type CommandLine } from "./arguments.ts";

/** Every field of every calculator, as an option of `calc`. */
export const calculatorOptions: readonly string[] = [...new Set(calculatorIds.flatMap((id) => calculatorFields[id].map((field) => field.id)))];

/** `calc NAME --field value …` as the question it is; null where no name is given: then the calculators are listed. */
export function calculation(line: CommandLine): Result<MethodInput<"calculator.run"> | null> {
  const [name] = line.positionals;
  if (name === undefined) return ok(null);
  const calculator = calculatorIds.find((id) => id === name);
  if (calculator === undefined) return err(ledgerError("use.invalid", { option: "calc", value: name }));
  const { log, ...inputs } = line.fields;
  const wrong = Object.keys(line.fields).find((field) => !calculatorFields[calculator].some((known) => known.id === field));
  if (wrong !== undefined) return err(ledgerError("use.invalid", { option: `calc ${calculator}`, value: `--${wrong}` }));
  const { period = null } = line.options;
  const currency = currencyOf(line);
  if (!currency.ok) return currency;
  if (period !== null && !/^\d{4}-(0[1-9]|1[0-2])$/.test(period)) return err<LedgerError>(ledgerError("period.invalid", { text: period }));
  return ok({ calculator, inputs, currency: currency.value, month: period, log: log === undefined ? null : resolve(log) });
}

/** The calculators with the options of each. */
export function calculatorsText(words: Words): string {
  return `${calculatorIds.map((id) => `${id.padEnd(12)} ${words.say(`calc.what.${id}`)}\n             ${optionsOf(id)}`).join("\n")}\n`;
}

/** The answer as data, with its sentences in the language asked for. */
export function answerJson(answer: CalculatorAnswer, words: Words): unknown {
  const { calculator, currency, month, inputs, lines, table, notes } = answer;
  const cell = (value: CalculatorAnswer["lines"][number]["shown"]): unknown => (value === null ? null : "message" in value ? { text: words.text(value.message) } : value);
  return {
    calculator,
    currency,
    month,
    inputs,
    results: lines.map(({ id, shown, basis, missing, why }) => ({ id, ...(shown === null ? { value: null } : (cell(shown) as object)), basis, missing, why })),
    table: table === null ? null : { columns: table.columns, rows: table.rows.map(({ id, cells }) => ({ id, ...Object.fromEntries(table.columns.map((column, index) => [column, cell(cells[index] ?? null)])) })) },
    notes: notes.map((note) => words.text(note)),
    formula: words.say(`calc.formula.${calculator}`),
    true: words.say(`calc.true.${calculator}`),
  };
}

function optionsOf(id: CalculatorId): string {
  return calculatorFields[id].map((field) => `--${field.id}`).join(" ");
}
