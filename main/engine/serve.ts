// Stands here until the engine's handlers do, so that the app around it can be built: it answers every question with a fault.
import { ledgerError } from "../../shared/contract/errors.ts";
import type { LedgerEvent } from "../../shared/contract/events.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import { err } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

export interface EngineOptions {
  readonly ledgerPath: string | null;
  readonly userDataFolder: string;
  readonly resourcesFolder: string;
  readonly emit: (event: LedgerEvent) => void;
}

export interface Engine {
  ask(name: MethodName, input: unknown): Promise<Result<unknown>>;
  close(): Promise<void>;
}

export function createEngine(_options: EngineOptions): Engine {
  return {
    ask: (name) => Promise.resolve(err(ledgerError("app.fault", { reference: `${name} is not built` }))),
    close: () => Promise.resolve(),
  };
}
