import { parseArgs } from "node:util";
import { calculatorOptions } from "./calc.ts";
import { converted, type CurrencyChoice } from "../../shared/domain/currency.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import { scopeDimensions } from "../../shared/domain/scope.ts";
import type { Scope, ScopeDimension } from "../../shared/domain/scope.ts";
import { languages } from "../../shared/i18n/index.ts";
import type { Language } from "../../shared/i18n/index.ts";

/** A command line as it was understood. */
export interface CommandLine {
  readonly command: string;
  readonly positionals: readonly string[];
  readonly options: Readonly<Partial<Record<OptionName, string>>>;
  /** What `--scope dimension=value` narrows to; a value left empty stands for rows without one. */
  readonly scope: Scope;
  readonly flags: ReadonlySet<FlagName>;
  /** Fields of a calculator as they were typed. */
  readonly fields: Readonly<Record<string, string>>;
}

const optionNames = ["need", "tiers", "ledger", "timezone", "host", "at", "every", "columns", "covers", "format", "mapping", "period", "as", "lang", "out", "paper", "by", "basis", "currency", "lookback", "leave-out", "quote", "on-demand", "lot", "max", "gpus", "migration", "pool", "option", "growth", "decline", "discount", "spot", "scenario", "save", "for", "toolkit", "driver", "built", "profile", "parts", "most", "owned", "carbon-price", "grid", "in", "base", "on", "days", "counter"] as const;
export type OptionName = (typeof optionNames)[number];
const scopeOption = "scope";
const flagNames = ["json", "preview", "help", "sample", "renewed", "not-netted", "old-prices", "yes", "refresh", "restate"] as const;
export type FlagName = (typeof flagNames)[number];

/** Which options each command takes. `--lang`, `--json` and `--help` are taken everywhere; `import --sample` marks a ledger as the sample company's. */
const commands: Readonly<Record<string, readonly (OptionName | FlagName | typeof scopeOption)[]>> = {
  import: ["ledger", "timezone", "host", "at", "every", "columns", "covers", "format", "mapping", "preview", "sample"],
  mapping: ["ledger", "out"],
  report: ["ledger", "period", "as", "out", "paper", "basis", "currency", "in", "scope", "counter"],
  plan: ["ledger", "period", "as", "out", "paper", "currency", "scope", "lookback", "leave-out", "quote", "on-demand", "lot", "max", "gpus", "migration", "pool", "option", "growth", "decline", "discount", "spot", "scenario", "save", "renewed", "not-netted", "old-prices"],
  totals: ["ledger", "period", "by", "in"],
  rates: ["ledger", "base", "preview"],
  calc: ["ledger", "period", "currency", "in"],
  batches: ["ledger"],
  undo: ["ledger"],
  redo: ["ledger"],
  sample: ["ledger"],
  doctor: ["ledger"],
  prices: ["ledger", "preview"],
  offers: ["ledger", "need", "tiers"],
  budgets: ["ledger", "currency", "out", "preview"],
  journal: ["ledger", "period", "basis", "currency", "out"],
  esg: ["ledger", "period", "out", "paper", "scope"],
  emissions: ["ledger", "period", "preview"],
  carbon: ["ledger", "period", "preview", "restate", "owned", "carbon-price", "grid", "currency"],
  "stop-plan": ["ledger", "period", "currency", "in", "for", "out", "scope", "on", "days", "timezone"],
  pull: ["ledger", "period", "profile", "parts", "most", "yes", "refresh", "preview"],
  jobs: ["ledger", "period", "by", "currency"],
  findings: ["ledger", "period", "currency", "in", "scope"],
  "cuda-check": ["toolkit", "driver", "built"],
  reconcile: ["ledger", "period", "preview"],
  help: [],
};

