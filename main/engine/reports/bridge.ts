import { divideHalfEven } from "../../../shared/domain/rational.ts";
import type { ChargeRow } from "../metrics/charges.ts";

/**
 * Why spend changed from one period to the next. Parts are attos and add up to the change exactly.
 *
 * A line is what one team bought of one GPU model, one way (on demand, spot, …) from one provider: cost c and GPU-hours q, 0 before, 1 now.
 * Lines that both periods have:
 *   price    Σ c1 − c0·q1/q0            what the same hours cost more or less per hour
 *   volume   C0·Q1/Q0 − C0              more or fewer hours in all, at last period's average price of these lines
 *   mix      Σ (c0·q1/q0 − c0) − volume a shift between dearer and cheaper lines
 * Quotients round half-even to the atto once a line (once in all for volume); price and mix are differences to them, so nothing is lost.
 * Lines that one period has: new, gone. GPU lines whose hours are not told in both: `gpuWithoutHours`.
 * Everything that bought no GPU time: unused commitments, commitment purchases, other services, tax, credits, each by its difference.
 */
export interface Bridge {
  readonly before: bigint;
  readonly now: bigint;
  readonly price: bigint;
  readonly volume: bigint;
  readonly mix: bigint;
  readonly added: bigint;
  readonly gone: bigint;
  readonly gpuWithoutHours: bigint;
  readonly unusedCommitments: bigint;
  readonly purchases: bigint;
  readonly otherServices: bigint;
  readonly tax: bigint;
  readonly credits: bigint;
  /** GPU-hours now − before of the lines both have; null when there is none. */
  readonly gpuHoursChange: number | null;
}

export function bridge(before: readonly ChargeRow[], now: readonly ChargeRow[]): Bridge {
  const lines = new Map<string, { before: Line; now: Line }>();
  for (const [rows, side] of [[before, "before"], [now, "now"]] as const) {
    for (const row of rows) {
      if (row.chargeClass !== "gpu") continue;
      const key = JSON.stringify([row.team, row.gpuModel, row.purchaseOption, row.provider]);
      const line = lines.get(key) ?? { before: emptyLine, now: emptyLine };
      lines.set(key, { ...line, [side]: plus(line[side], row) });
    }
  }
  let [price, quantity, added, gone, gpuWithoutHours] = [0n, 0n, 0n, 0n, 0n];
  let [cost0, hours0, hours1] = [0n, 0n, 0n];
  let hasBoth = false;
  for (const line of lines.values()) {
    const [from, to] = [line.before, line.now];
    if (from.rows === 0) added += to.attos;
    else if (to.rows === 0) gone -= from.attos;
    else if (from.billionths === null || to.billionths === null || from.billionths === 0n) gpuWithoutHours += to.attos - from.attos;
    else {
      const atOldPrice = divideHalfEven(from.attos * to.billionths, from.billionths);
      price += to.attos - atOldPrice;
      quantity += atOldPrice - from.attos;
      cost0 += from.attos;
      hours0 += from.billionths;
      hours1 += to.billionths;
      hasBoth = true;
    }
  }
  const volume = hours0 === 0n ? 0n : divideHalfEven(cost0 * hours1, hours0) - cost0;
  const difference = (chargeClass: ChargeRow["chargeClass"]): bigint => costOf(now, chargeClass) - costOf(before, chargeClass);
  return {
    before: total(before),
    now: total(now),
    price,
    volume,
    mix: quantity - volume,
    added,
    gone,
    gpuWithoutHours,
    unusedCommitments: difference("unused-commitment"),
    purchases: difference("purchase"),
    otherServices: difference("other"),
    tax: difference("tax"),
    credits: difference("credit"),
    gpuHoursChange: hasBoth ? Number(hours1 - hours0) / 1e9 : null,
  };
}

/** Cost, and GPU-hours in billionths; hours are null as soon as a part of the line does not tell them. */
interface Line {
  readonly rows: number;
  readonly attos: bigint;
  readonly billionths: bigint | null;
}
const emptyLine: Line = { rows: 0, attos: 0n, billionths: 0n };

function plus(line: Line, row: ChargeRow): Line {
  const isTold = row.gpuHours !== null && row.rowsWithHours === row.rowCount && line.billionths !== null;
  return {
    rows: line.rows + row.rowCount,
    attos: row.costAttos === null ? line.attos : line.attos + row.costAttos,
    billionths: isTold && row.gpuHours !== null && line.billionths !== null ? line.billionths + BigInt(Math.round(row.gpuHours * 1e9)) : null,
  };
}

function costOf(rows: readonly ChargeRow[], chargeClass: ChargeRow["chargeClass"]): bigint {
  return total(rows.filter((row) => row.chargeClass === chargeClass));
}

function total(rows: readonly ChargeRow[]): bigint {
  return rows.reduce((attos, row) => (row.costAttos === null ? attos : attos + row.costAttos), 0n);
}
