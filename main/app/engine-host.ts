import type { UtilityProcess } from "electron";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { LedgerEvent } from "../../shared/contract/events.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import { err } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { EngineSettings, FromEngine, ToEngine } from "./engine-messages.ts";

export interface EngineHost {
  ask(name: MethodName, input: unknown): Promise<Result<unknown>>;
  /** Lets the engine finish what it writes, then ends its process. */
  close(): Promise<void>;
}

/** The little that is asked of a process: Electron's, or a test's. */
export interface EngineProcess {
  onMessage(hear: (message: FromEngine) => void): void;
  onExit(ended: () => void): void;
  post(message: ToEngine): void;
  end(): void;
}

export function engineProcess(child: UtilityProcess): EngineProcess {
  return {
    onMessage: (hear) => void child.on("message", (message: unknown) => hear(message as FromEngine)),
    onExit: (ended) => void child.on("exit", () => ended()),
    post: (message) => child.postMessage(message),
    end: () => void child.kill(),
  };
}

export interface EngineHostOptions {
  readonly settings: EngineSettings;
  /** Starts a process that runs main/app/engine-process.ts. */
  fork(): EngineProcess;
  emit(event: LedgerEvent): void;
  /** Names one fault, in the log and in the window. */
  reference(): string;
  /** Milliseconds of a clock that only runs forward. */
  now(): number;
}

/** An engine that dies this soon, this many times in a row, is not started again until the app is. */
const shortLifeMilliseconds = 3000;
const shortLivesAllowed = 3;
const closeWithinMilliseconds = 5000;

/** Which questions decide what ledger is open: the last that went well is asked first of an engine started anew. */
const openings: readonly MethodName[] = ["ledger.open", "ledger.close", "sample.open"];

interface Opening {
  readonly name: MethodName;
  readonly input: unknown;
}
/** The ledger that was open when the app was last used, if it is still there. */
const firstOpening: Opening = { name: "ledger.open", input: { file: null, create: false } };

/**
 * Keeps one engine process alive. Its first question opens a ledger, and all others wait for that. If it dies, what was
 * asked of it is answered with `app.fault`, a new one is started on the same ledger, and `engine.restarted` says so;
 * nothing posted is lost, since posting is one transaction.
 */
export function hostEngine({ settings, fork, emit, reference, now }: EngineHostOptions): EngineHost {
  const waiting = new Map<number, (result: Result<unknown>) => void>();
  let lastId = 0;
  let opening = firstOpening;
  let opened: Promise<unknown> = Promise.resolve();
  let shortLives = 0;
  let closed: (() => void) | null = null;
  let child: EngineProcess | null = null;

  start();

  return { ask, close };

  function start(): void {
    const started = fork();
    const startedAt = now();
    child = started;
    started.onMessage(hear);
    started.onExit(() => {
      if (child === started) ended(now() - startedAt);
    });
    tell({ start: settings });
    opened = put(opening.name, opening.input);
  }

  function tell(message: ToEngine): void {
    child?.post(message);
  }

  function hear(message: FromEngine): void {
    if ("event" in message) emit(message.event);
    else if ("closed" in message) closed?.();
    else {
      waiting.get(message.id)?.(message.result);
      waiting.delete(message.id);
    }
  }

  function ended(milliseconds: number): void {
    child = null;
    const fault = reference();
    for (const answer of waiting.values()) answer(err(ledgerError("app.fault", { reference: fault })));
    waiting.clear();
    if (closed !== null) return closed();
    shortLives = milliseconds < shortLifeMilliseconds ? shortLives + 1 : 0;
    if (shortLives >= shortLivesAllowed) return;
    start();
    emit({ name: "engine.restarted", payload: { reference: fault } });
  }

  async function ask(name: MethodName, input: unknown): Promise<Result<unknown>> {
    await opened;
    const result = await put(name, input);
    if (result.ok && openings.includes(name)) opening = { name, input };
    return result;
  }

  function put(name: MethodName, input: unknown): Promise<Result<unknown>> {
    if (child === null) return Promise.resolve(err(ledgerError("app.fault", { reference: reference() })));
    const id = (lastId += 1);
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      tell({ id, name, input });
    });
  }

  async function close(): Promise<void> {
    const last = child;
    if (last === null) return;
    let tooLong: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      closed = resolve;
      tooLong = setTimeout(resolve, closeWithinMilliseconds);
      tell({ close: true });
    });
    clearTimeout(tooLong);
    child = null;
    last.end();
  }
}
