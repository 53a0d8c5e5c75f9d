/** How the results of calculators read: the same in the window and in the terminal. */
import { GIGABYTES_PER_GIBIBYTE, type CalculatorAnswer, type CalculatorLine, type CalculatorValue } from "./calculators.ts";
import { dash, type Words } from "./words.ts";
import { multiply } from "../domain/money.ts";
import { divide, ONE, parseDecimal, toNumber } from "../domain/rational.ts";

/** A value with its unit; a dash where it is not known. */
export function shownValue(value: CalculatorValue | null, currency: string, words: Words): string {
  if (value === null) return dash;
  if ("message" in value) return words.text(value.message);
  const exact = parseDecimal(value.value);
  if (exact === null) return dash;
  const number = toNumber(exact);
  const withUnit = (unit: string, digits: number): string => words.say(`calc.unit.${unit}`, { value: words.number(number, { digits }) });
  switch (value.unit) {
    case "money":
      return words.money(multiply(exact, ONE), currency);
    case "rate":
      return words.money(multiply(exact, ONE), currency, { digits: digitsOfRate(Math.abs(number)) });
    case "ratio":
      return words.ratio(number);
    case "count":
      return words.number(number, { digits: 0 });
    case "number":
      return words.number(number, { digits: Number.isInteger(number) ? 0 : 1 });
    case "gb":
      return words.say("calc.unit.gb", { value: memory(number, words), gib: memory(toNumber(divide(exact, GIGABYTES_PER_GIBIBYTE)), words) });
    case "gb-only":
      return words.say("calc.unit.gb-only", { value: memory(number, words) });
    case "multiple":
      return withUnit("multiple", number < 10 ? 3 : number < 100 ? 1 : 0);
    case "exaflop":
      return withUnit("exaflop", Math.abs(number) < 100 ? 3 : 0);
    case "hours":
      return withUnit("hours", Math.abs(number) < 10 ? 2 : Math.abs(number) < 1000 ? 1 : 0);
    case "gpu-hours":
    case "minutes":
    case "months":
      return withUnit(value.unit, Math.abs(number) < 1000 ? 1 : 0);
  }
}

/** Why a result has no value: what is missing for it, or that there is none. */
export function whyUnknown({ missing, why }: CalculatorLine, words: Words): string {
  if (missing.length > 0) return words.say("calc.missing", { fields: missing.map((field) => words.say(`calc.field.${field}`)).join(words.say("calc.separator")) });
  return why === "never" ? words.say("calc.why.never") : words.unknown(why ?? "no-denominator");
}

/** A whole answer as lines of text, its values after tabs so that they can be cut and pasted: results, stages or checks, what is true of it. */
export function answerText({ calculator, currency, lines, table, notes, inputs }: CalculatorAnswer, words: Words): string {
  const head = words.say("calc.head", { name: words.say(`calc.name.${calculator}`), what: words.say(`calc.what.${calculator}`) });
  const shown = lines.map((line) => [words.say(`calc.line.${calculator}.${line.id}`), line.shown === null ? `${dash}  ${whyUnknown(line, words)}` : shownValue(line.shown, currency, words)].join("\t"));
  const rows = table === null ? [] : ["", table.columns.map((column) => words.say(`calc.column.${column}`)).join("\t"), ...table.rows.map(({ cells }) => cells.map((cell) => shownValue(cell, currency, words)).join("\t"))];
  const catalog = inputs.filter(({ from }) => from === "catalog").map((input) => catalogText(input, words));
  const told = [...catalog, ...notes.map((note) => words.text(note))];
  return `${[head, "", ...shown, ...rows, ...(told.length > 0 ? ["", ...told] : []), "", words.say(`calc.formula.${calculator}`), words.say(`calc.true.${calculator}`)].join("\n")}\n`;
}

/** A field that the catalog filled. */
export function catalogText({ field, value }: CalculatorAnswer["inputs"][number], words: Words): string {
  const number = Number(value);
  return words.say("calc.from-catalog", { field: words.say(`calc.field.${field}`), value: words.number(number, { digits: Number.isInteger(number) ? 0 : 1 }) });
}

/** The digits that four significant ones take, never fewer than two. */
function digitsOfRate(amount: number): number {
  if (amount === 0 || amount >= 10) return 2;
  return Math.min(9, Math.max(2, 3 - Math.floor(Math.log10(amount))));
}

function memory(gigabytes: number, words: Words): string {
  return words.number(gigabytes, { digits: Math.abs(gigabytes) < 1000 && !Number.isInteger(gigabytes) ? 1 : 0 });
}
