import { describe, expect, it } from "vitest";
import { hostEngine } from "../../../main/app/engine-host.ts";
import type { FromEngine, ToEngine } from "../../../main/app/engine-messages.ts";
import type { LedgerEvent } from "../../../shared/contract/events.ts";
import { ok } from "../../../shared/result.ts";

const settings = { userDataFolder: "/data", resourcesFolder: "/resources" };

const start = [{ start: settings }, { id: 1, name: "ledger.open", input: { file: null, create: false } }];
const none = { ok: false, error: { code: "ledger.none-open", params: {} } } as const;
/** Lets what waits for an answer go on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Processes that do nothing until told: the test answers for them, or lets them die. */
function stage() {
  const processes: { heard: ToEngine[]; say(message: FromEngine): void; die(): void; isKilled: boolean }[] = [];
  const events: LedgerEvent[] = [];
  let time = 0;
  let faults = 0;
  const host = hostEngine({
    settings,
    fork: () => {
      let hear: (message: FromEngine) => void;
      let ended: () => void;
      const child = { heard: [] as ToEngine[], isKilled: false, say: (message: FromEngine) => hear(message), die: () => ended() };
      processes.push(child);
      return {
        onMessage: (listener) => void (hear = listener),
        onExit: (listener) => void (ended = listener),
        post: (message) => void child.heard.push(message),
        end: () => void (child.isKilled = true),
      };
    },
    emit: (event) => events.push(event),
    reference: () => `fault-${(faults += 1)}`,
    now: () => time,
  });
  return { host, processes, events, wait: (milliseconds: number) => (time += milliseconds) };
}

describe("the engine's host", () => {
  it("starts the engine with its settings, and opens what was open last before anything else is asked", async () => {
    const { host, processes } = stage();
    const status = host.ask("ledger.status", {});
    await turn();
    expect(processes[0]?.heard).toEqual(start);
    processes[0]?.say({ id: 1, result: none });
    await turn();
    expect(processes[0]?.heard.slice(2)).toEqual([{ id: 2, name: "ledger.status", input: {} }]);
    processes[0]?.say({ id: 2, result: ok("status") });
    expect(await status).toEqual(ok("status"));
  });

  it("gives each answer to who asked", async () => {
    const { host, processes } = stage();
    processes[0]?.say({ id: 1, result: none });
    const [first, second] = [host.ask("ledger.status", {}), host.ask("batches.list", {})];
    await turn();
    processes[0]?.say({ id: 3, result: ok("batches") });
    processes[0]?.say({ id: 2, result: ok("status") });
    expect(await Promise.all([first, second])).toEqual([ok("status"), ok("batches")]);
  });

  it("passes events on", () => {
    const { processes, events } = stage();
    const event = { name: "ledger.changed", payload: { revision: 7 } } as const;
    processes[0]?.say({ event });
    expect(events).toEqual([event]);
  });

  it("starts a dead engine again on the same ledger, says so, and answers what was asked with a fault", async () => {
    const { host, processes, events, wait } = stage();
    processes[0]?.say({ id: 1, result: none });
    const opening = host.ask("ledger.open", { file: "/a.gpuledger", create: false });
    await turn();
    processes[0]?.say({ id: 2, result: ok("open") });
    await opening;
    const lost = host.ask("import.post", { plan: "p" });
    await turn();
    wait(60_000);
    processes[0]?.die();
    expect(await lost).toEqual({ ok: false, error: { code: "app.fault", params: { reference: "fault-1" } } });
    expect(events).toEqual([{ name: "engine.restarted", payload: { reference: "fault-1" } }]);
    expect(processes[1]?.heard).toEqual([{ start: settings }, { id: 4, name: "ledger.open", input: { file: "/a.gpuledger", create: false } }]);
  });

  it("does not open again what could not be opened", async () => {
    const { host, processes, wait } = stage();
    processes[0]?.say({ id: 1, result: none });
    const refused = host.ask("ledger.open", { file: "/b.gpuledger", create: false });
    await turn();
    processes[0]?.say({ id: 2, result: { ok: false, error: { code: "ledger.damaged", params: { file: "b" } } } });
    await refused;
    wait(60_000);
    processes[0]?.die();
    expect(processes[1]?.heard[1]).toMatchObject({ name: "ledger.open", input: { file: null, create: false } });
  });

  it("gives up on an engine that dies at once, again and again", async () => {
    const { host, processes } = stage();
    processes[0]?.die();
    processes[1]?.die();
    processes[2]?.die();
    expect(processes).toHaveLength(3);
    expect(await host.ask("ledger.status", {})).toMatchObject({ ok: false, error: { code: "app.fault" } });
  });

  it("lets the engine close its ledger before it ends it", async () => {
    const { host, processes } = stage();
    const closing = host.close();
    expect(processes[0]?.heard.at(-1)).toEqual({ close: true });
    expect(processes[0]?.isKilled).toBe(false);
    processes[0]?.say({ closed: true });
    await closing;
    expect(processes[0]?.isKilled).toBe(true);
  });
});
