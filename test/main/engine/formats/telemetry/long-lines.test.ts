import { afterAll, describe, expect, it } from "vitest";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { devicesOf, readText } from "../../import/read-log.ts";

/**
 * A line of VictoriaMetrics longer than a usual one is paired as it comes, whichever of its lists comes first: it says what the same samples
 * say in two usual lines.
 */
const labels = '"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","Hostname":"node-a","UUID":"GPU-9e5c4a66-1f7c-4d54-9eaf-4b6c8f2d5a79","gpu":"0"}';
const start = Date.UTC(2026, 7, 1);
const samples = Array.from({ length: 66_000 }, (_, at) => ({ value: at % 1000 === 7 ? "null" : String(100 + (at % 300) / 4), time: start + at * 1000 }));
const list = (name: "values" | "timestamps", part: typeof samples): string => `"${name}":[${part.map(({ value, time }) => (name === "values" ? value : time)).join(",")}]`;

const ledger = openMemoryLedger();
afterAll(() => ledger.close());

async function readingOf(content: string): Promise<unknown> {
  ledger.db.exec("DELETE FROM gpu_trace; DELETE FROM device; DELETE FROM batch");
  const read = await readText(ledger, content, {}, "export.jsonl");
  if (!read.ok) throw new Error(read.error.code);
  const { rowsRead, rowsPosted, rowsSetAside, setAside, repairs } = read.value;
  return { rowsRead, rowsPosted, rowsSetAside, setAside, repairs, devices: devicesOf(ledger) };
}

describe("a line of 66,000 samples", () => {
  const first = samples.slice(0, 33_000);
  const second = samples.slice(33_000);
  const usual = `{${labels},${list("values", first)},${list("timestamps", first)}}\n{${labels},${list("values", second)},${list("timestamps", second)}}\n`;

  it.each([["values", "timestamps"], ["timestamps", "values"]] as const)("with its %s before its %s", async (one, other) => {
    const whole = await readingOf(`{${labels},${list(one, samples)},${list(other, samples)}}\n`);
    expect(whole).toEqual(await readingOf(usual));
    expect(whole).toMatchObject({ rowsRead: 66_000, rowsPosted: 66_000, rowsSetAside: 0, repairs: { "value-not-available": 66 } });
  });

  it("whose lists are of two lengths sets aside what has no value or no time", async () => {
    const longer = samples.slice(0, 65_998);
    expect(await readingOf(`{${labels},${list("values", longer)},${list("timestamps", samples)}}\n`)).toMatchObject({ rowsRead: 66_000, rowsPosted: 65_998, rowsSetAside: 2 });
    expect(await readingOf(`{${labels},${list("values", samples)},${list("timestamps", longer)}}\n`)).toMatchObject({ rowsRead: 66_000, rowsPosted: 65_998, rowsSetAside: 2 });
  });

  it("cut in its second list gives what came until then, and says so", async () => {
    const text = `{${labels},${list("values", samples)},${list("timestamps", samples)}}\n`;
    const usualLine = `{${labels},${list("values", samples.slice(0, 2))},${list("timestamps", samples.slice(0, 2))}}\n`;
    const cut = usualLine + text.slice(0, text.indexOf(String(start + 60_000 * 1000)) + 5);
    // Two samples of the usual line come again in the long one; the sample whose time is cut is not there.
    expect(await readingOf(cut)).toMatchObject({ rowsRead: 60_002, rowsSetAside: 0, repairs: { "truncated-last-line": 1, "duplicate-timestamp": 2 } });
  });
});
