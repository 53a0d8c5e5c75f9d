import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { answer, dropped } from "../../../main/app/bridge.ts";
import type { Bridge, Sender } from "../../../main/app/bridge.ts";
import { createFileTokens } from "../../../main/app/files.ts";
import { methodNames } from "../../../shared/contract/names.ts";
import { err, ok } from "../../../shared/result.ts";

const window: Sender = { url: "app://ledger/index.html#/review", parent: null };

/** An engine that remembers what reached it. */
let reached: { question: string; input: unknown }[];
let bridge: Bridge;
beforeEach(() => {
  reached = [];
  let count = 0;
  bridge = {
    tokens: createFileTokens(() => `token-${(count += 1)}`),
    ask: (question, input) => {
      reached.push({ question, input });
      return Promise.resolve(ok("answered"));
    },
    choose: ({ kind }) => Promise.resolve([{ token: "chosen", name: kind }]),
  };
});

describe("the bridge", () => {
  it("relays a question of the window and brings the answer back", async () => {
    expect(await answer(bridge, window, "ledger.status", {})).toEqual(ok("answered"));
    expect(reached).toEqual([{ question: "ledger.status", input: {} }]);
  });

  it.each<[string, Sender]>([
    ["a frame that is gone", null],
    ["a frame inside our page", { url: "app://ledger/index.html", parent: {} }],
    ["another origin", { url: "https://ledger/index.html", parent: null }],
    ["a file", { url: "file:///index.html", parent: null }],
    ["another host of our scheme", { url: "app://ledger.example/index.html", parent: null }],
    ["our host as a user's name", { url: "app://ledger@example/index.html", parent: null }],
    ["an empty page", { url: "about:blank", parent: null }],
    ["no address at all", { url: "", parent: null }],
  ])("refuses %s, and the engine hears nothing", async (_who, sender) => {
    await expect(answer(bridge, sender, "ledger.status", {})).rejects.toThrow("refused");
    expect(() => dropped(bridge, sender, ["/bill.csv"])).toThrow("refused");
    expect(reached).toEqual([]);
  });

  it("lets no window write what a pull should have brought", async () => {
    const page = { slot: "s", call: "GetCostAndUsage", profile: null, month: null, question: "{}", page: 0, answer: "{}", nextToken: null };
    expect(await answer(bridge, window, "connect.keep", page)).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
    expect(reached).toEqual([]);
  });

  it("hands a pull to whoever holds the network, and only one that the contract allows", async () => {
    const orders: unknown[] = [];
    const pulling: Bridge = { ...bridge, pull: (order) => Promise.resolve(ok(orders.push(order))) };
    const order = { period: "2026-09", profile: null, parts: ["costs"], isRefresh: false, mostRequests: 6 };
    expect(await answer(pulling, window, "connect.pull", order)).toEqual(ok(1));
    expect(await answer(pulling, window, "connect.cancel", {})).toEqual(ok(2));
    expect(await answer(pulling, window, "connect.pull", { ...order, mostRequests: 0 })).toMatchObject({ ok: false, error: { code: "contract.invalid", params: { path: "mostRequests" } } });
    expect(await answer(bridge, window, "connect.pull", order)).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
    expect(orders).toEqual([order, null]);
    expect(reached).toEqual([]);
  });

  it("refuses every name that is not in the contract", async () => {
    const strange = fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString", "ask", "files.dropped"), fc.anything());
    await fc.assert(
      fc.asyncProperty(strange, async (question) => {
        fc.pre(!(methodNames as readonly unknown[]).includes(question));
        expect(await answer(bridge, window, question, {})).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
      }),
    );
    expect(reached).toEqual([]);
  });

  it("draws the statement of an ESG pack itself, and takes none from the window", async () => {
    const { token } = bridge.tokens.give("/home/ada/pack");
    const input = { period: "2026", scope: {}, language: "en", file: token, by: null, statement: "cGRm" };
    await answer(bridge, window, "esg.export", input);
    await answer({ ...bridge, drawStatement: ({ period }) => Promise.resolve(`drawn of ${period}`) }, window, "esg.export", input);
    expect(reached.map(({ input: asked }) => asked)).toEqual([{ ...input, file: "/home/ada/pack", statement: null }, { ...input, file: "/home/ada/pack", statement: "drawn of 2026" }]);
  });

  it("trades tokens for paths on the way in", async () => {
    const { token } = bridge.tokens.give("/home/ada/bill.csv");
    await answer(bridge, window, "import.preview", { files: [token], options: {} });
    await answer(bridge, window, "ledger.open", { file: token, create: false });
    await answer(bridge, window, "ledger.open", { file: null, create: true });
    expect(reached.map(({ input }) => input)).toEqual([
      { files: ["/home/ada/bill.csv"], options: {} },
      { file: "/home/ada/bill.csv", create: false },
      { file: null, create: true },
    ]);
  });

  it.each([
    ["a path", { files: ["/etc/passwd"], options: {} }],
    ["a path beside a token", { files: ["token-1", "/etc/passwd"], options: {} }],
    ["a list in the list", { files: [["token-1"]], options: {} }],
    ["an object that would be text", { files: [{ toString: "token-1" }], options: {} }],
    ["a number", { files: 1, options: {} }],
    ["an object in place of the list", { files: { 0: "token-1", length: 1 }, options: {} }],
  ])("refuses %s where a token belongs", async (_what, input) => {
    bridge.tokens.give("/home/ada/bill.csv");
    expect(await answer(bridge, window, "import.preview", input)).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
    expect(reached).toEqual([]);
  });

  it("never lets an unknown text through as a file", async () => {
    const { token } = bridge.tokens.give("/home/ada/bill.csv");
    const fileQuestions = fc.constantFrom<[string, string]>(["import.preview", "files"], ["ledger.open", "file"], ["report.export", "file"]);
    await fc.assert(
      fc.asyncProperty(fileQuestions, fc.anything(), async ([question, field], held) => {
        fc.pre(held !== null && held !== token && !(Array.isArray(held) && held.every((item) => item === token)));
        expect(await answer(bridge, window, question, { [field]: held })).toMatchObject({ ok: false });
      }),
    );
    expect(reached).toEqual([]);
  });

  it("leaves inputs without the field to the engine's own check", async () => {
    for (const input of [null, undefined, 7, "text", [], {}]) await answer(bridge, window, "import.preview", input);
    expect(reached.map(({ input }) => input)).toEqual([null, undefined, 7, "text", [], {}]);
  });

  it("shows the window names where the engine says paths", async () => {
    const engine: Bridge = { ...bridge, ask: () => Promise.resolve(ok({ plan: "p", files: [{ path: "/home/ada/bill.csv", format: "focus", totals: { USD: { BilledCost: "1" } } }, { path: "C:\\bills\\june.csv", size: 3n }] })) };
    expect(await answer(engine, window, "import.post", { plan: "p" })).toEqual(
      ok({ plan: "p", files: [{ path: "bill.csv", format: "focus", totals: { USD: { BilledCost: "1" } } }, { path: "june.csv", size: 3n }] }),
    );
  });

  it("brings the engine's refusals back unchanged", async () => {
    const refused = err({ code: "ledger.none-open", params: {} } as const);
    expect(await answer({ ...bridge, ask: () => Promise.resolve(refused) }, window, "report.read", {})).toEqual(refused);
  });

  it("opens a dialog only for the purposes of the contract", async () => {
    expect(await answer(bridge, window, "files.choose", { kind: "folder" })).toEqual(ok([{ token: "chosen", name: "folder" }]));
    for (const input of [{}, { kind: "anything" }, { kind: "import", properties: ["openFile"] }, null]) {
      expect(await answer(bridge, window, "files.choose", input)).toMatchObject({ ok: false, error: { code: "contract.invalid", params: { question: "files.choose" } } });
    }
    expect(reached).toEqual([]);
  });

  it("gives dropped files a token and a name, never their path", () => {
    expect(dropped(bridge, window, ["/home/ada/bill.csv"])).toEqual([{ token: "token-1", name: "bill.csv" }]);
    for (const paths of ["/bill.csv", ["bill.csv"], ["../bill.csv"], ["/bill\0.csv"], [7], [null], null, { 0: "/bill.csv", length: 1 }]) {
      expect(() => dropped(bridge, window, paths)).toThrow(TypeError);
    }
  });
});
