import type { EventName, EventPayloads } from "../../shared/contract/events.ts";
import type { MethodInput, MethodOutput } from "../../shared/contract/methods.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import type { Result } from "../../shared/result.ts";
import { hostBridge } from "./host.ts";

export interface ChosenFile {
  readonly token: string;
  readonly name: string;
}

/** What the preload hands the page: three functions that know the contract's names. */
export interface Bridge {
  ask(name: string, input: unknown): Promise<unknown>;
  on(name: EventName, hear: (payload: unknown) => void): () => void;
  dropped(files: readonly File[]): Promise<unknown>;
}

declare global {
  interface Window {
    readonly ledger?: Bridge;
  }
}

/** What a question takes: the contract's input, which nobody on the way changes. */
export type Question<N extends MethodName> = Unchanging<MethodInput<N>>;
type Unchanging<T> = T extends readonly (infer Item)[] ? readonly Unchanging<Item>[] : T extends object ? { readonly [K in keyof T]: Unchanging<T[K]> } : T;

export interface LedgerClient {
  ask<N extends MethodName>(name: N, input: Question<N>): Promise<Result<MethodOutput<N>>>;
  on<N extends EventName>(name: N, hear: (payload: EventPayloads[N]) => void): () => void;
  /** Files dropped on the page as tokens; the page never sees a path. */
  dropped(files: readonly File[]): Promise<readonly ChosenFile[]>;
}

/** The contract as typed functions over whatever carries it: the preload in the app, loopback in tests. */
export function createClient(bridge: Bridge): LedgerClient {
  return {
    ask: async <N extends MethodName>(name: N, input: Question<N>) => (await bridge.ask(name, input)) as Result<MethodOutput<N>>,
    on: <N extends EventName>(name: N, hear: (payload: EventPayloads[N]) => void) => bridge.on(name, (payload) => hear(payload as EventPayloads[N])),
    dropped: async (files) => (await bridge.dropped(files)) as readonly ChosenFile[],
  };
}

export function clientOfThisPage(): LedgerClient {
  return createClient(window.ledger ?? hostBridge());
}
