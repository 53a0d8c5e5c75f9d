import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { calculatorFields, type CalculatorAnswer, type CalculatorFacts, type CalculatorId } from "../../../shared/contract/calculators.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { MethodInput } from "../../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { readInterruptionLog } from "../calculators/interruption-log.ts";
import { busyDevicesOf, machineFields, machineNames, machineOf, memoryPeakOf, modelsSeen, newestMonth, profileOf, profilesOf } from "../calculators/ledger-facts.ts";
import { rememberAnswer, type EngineContext } from "../context.ts";
import { calculators } from "../planning/calculators/index.ts";
import { readFields, type Facts } from "../planning/calculators/given.ts";
import { meanTimeToInterruption } from "../planning/interruptions.ts";
import type { OpenLedger } from "../store/open.ts";
import { mainCurrency } from "../teams/allocation.ts";
import type { HandlersOf } from "./index.ts";

/** Larger is no log of interruptions. */
const LOG_BYTES = 20_000_000;

/** Calculators need no ledger; where one is open, what it measured stands beside the result. */
export const calculatorHandlers: HandlersOf<"calculator.facts" | "calculator.run"> = {
  "calculator.facts"(context, { month }) {
    const reference = context.reference();
    if (!reference.ok) return reference;
    const ledger = ledgerIn(context);
    const facts: CalculatorFacts = {
      currency: currencyOf(ledger, null),
      month: ledger === null ? null : (month ?? newestMonth(ledger.db)),
      models: ledger === null ? [] : modelsSeen(ledger.db),
      profiles: profilesOf(reference.value),
      machines: machineNames(reference.value),
    };
    return ok(facts);
  },

  "calculator.run"(context, question) {
    const reference = context.reference();
    if (!reference.ok) return reference;
    const { calculator: id, inputs: typed } = question;
    const wrong = Object.keys(typed).find((field) => !calculatorFields[id].some((known) => known.id === field));
    if (wrong !== undefined) return err(ledgerError("contract.invalid", { question: "calculator.run", path: `inputs.${wrong}` }));
    const machineName = typed["machine"]?.trim() ?? "";
    const machine = machineName === "" ? null : machineOf(reference.value, machineName);
    if (machineName !== "" && machine === null) return err(ledgerError("calculator.not-in-catalog", { field: "machine", value: machineName }));
    const read = readFields(id, typed, machine === null ? {} : machineFields(reference.value, machine));
    if (!read.ok) return read;
    const { values, choices, inputs } = read.value;
    for (const field of calculatorFields[id]) {
      const chosen = choices.get(field.id) ?? null;
      if (chosen !== null && field.choices !== undefined && !field.choices.includes(chosen)) return err(ledgerError("calculator.not-in-catalog", { field: field.id, value: chosen }));
    }
    const profileName = choices.get("profile") ?? null;
    const profile = profileName === null ? null : profileOf(reference.value, profileName);
    if (profileName !== null && profile === null) return err(ledgerError("calculator.not-in-catalog", { field: "profile", value: profileName }));
    const interruptions = interruptionsOf(question);
    if (!interruptions.ok) return interruptions;
    const ledger = ledgerIn(context);
    const model = choices.get("gpu-model") ?? null;
    const month = model === null || ledger === null ? null : (question.month ?? newestMonth(ledger.db));
    const measured = ledger === null || model === null || month === null ? {} : measuredOf(ledger, id, model, month);
    const currency = currencyOf(ledger, question.currency);
    const worked = calculators[id].work({ currency, values, choices, facts: { ...measured, interruptions: interruptions.value, profile, machine: machine === null ? null : { name: machine.instanceType } } });
    if (!worked.ok) return worked;
    const { lines, table, notes } = worked.value;
    const answer: CalculatorAnswer = { calculator: id, currency, month, inputs, lines, table: table ?? null, notes: notes ?? [] };
    return ok(answer);
  },
};

function interruptionsOf({ calculator, log }: MethodInput<"calculator.run">): Result<NonNullable<Facts["interruptions"]> | null> {
  if (calculator !== "spot" || log === null) return ok(null);
  const file = basename(log);
  try {
    if (statSync(log).size > LOG_BYTES) return err(ledgerError("import.unreadable", { file }));
    const runs = readInterruptionLog(readFileSync(log), file);
    return runs.ok ? ok(meanTimeToInterruption(runs.value)) : runs;
  } catch {
    return err(ledgerError("import.not-found", { file }));
  }
}

/** The ledger's own measurements for a calculator: worked out once a revision, however often its other fields change. */
function measuredOf(ledger: OpenLedger, id: CalculatorId, model: string, month: string): Facts {
  return rememberAnswer(ledger, `calculator ${id} ${month} ${model}`, () => (id === "batch" ? { memoryPeak: memoryPeakOf(ledger.db, model, month) } : { busy: busyDevicesOf(ledger.db, model, month) }));
}

function ledgerIn(context: EngineContext): OpenLedger | null {
  const opened = context.open();
  return opened.ok ? opened.value.ledger : null;
}

function currencyOf(ledger: OpenLedger | null, asked: string | null): string {
  return asked ?? (ledger === null ? null : rememberAnswer(ledger, "calculator currency", () => mainCurrency(ledger.db, null))) ?? "USD";
}