/** Reads the words after the program's name. Wrong use is an error with its words, never a guess. */
export function parseCommandLine(argv: readonly string[]): Result<CommandLine, LedgerError> {
  let parsed;
  const fieldNames = argv.includes("calc") ? calculatorOptions : [];
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      strict: true,
      options: { ...Object.fromEntries(optionNames.map((name) => [name, { type: "string" as const }])), ...Object.fromEntries(fieldNames.map((name) => [name, { type: "string" as const }])), ...Object.fromEntries(flagNames.map((name) => [name, { type: "boolean" as const }])), scope: { type: "string", multiple: true } },
    });
  } catch (fault) {
    const option = /'(-[^' ]+)/.exec(fault instanceof Error ? fault.message : "")?.[1] ?? argv.find((word) => word.startsWith("-")) ?? "";
    const known = [...optionNames, ...fieldNames].find((name) => `--${name}` === option);
    return err(known === undefined ? ledgerError("use.unknown-command", { command: option }) : ledgerError("use.missing", { option: `--${known} …` }));
  }
  const [command = "help", ...positionals] = parsed.positionals;
  const takes = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (takes === undefined) return err(ledgerError("use.unknown-command", { command }));
  const values = parsed.values as Readonly<Record<string, string | boolean | string[] | undefined>>;
  const options: Partial<Record<OptionName, string>> = {};
  for (const name of optionNames) {
    const value = values[name];
    if (typeof value !== "string" || fieldNames.includes(name)) continue;
    if (name !== "lang" && !takes.includes(name)) return err(ledgerError("use.invalid", { option: command, value: `--${name}` }));
    options[name] = value;
  }
  const flags = new Set<FlagName>();
  for (const name of flagNames) {
    if (values[name] !== true) continue;
    if (name !== "json" && name !== "help" && !takes.includes(name)) return err(ledgerError("use.invalid", { option: command, value: `--${name}` }));
    flags.add(name);
  }
  const fields = Object.fromEntries(fieldNames.flatMap((name) => (typeof values[name] === "string" ? [[name, values[name]]] : [])));
  if (command !== "calc" && Object.keys(fields).length > 0) return err(ledgerError("use.invalid", { option: command, value: `--${Object.keys(fields)[0] ?? ""}` }));
  if (options.lang !== undefined && !(languages as readonly string[]).includes(options.lang)) return err(ledgerError("use.invalid", { option: "--lang", value: options.lang }));
  const narrowed = Array.isArray(values[scopeOption]) ? values[scopeOption] : [];
  if (narrowed.length > 0 && !takes.includes(scopeOption)) return err(ledgerError("use.invalid", { option: command, value: "--scope" }));
  const scope = scopeOf(narrowed);
  return scope.ok ? ok({ command, positionals, options, flags, scope: scope.value, fields }) : scope;
}

/** `--currency USD` for what is billed in it, `--in USD` for everything converted into it; one of them. */
export function currencyOf({ options }: Pick<CommandLine, "options">): Result<CurrencyChoice, LedgerError> {
  const { currency = null, in: target } = options;
  if (target === undefined) return ok(currency);
  if (currency !== null || target.trim() === "") return err(ledgerError("use.invalid", { option: "--in", value: target }));
  return ok(converted(target.trim().toUpperCase()));
}

function scopeOf(narrowed: readonly string[]): Result<Scope, LedgerError> {
  const scope: Partial<Record<ScopeDimension, (string | null)[]>> = {};
  for (const text of narrowed) {
    const at = text.indexOf("=");
    const dimension = scopeDimensions.find((each) => each === text.slice(0, at));
    if (dimension === undefined) return err(ledgerError("use.invalid", { option: "--scope", value: text }));
    const value = text.slice(at + 1);
    (scope[dimension] ??= []).push(value === "" ? null : value);
  }
  return ok(scope);
}

/** The language of a command line before it is understood, so that wrong use is worded too: `--lang`, else the system's. */
export function languageOf(argv: readonly string[], environment: Readonly<Record<string, string | undefined>>): Language {
  const given = argv[argv.indexOf("--lang") + 1];
  if (argv.includes("--lang") && given !== undefined && (languages as readonly string[]).includes(given)) return given as Language;
  const inline = argv.find((word) => word.startsWith("--lang="))?.slice("--lang=".length);
  if (inline !== undefined && (languages as readonly string[]).includes(inline)) return inline as Language;
  return /^zh/i.test(environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"] ?? "") ? "zh-CN" : "en";
}
