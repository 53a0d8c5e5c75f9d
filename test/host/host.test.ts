import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEngine } from "../../main/engine/serve.ts";
import { fromText, startHost, toText, type Host } from "./host.ts";

let folder = "";
let host: Host;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-host-"));
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>page</title>");
  host = await startHost({
    rendererFolder: folder,
    engine: (emit) => createEngine({ ledgerPath: null, userDataFolder: folder, resourcesFolder: join(import.meta.dirname, "../../resources"), jobRunner: "inline", emit }),
    choose: () => [join(folder, "chosen.gpuledger")],
  });
});
afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(name: string, input: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(new URL("/ask", host.url), { method: "POST", body: toText({ name, input }), headers });
  return response.ok ? fromText(await response.text()) : response.status;
}

it("serves the pages and nothing outside their folder", async () => {
  expect(await (await fetch(host.url)).text()).toContain("page");
  expect((await fetch(new URL("/..%2fsecret.html", host.url))).status).toBe(404);
});

it("answers questions, with files as tokens and never a path", async () => {
  expect(await ask("ledger.open", { file: join(folder, "chosen.gpuledger"), create: true })).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
  const [chosen] = ((await ask("files.choose", { kind: "ledger-save" })) as { value: { token: string; name: string }[] }).value;
  expect(chosen?.name).toBe("chosen.gpuledger");
  expect(await ask("ledger.open", { file: chosen?.token, create: true })).toMatchObject({ ok: true, value: { name: "chosen", isEmpty: true } });
  expect(await ask("no.such-question", {})).toMatchObject({ ok: false, error: { code: "contract.invalid" } });
});

it("takes a dropped file's bytes for a token", async () => {
  const response = await fetch(new URL("/dropped?name=..%2Fbill.csv", host.url), { method: "POST", body: "a,b\n1,2\n" });
  expect(fromText(await response.text())).toMatchObject({ name: "bill.csv" });
});

it("tells events", async () => {
  const stream = (await fetch(new URL("/events", host.url))).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await stream?.read())?.value).toContain("here");
  await ask("ledger.open", { file: host.token(join(folder, "own.gpuledger")).token, create: true });
  await ask("policy.save", { idleAtOrUnderPercent: 5, busyAtOrOverPercent: 10, minimumSeconds: 600, bridgeSeconds: 0, parkedMemoryShare: 0.1 });
  expect((await stream?.read())?.value).toContain("ledger.changed");
});

it("refuses the pages of others", async () => {
  expect(await ask("ledger.status", {}, { origin: "http://example.org" })).toBe(403);
});

it("carries amounts beyond what JSON numbers hold", () => {
  expect(fromText(toText({ cost: 12345678901234567890n, text: "1" }))).toEqual({ cost: 12345678901234567890n, text: "1" });
});
