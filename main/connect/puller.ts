import type { PullOrder, PullOutcome } from "../../shared/contract/connect.ts";
import type { EventPayloads } from "../../shared/contract/events.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { MethodInput, MethodOutput } from "../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import type { Connection } from "./messages.ts";
import { pull } from "./pull.ts";

export interface PullerOptions {
  /** The engine, in whatever process. */
  ask<N extends "connect.plan" | "connect.keep">(name: N, input: MethodInput<N>): Promise<Result<MethodOutput<N>>>;
  connect(): Connection | Promise<Connection>;
  progress(state: EventPayloads["connect.progress"]): void;
  /** Names one fault. */
  reference(): string;
  wait?(milliseconds: number): Promise<void>;
}

/** Carries out one pull at a time; null cancels the one that runs, which ends after the request that is on its way. */
export function createPuller({ ask, connect, progress, reference, wait = sleep }: PullerOptions): (order: PullOrder | null) => Promise<Result<PullOutcome | null>> {
  let running: { isCancelled: boolean } | null = null;
  return async (order) => {
    if (order === null) {
      if (running !== null) running.isCancelled = true;
      return ok(null);
    }
    if (running !== null) return err(ledgerError("connect.busy", {}));
    const own = (running = { isCancelled: false });
    try {
      const { mostRequests: _most, ...wish } = order;
      return await pull(order, { plan: () => ask("connect.plan", wish), keep: (page) => ask("connect.keep", page), connect, progress, wait, isCancelled: () => own.isCancelled });
    } catch {
      // The process that holds the network died; what it had brought is kept.
      return err(ledgerError("app.fault", { reference: reference() }));
    } finally {
      running = null;
    }
  };
}


function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
