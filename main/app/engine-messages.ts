import type { LedgerEvent } from "../../shared/contract/events.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import type { Result } from "../../shared/result.ts";

/** What the engine is told once, before its first question. */
export interface EngineSettings {
  readonly userDataFolder: string;
  readonly resourcesFolder: string;
}

/** From main to the engine's process. */
export type ToEngine =
  | { readonly start: EngineSettings }
  | { readonly id: number; readonly name: MethodName; readonly input: unknown }
  | { readonly close: true };

/** From the engine's process to main. */
export type FromEngine =
  | { readonly id: number; readonly result: Result<unknown> }
  | { readonly event: LedgerEvent }
  | { readonly closed: true };
