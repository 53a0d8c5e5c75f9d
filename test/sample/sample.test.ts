import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openLedger, type OpenLedger } from "../../main/engine/store/open.ts";
import { query, readAll, sql, sumMoneyOrNull, type Fragment } from "../../main/engine/store/sql.ts";
import { amount, part, text } from "../../scripts/sample/money.ts";
import { generate, type SampleTruth, type Slice } from "../../scripts/sample/generate.ts";
import { loggers } from "../../scripts/sample/logs.ts";
import { randomOf } from "../../scripts/sample/random.ts";
import { observe, type ObservedHour } from "../../scripts/sample/truth.ts";

const folder = join(import.meta.dirname, "../../dist/sample");
const ledgerFile = join(folder, "sample.gpuledger");
const isBuilt = existsSync(ledgerFile) && existsSync(join(folder, "truth.json"));

describe("the generator of the sample company", () => {
  const slice: Slice = { months: ["2026-09"], loggers: loggers.filter(({ node }) => node === "gcp-a3-01" || node === "az-nc-06") };

  it("writes the same bytes every time", async () => {
    const [first, second] = [await hashes(slice), await hashes(slice)];
    expect(first).toEqual(second);
    expect(Object.keys(first)).toContain("telemetry/gcp-a3-01.csv.gz");
  });

  it("knows what its files say", async () => {
    const lines = new Map<string, string[]>();
    const truth = await generate(slice, ({ path, chunks }) => {
      lines.set(path, Buffer.concat(chunks).toString("utf8").trimEnd().split(/\r?\n/));
      return Promise.resolve();
    });
    for (const file of truth.files) {
      const written = lines.get(file.path) ?? [];
      const header = written[0];
      expect(written.filter((line) => line !== header), file.path).toHaveLength(file.rowsRead);
    }
    const google = truth.files.find(({ provider }) => provider === "Google Cloud");
    const billed = (lines.get("gcp/focus_202609.csv.gz") ?? []).slice(1).reduce((sum, line) => sum + amount(line.split(",")[1] ?? ""), 0n);
    expect(text(billed)).toBe(google?.totals?.BilledCost);
  });
});

describe("its arithmetic", () => {
  it("adds decimals exactly, whatever their spelling", () => {
    expect(text(amount("0.1") + amount("0.2"))).toBe("0.3");
    expect(text(amount("7.2E-05"))).toBe("0.000072");
    expect(text(-amount("12.5"), 4)).toBe("-12.5000");
    expect(text(part(amount("1"), 1, 3))).toBe("0.3333333333");
  });

  it("draws the same chances from the same seed", () => {
    const [one, other] = [randomOf("a"), randomOf("a")];
    expect([one.next(), one.next()]).toEqual([other.next(), other.next()]);
    expect(randomOf("a").next()).not.toBe(randomOf("b").next());
  });

  it("tells useful, held and dead time of a card apart", () => {
    // Two samples at 80 %, then two at 0 % with a half of the memory, then one at 0 % with none; twelve minutes between them.
    const hours = new Map<number, ObservedHour>();
    const ms = Float64Array.from([0, 12, 24, 36, 48], (minute) => minute * 60_000);
    observe({ count: 5, ms, percent: Float32Array.of(80, 80, 0, 0, 0), memoryMiB: Float32Array.of(50, 50, 50, 50, 0) }, 100, 0, hours);
    expect(hours.get(0)).toEqual({ known: 3600, useful: 1152, active: 1440, activeUseful: 1152, held: 1440, dead: 720 });
    expect(hours.get(1)?.dead).toBe(180);
  });
});

