import { randomUUID } from "node:crypto";
import { ledgerError } from "../../shared/contract/errors.ts";
import { methods } from "../../shared/contract/methods.ts";
import type { MethodInput, MethodOutput } from "../../shared/contract/methods.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import { err, type Result } from "../../shared/result.ts";
import { createContext, type EngineContext, type EngineOptions } from "./context.ts";
import { raiseAlerts } from "./handlers/budgets.ts";
import { handlers } from "./handlers/index.ts";
import { Cancelled } from "./import/control.ts";
import { faultFields } from "./log.ts";
import { asAnswerable } from "./rates/questions.ts";
import { AMOUNT_OUT_OF_RANGE, onSlowQuery } from "./store/sql.ts";
import { storeTrouble } from "./store/trouble.ts";

export type { EngineOptions } from "./context.ts";

/** The ledger itself, for whoever carries questions to it: the window's process, the terminal, the tests' host. */
export interface Engine {
  /** Checks the question against the contract, then answers it. Never throws. */
  ask<N extends MethodName>(name: N, input: MethodInput<N>): Promise<Result<MethodOutput<N>>>;
  ask(name: MethodName, input: unknown): Promise<Result<unknown>>;
  /** Ends what runs, and gives the ledger free. */
  close(): Promise<void>;
}

export function createEngine(options: EngineOptions): Engine {
  // Whatever changes the ledger may carry a budget over a threshold.
  const context: EngineContext = createContext({
    ...options,
    emit(event) {
      options.emit(event);
      if (event.name === "ledger.changed") context.behindTheScenes(() => Promise.resolve(raiseAlerts(context)));
    },
  });
  const endSlow = onSlowQuery(({ query, milliseconds, rows }) => context.log.write("query.slow", { query, milliseconds, rows }));
  // A ledger that cannot be opened is the answer of every question about it, until another is opened.
  let start: Promise<unknown> = options.ledgerPath === null ? Promise.resolve() : context.openAt(options.ledgerPath, false).catch((fault: unknown) => report(context, "ledger.open", fault));
  return {
    async ask(name: MethodName, input: unknown) {
      await start;
      return answer(context, name, input);
    },
    async close() {
      await start;
      start = Promise.resolve();
      endSlow();
      await context.close();
    },
  };
}

async function answer(context: EngineContext, name: MethodName, input: unknown): Promise<Result<unknown>> {
  const handler = Object.hasOwn(handlers, name) ? (handlers[name as keyof typeof handlers] as Handler) : undefined;
  if (handler === undefined) return err(ledgerError("contract.invalid", { question: String(name).slice(0, 80), path: "" }));
  const checked = methods[name].input.safeParse(input);
  if (!checked.success) return err(ledgerError("contract.invalid", { question: name, path: checked.error.issues[0]?.path.join(".") ?? "" }));
  try {
    const asked = await asAnswerable(context, name, checked.data);
    if (!asked.ok) return asked;
    try {
      return await handler(asked.value.context, asked.value.input);
    } finally {
      asked.value.done();
    }
  } catch (fault) {
    return report(context, name, fault);
  }
}

type Handler = (context: EngineContext, input: unknown) => Result<unknown> | Promise<Result<unknown>>;

/** What was thrown, as an answer: the store's own trouble in its words, everything else as a fault of ours, logged under a reference. */
function report(context: EngineContext, name: MethodName, fault: unknown): Result<never> {
  const opened = context.open();
  const trouble = isStoreTrouble(fault) ? storeTrouble(fault, opened.ok ? opened.value.ledger.name : "") : null;
  if (trouble !== null) {
    context.log.write("store.trouble", { question: name, code: trouble.code });
    return err(trouble);
  }
  if (fault instanceof Cancelled) return err(ledgerError("import.cancelled", { file: "" }));
  const reference = randomUUID().slice(0, 8);
  context.log.write("app.fault", { question: name, reference, ...faultFields(fault) });
  return err(ledgerError("app.fault", { reference }));
}

function isStoreTrouble(fault: unknown): boolean {
  const code = fault instanceof Error && "code" in fault && typeof fault.code === "string" ? fault.code : "";
  return code.startsWith("SQLITE_") || code === "ENOSPC" || code === "EDQUOT" || code === AMOUNT_OUT_OF_RANGE;
}
