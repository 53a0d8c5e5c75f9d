/**
 * Google's older commitments (resource-based, and flexible of v1): the fee stands on rows of its own, and what it covers is cancelled by credits.
 * Once a whole delivery is read its effective costs are put right, day by day: a covered row costs what is left of it after the credit and its part
 * of the fees, and a fee keeps what nobody used. Billed is never touched, and the sum of effective stays that of billed.
 *
 * which fee     of the same kind of resource (a GPU model, processors or memory of a machine family, local disks) and region; a fee that states no
 *               kind (dollar based), or whose kind no row of the delivery has, covers what no other fee does
 * how much      of resource-based fees the share of the committed quantity that credits cancelled: Σ quantity × credit ÷ cost over the quantity of the
 *               fee, at most all of it. All of it where a quantity is not stated
 * to whom       in proportion to the credits of the day (opencost PR 2296), exactly, by largest remainder
 */
import { splitExactly } from "../allocation/split.ts";
import { rational, type Rational } from "../../../shared/domain/rational.ts";
import type { MoneyTotals } from "../../../shared/contract/methods.ts";
import { decodeGpuChargeHours, encodeGpuChargeHours } from "../store/gpu-charge-hours.ts";
import { money, prepared, query, readAll, readOne, splitAttos, type Db } from "../store/sql.ts";
import { writeInChunks, type JobControl } from "./control.ts";

const HOURS_A_DAY = 24;
const NANO = 1_000_000_000n;

interface Cell {
  readonly deliveryId: number;
  readonly day: number;
  readonly seriesId: number;
  readonly currency: string;
  readonly category: string;
  readonly description: string | null;
  readonly region: string | null;
  readonly unit: string | null;
  readonly billed: bigint | null;
  readonly effective: bigint | null;
  readonly quantity: number | null;
}

/** The fees of a pool and what they cover on a day. */
interface Pool {
  readonly fees: Cell[];
  readonly covered: Cell[];
  readonly isCounted: boolean;
}

/** Puts the effective costs of a staged batch right. For a batch of another format there is nothing to do. Once a batch. */
export function spreadCommitmentFees(db: Db, batchId: number, control: JobControl): void {
  const batch = readOne(db, query<{ FormatId: string }>("FormatId")`-- fees.format-of-batch
    SELECT FormatId FROM batch WHERE BatchId = ${batchId}`);
  if (batch?.FormatId !== "gcp") return;
  const cells = readAll(db, query<Cell>("deliveryId", "day", "seriesId", "currency", "category", "description", "region", "unit", "billed", "effective", "quantity")`-- fees.cells
    SELECT
      c.DeliveryId AS deliveryId, c.Day AS day, c.SeriesId AS seriesId, s.BillingCurrency AS currency, s.ChargeCategory AS category, s.ChargeDescription AS description,
      s.RegionId AS region, s.PricingUnit AS unit, ${money("BilledCost", "c")} AS billed, ${money("EffectiveCost", "c")} AS effective, c.PricingQuantity AS quantity
    FROM delivery d
    CROSS JOIN charge_day c ON c.DeliveryId = d.DeliveryId
    CROSS JOIN series s ON s.SeriesId = c.SeriesId
    WHERE d.BatchId = ${batchId}
      AND (s.ChargeCategory = 'Purchase' OR (s.ChargeCategory = 'Usage' AND (c.BilledCostNanos <> c.EffectiveCostNanos OR c.BilledCostRest <> c.EffectiveCostRest)))
    ORDER BY c.DeliveryId, c.Day, c.SeriesId`);
  const kinds = new Set(cells.filter((cell) => creditOf(cell) > 0n).map((cell) => kindOf(cell.description)));
  const becomes = new Map<Cell, bigint>();
  for (const ofDay of Map.groupBy(cells, ({ deliveryId, day, currency }) => `${deliveryId} ${day} ${currency}`).values()) {
    for (const cell of ofDay) if (cell.category === "Usage") becomes.set(cell, cell.billed ?? 0n);
    for (const pool of poolsOf(ofDay, kinds)) share(pool, becomes);
  }
  const changed = [...becomes].filter(([cell, effective]) => cell.effective !== effective);
  const put = prepared(db, "UPDATE charge_day SET EffectiveCostNanos = ?, EffectiveCostRest = ? WHERE DeliveryId = ? AND Day = ? AND SeriesId = ?");
  writeInChunks(db, control, changed, ([{ deliveryId, day, seriesId }, effective]) => {
    const { nanos, rest } = splitAttos(effective);
    put.run(nanos, rest, deliveryId, day, seriesId);
  });
  moveHours(db, changed, control);
  tieTotals(db, batchId);
}

