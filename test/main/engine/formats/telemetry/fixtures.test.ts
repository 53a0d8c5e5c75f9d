import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReadOptions } from "../../../../../shared/contract/methods.ts";
import { telemetryFormats } from "../../../../../main/engine/formats/telemetry/index.ts";
import { recognize } from "../../../../../main/engine/import/recognize.ts";
import { sniff } from "../../../../../main/engine/import/sniff.ts";
import { openMemoryLedger } from "../../../../../main/engine/store/open.ts";
import { devicesOf, jobsOf, readPath } from "../../import/read-log.ts";

/**
 * Every log in test/fixtures/telemetry beside its expected reading. A folder is named for the format of its files.
 * `GPU_LEDGER_UPDATE=1 npx vitest run test/main/engine/formats/telemetry` writes the readings anew, to be reviewed like code.
 */
interface Expected {
  readonly about: string;
  readonly options: ReadOptions;
  readonly reading?: unknown;
}
const root = join(import.meta.dirname, "../../../../fixtures/telemetry");

for (const format of telemetryFormats) {
  const folder = join(root, format.id);
  const files = readdirSync(folder).filter((file) => !file.endsWith(".expected.json"));
  describe(`logs in ${format.id}`, () => {
    it.each(files)("%s is read as written beside it", async (file) => {
      const expectedPath = join(folder, file.replace(/\.[a-z]+$/, ".expected.json"));
      const expected = JSON.parse(readFileSync(expectedPath, "utf8")) as Expected;
      const reading = JSON.parse(JSON.stringify(await readingOf(join(folder, file), expected.options))) as unknown;
      if (process.env["GPU_LEDGER_UPDATE"] === "1") writeFileSync(expectedPath, `${readable({ ...expected, reading })}\n`);
      else expect(reading).toEqual(expected.reading);
    });

    it.each(files)("%s is recognized by this format alone", async (file) => {
      const { options } = JSON.parse(readFileSync(join(folder, file.replace(/\.[a-z]+$/, ".expected.json")), "utf8")) as Expected;
      const sniffed = await sniff(join(folder, file));
      if (!sniffed.ok) throw new Error(JSON.stringify(sniffed.error));
      expect(telemetryFormats.filter((each) => each.recognize(sniffed.value, options).score >= 0.5).map(({ id }) => id)).toEqual([format.id]);
      expect(recognize(sniffed.value, options)).toMatchObject({ ok: true, value: { kind: "telemetry", recognition: { formatId: format.id } } });
    });
  });
}

it("every folder of logs belongs to a format", () => {
  expect(readdirSync(root).sort()).toEqual(telemetryFormats.map(({ id }) => id).sort());
  expect(existsSync(root)).toBe(true);
});

const bills = join(root, "../billing");
it.each(readdirSync(bills, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !entry.name.endsWith(".expected.json")).map((entry) => join(entry.parentPath, entry.name)))("%s is no log", async (path) => {
  const sniffed = await sniff(path);
  if (!sniffed.ok) return;
  expect(telemetryFormats.map((format) => format.recognize(sniffed.value, {})).filter(({ score }) => score >= 0.5)).toEqual([]);
});

async function readingOf(path: string, options: ReadOptions): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-log-"));
  const ledger = openMemoryLedger();
  try {
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    utimesSync(copy, new Date("2026-09-01T12:00:00Z"), new Date("2026-09-01T12:00:00Z"));
    const read = await readPath(ledger, copy, options);
    if (!read.ok) return read.error;
    const { rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, devices, coverage, hasGpuSeries, telemetry } = read.value;
    const jobs = jobsOf(ledger);
    return { rowsRead, rowsPosted, rowsSetAside, setAside, repairs, periods, devices, coverage, hasGpuSeries, telemetry, series: devicesOf(ledger), ...(jobs.length === 0 ? {} : { jobs }) };
  } finally {
    ledger.close();
    rmSync(folder, { recursive: true });
  }
}

/** JSON with short lists on one line, so that a segment is a line. */
function readable(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, " ")}]`);
}