describe.skipIf(!isBuilt)(`the sample ledger${isBuilt ? "" : " (not built: run npm run build)"}`, () => {
  let ledger: OpenLedger;
  let truth: SampleTruth;
  beforeAll(() => {
    const opened = openLedger(ledgerFile, { create: false, readOnly: true });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    ledger = opened.value;
    truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as SampleTruth;
  });
  afterAll(() => {
    ledger.close();
  });

  it("ties to the truth of every month, to the last digit, on four costs", () => {
    expect(sumsBy(ledger, sql`c.Month`)).toEqual(truth.totals.byMonth);
  });

  it("ties to the truth of every provider and month", () => {
    expect(sumsBy(ledger, sql`c.Month || ' ' || s.ProviderName`)).toEqual(truth.totals.byMonthAndProvider);
  });

  it("ties to the truth of every team and month, what belongs to none included", () => {
    expect(sumsBy(ledger, sql`c.Month || ' ' || ifnull(s.x_Team, '—')`)).toEqual(truth.totals.byMonthAndTeam);
  });

  it("is the sum of its providers, and of its teams", () => {
    for (const [month, whole] of Object.entries(truth.totals.byMonth)) {
      for (const parts of [truth.totals.byMonthAndProvider, truth.totals.byMonthAndTeam]) {
        const ofMonth = Object.entries(parts).filter(([key]) => key.startsWith(month.slice(0, 7)));
        expect(text(ofMonth.reduce((sum, [, { EffectiveCost }]) => sum + amount(EffectiveCost ?? "0"), 0n)), month).toBe(whole.EffectiveCost);
      }
    }
  });

  it("read every row of every file, and set aside the damaged ones alone", () => {
    const batches = readAll(ledger.db, query<{ RowsRead: number; RowsSetAside: number; Path: string }>("RowsRead", "RowsSetAside", "Path")`
      SELECT b.RowsRead, b.RowsSetAside, f.Path FROM batch AS b JOIN source_file AS f ON f.BatchId = b.BatchId WHERE b.State = 'posted' ORDER BY f.Path`);
    const read = batches.map(({ RowsRead, RowsSetAside, Path }) => ({ path: Path.split(/[\\/]files[\\/]/)[1]?.replaceAll("\\", "/"), RowsRead, RowsSetAside }));
    const written = truth.files.map(({ path, rowsRead, rowsSetAside }) => ({ path, RowsRead: rowsRead, RowsSetAside: rowsSetAside }));
    const byPath = (a: { path: string | undefined }, b: { path: string | undefined }): number => ((a.path ?? "") < (b.path ?? "") ? -1 : 1);
    expect(read.sort(byPath)).toEqual(written.sort(byPath));
    expect(written.reduce((sum, { RowsSetAside }) => sum + RowsSetAside, 0)).toBe(3);
  });

  it("bills the GPU-hours that ran, by model and month", () => {
    const rows = readAll(ledger.db, query<{ key: string; hours: number }>("key", "hours")`
      SELECT c.Month || ' ' || s.x_GpuModel AS key, round(sum(c.GpuHours), 3) AS hours
      FROM charge_month_current AS c JOIN series AS s ON s.SeriesId = c.SeriesId
      WHERE c.GpuHours IS NOT NULL GROUP BY 1 ORDER BY 1`);
    expect(Object.fromEntries(rows.map(({ key, hours }) => [key, hours]))).toEqual(truth.gpuHours);
  });

  it("finds the idle money and the utilization of every month within half a percent", () => {
    const rows = readAll(ledger.db, query<{ month: string; known: number; useful: number; idle: bigint; held: bigint; unknown: bigint; cost: bigint }>("month", "known", "useful", "idle", "held", "unknown", "cost")`
      SELECT
        strftime('%Y-%m', h.Day * 86400, 'unixepoch') AS month,
        sum(h.KnownGpuHours)                          AS known,
        sum(h.UsefulGpuHours)                         AS useful,
        sum(h.HeldIdleCostNanos + h.DeadIdleCostNanos + h.IdleMemoryUnknownCostNanos) AS idle,
        sum(h.HeldIdleCostNanos)                      AS held,
        sum(h.UnknownCostNanos)                       AS unknown,
        sum(h.EffectiveCostNanos)                     AS cost
      FROM gpu_hour_cost_current AS h
      GROUP BY 1
      ORDER BY 1`);
    expect(rows.map(({ month }) => month)).toEqual(Object.keys(truth.efficiency));
    for (const { month, known, useful, idle, held, unknown, cost } of rows) {
      const expected = truth.efficiency[month]!;
      expectNear(Number(cost) / 1e9, expected.gpuCost, `${month} cost`);
      expectNear(Number(idle) / 1e9, expected.idleCost, `${month} idle`);
      expectNear(Number(held) / 1e9, expected.heldIdleCost, `${month} held`);
      expectNear(Number(unknown) / 1e9, expected.unknownCost, `${month} unknown`);
      expectNear(known, expected.knownGpuHours, `${month} known`);
      expectNear(useful, expected.usefulGpuHours, `${month} useful`);
    }
  });

  it("tells the states of every machine's cards within half a percent", () => {
    const rows = readAll(ledger.db, query<{ key: string; known: number; held: number; dead: number }>("key", "known", "held", "dead")`
      SELECT
        d.Host || ' ' || strftime('%Y-%m', h.Day * 86400, 'unixepoch') AS key,
        sum(h.KnownSeconds)    AS known,
        sum(h.HeldIdleSeconds) AS held,
        sum(h.DeadIdleSeconds) AS dead
      FROM gpu_hour_current AS h JOIN device AS d ON d.DeviceId = h.DeviceId
      GROUP BY 1
      ORDER BY 1`);
    const nodeOf = new Map(loggers.map(({ node, host }) => [host, node]));
    const named = new Map(rows.map((row) => [row.key.replace(/^\S+/, (host) => nodeOf.get(host) ?? host), row]));
    expect([...named.keys()].sort()).toEqual(Object.keys(truth.states).sort());
    for (const [key, expected] of Object.entries(truth.states)) {
      const row = named.get(key);
      expectNear(row?.known ?? 0, expected.known, `${key} known`);
      expectNear(row?.held ?? 0, expected.held, `${key} held`);
      expectNear(row?.dead ?? 0, expected.dead, `${key} dead`);
    }
  });

  it("joins every logged machine to its bill, by its name or its id, but for the workstation that has none", () => {
    const rows = readAll(ledger.db, query<{ Host: string; joined: number }>("Host", "joined")`
      SELECT d.Host, EXISTS (
        SELECT 1 FROM series AS s WHERE lower(s.ResourceName) = lower(d.Host) OR lower(s.ResourceId) = lower(d.Host)
      ) AS joined
      FROM device AS d GROUP BY d.Host`);
    expect(rows.filter(({ joined }) => joined === 0).map(({ Host }) => Host)).toEqual(["lab-l4-01"]);
    expect(rows).toHaveLength(loggers.length);
  });

  it("names its own people, and nothing of the machine or the person that built it", () => {
    const named = readAll(ledger.db, query<{ who: string }>("who")`
      SELECT Who AS who FROM change_log UNION SELECT SavedBy FROM plan_scenario UNION SELECT EnteredBy FROM commitment_term`);
    expect(named).toEqual([{ who: "A. Finch" }]);
    const folders = readAll(ledger.db, query<{ Path: string }>("Path")`SELECT Path FROM source_file`).map(({ Path }) => Path.slice(0, "/sample/files/".length));
    expect([...new Set(folders)]).toEqual(["/sample/files/"]);
    const bytes = readFileSync(ledgerFile);
    for (const place of [join(import.meta.dirname, "../.."), homedir()]) expect(bytes.includes(`${place}/`), place).toBe(false);
  });
});