/** Per file: what effective adds to once its commitments are spread is what is billed. */
export function spreadTotals(totals: Readonly<Record<string, MoneyTotals>>): Record<string, MoneyTotals> {
  return Object.fromEntries(Object.entries(totals).map(([currency, each]) => [currency, { ...each, EffectiveCost: each.BilledCost }]));
}

/** What commitments' credits took off a row's cost; 0 for a fee, and where a credit was taken back. */
function creditOf({ category, billed, effective }: Cell): bigint {
  return category !== "Usage" || billed === null || effective === null || effective <= billed ? 0n : effective - billed;
}

function poolsOf(cells: readonly Cell[], kinds: ReadonlySet<string | null>): Pool[] {
  const pools = new Map<string, Pool>();
  const open: Cell[] = [];
  for (const fee of cells) {
    if (fee.category !== "Purchase" || (fee.effective ?? 0n) <= 0n) continue;
    const kind = kindOf(fee.description);
    if (kind === null || !kinds.has(kind)) {
      open.push(fee);
      continue;
    }
    const key = `${kind}\n${fee.region ?? ""}`;
    const pool = pools.get(key) ?? { fees: [], covered: [], isCounted: true };
    pool.fees.push(fee);
    pools.set(key, pool);
  }
  const rest: Cell[] = [];
  for (const cell of cells) {
    if (creditOf(cell) === 0n) continue;
    const kind = kindOf(cell.description);
    const pool = pools.get(`${kind ?? ""}\n${cell.region ?? ""}`) ?? pools.get(`${kind ?? ""}\n`);
    (pool === undefined ? rest : pool.covered).push(cell);
  }
  return [...pools.values(), { fees: open, covered: rest, isCounted: false }];
}

/** Moves what is used of the pool's fees onto what they cover. */
function share({ fees, covered, isCounted }: Pool, becomes: Map<Cell, bigint>): void {
  if (fees.length === 0 || covered.length === 0) return;
  const paid = fees.reduce((sum, { effective }) => sum + (effective ?? 0n), 0n);
  const used = isCounted ? (paid * usedBillionths(fees, covered)) / NANO : paid;
  const targets = (of: readonly Cell[], weight: (cell: Cell) => bigint): { readonly id: string; readonly weight: Rational }[] => of.map((cell, index) => ({ id: String(index).padStart(9, "0"), weight: rational(weight(cell), 1n) }));
  splitExactly(used, targets(covered, creditOf)).parts.forEach(({ amount }, index) => {
    const cell = covered[index] as Cell;
    becomes.set(cell, (becomes.get(cell) ?? 0n) + amount);
  });
  splitExactly(used, targets(fees, ({ effective }) => effective ?? 0n)).parts.forEach(({ amount }, index) => {
    const fee = fees[index] as Cell;
    becomes.set(fee, (fee.effective ?? 0n) - amount);
  });
}

/** The share of the committed quantity that credits cancelled, in whole 1e-9: quantities are REAL. */
function usedBillionths(fees: readonly Cell[], covered: readonly Cell[]): bigint {
  const committed = fees.reduce((sum, { quantity }) => sum + (quantity ?? Number.NaN), 0);
  const units = new Set([...fees, ...covered].map(({ unit }) => unit?.toLowerCase() ?? null));
  const cancelled = covered.reduce((sum, cell) => sum + (cell.quantity ?? Number.NaN) * Math.min(1, Number(creditOf(cell)) / Number(cell.effective ?? 1n)), 0);
  if (units.size !== 1 || !(committed > 0) || Number.isNaN(cancelled)) return NANO;
  return BigInt(Math.round(Math.min(1, cancelled / committed) * 1e9));
}

const gpuModels = /\b(gb200|b200|h200|h100 80gb (?:mega|plus)|h100|a100 80gb|a100|l40s|l4|t4|v100|p100|p4|k80|rtx(?: pro)? 6000)\b/;

/** What kind of resource a fee or a row of usage is of; null for one that states none. */
function kindOf(description: string | null): string | null {
  const text = (description ?? "").toLowerCase();
  if (/dollar based/.test(text)) return null;
  const gpu = gpuModels.exec(text)?.[1] ?? null;
  if (gpu !== null) return `gpu ${gpu}`;
  const family = /\b([acegmnhtz]\d\w{0,2})\b/.exec(text)?.[1] ?? "";
  if (/\b(?:v?cpus?|cores?)\b/.test(text)) return `processor ${family}`;
  if (/\b(?:ram|memory)\b/.test(text)) return `memory ${family}`;
  return /\bssd\b|local storage/.test(text) ? "local disk" : null;
}

/** The hours of GPU rows carry what their days now cost: each hour its part by what it cost before, else by its GPU-hours. */
function moveHours(db: Db, changed: readonly (readonly [Cell, bigint])[], control: JobControl): void {
  const find = prepared(db, "SELECT Month, Hours FROM gpu_charge_hours WHERE DeliveryId = ? AND SeriesId = ? AND Month = ?");
  const put = prepared(db, "UPDATE gpu_charge_hours SET Hours = ? WHERE DeliveryId = ? AND SeriesId = ? AND Month = ?");
  writeInChunks(db, control, changed.filter(([{ category }]) => category === "Usage"), ([{ deliveryId, day, seriesId, effective }, becomes]) => {
    const at = new Date(day * 86_400_000);
    const month = at.toISOString().slice(0, 7);
    const found = find.get(deliveryId, seriesId, month) as { readonly Hours: Uint8Array } | undefined;
    if (found === undefined) return;
    const first = (at.getUTCDate() - 1) * HOURS_A_DAY;
    const hours = decodeGpuChargeHours(found.Hours);
    const ofDay = hours.filter(({ hour, effectiveAttos }) => hour >= first && hour < first + HOURS_A_DAY && effectiveAttos !== null);
    const sign = (effective ?? 0n) < 0n ? -1n : 1n;
    const weight = (hour: (typeof ofDay)[number]): bigint => (effective === 0n ? BigInt(Math.round(hour.gpuHours * 1e9)) : sign * (hour.effectiveAttos ?? 0n));
    const { parts } = splitExactly(becomes, ofDay.map((hour) => ({ id: String(hour.hour).padStart(4, "0"), weight: rational(weight(hour), 1n) })));
    const costs = new Map(ofDay.map(({ hour }, index) => [hour, parts[index]?.amount ?? 0n]));
    put.run(Buffer.from(encodeGpuChargeHours(hours.map((hour) => (costs.has(hour.hour) ? { ...hour, effectiveAttos: costs.get(hour.hour) ?? null } : hour)))), deliveryId, seriesId, month);
  });
}

function tieTotals(db: Db, batchId: number): void {
  const put = prepared(db, "UPDATE delivery SET Totals = ? WHERE DeliveryId = ?");
  for (const { DeliveryId, Totals } of readAll(db, query<{ DeliveryId: number; Totals: string }>("DeliveryId", "Totals")`-- fees.totals
    SELECT DeliveryId, Totals FROM delivery WHERE BatchId = ${batchId} ORDER BY DeliveryId`)) {
    put.run(JSON.stringify(spreadTotals(JSON.parse(Totals) as Record<string, MoneyTotals>)), DeliveryId);
  }
}