async function hashes(slice: Slice): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const truth = await generate(slice, ({ path, chunks }) => {
    const hash = createHash("sha256");
    for (const chunk of chunks) hash.update(chunk);
    found[path] = hash.digest("hex");
    return Promise.resolve();
  });
  found["truth"] = createHash("sha256").update(JSON.stringify(truth)).digest("hex");
  return found;
}

type Sums = SampleTruth["totals"]["byMonth"];

/** The four costs by a key, as the truth words them. */
function sumsBy(ledger: OpenLedger, key: Fragment): Sums {
  const rows = readAll(ledger.db, query<{ key: string; rows: number; billed: bigint | null; effective: bigint | null; list: bigint | null; contracted: bigint | null }>("key", "rows", "billed", "effective", "list", "contracted")`
    SELECT
      ${key} || ' ' || s.BillingCurrency      AS key,
      sum(CASE WHEN s.x_Correction IS NULL THEN c.RowCount ELSE 0 END) AS rows,
      ${sumMoneyOrNull("BilledCost", "c")}     AS billed,
      ${sumMoneyOrNull("EffectiveCost", "c")}  AS effective,
      ${sumMoneyOrNull("ListCost", "c")}       AS list,
      ${sumMoneyOrNull("ContractedCost", "c")} AS contracted
    FROM charge_month_current AS c
    JOIN series AS s ON s.SeriesId = c.SeriesId
    GROUP BY 1
    ORDER BY 1`);
  const word = (attos: bigint | null): string | null => (attos === null ? null : text(attos));
  return Object.fromEntries(
    rows.map(({ key, rows: count, billed, effective, list, contracted }) => [
      key,
      { rows: count, BilledCost: word(billed), EffectiveCost: word(effective), ListCost: word(list), ContractedCost: word(contracted) },
    ]),
  );
}

function expectNear(found: number, expected: number, what: string): void {
  expect(Math.abs(found - expected), `${what}: ${found} for ${expected}`).toBeLessThanOrEqual(Math.max(Math.abs(expected) * 0.005, 1));
}
