import type { Bill } from "./bill.ts";
import type { Entry } from "./entries.ts";

/** How many rows were mended, by the name of the repair. */
export interface Repairs {
  count(name: string, rows: number): void;
  /** A row whose times state no zone. */
  countZoneless(): void;
  /** Rows of an entry: its repairs are theirs. */
  countEntry(entry: Entry, rows: number): void;
  /** By name, in the order of names; those of no row are left out. */
  all(): Readonly<Record<string, number>>;
}

export function createRepairs({ format }: Bill): Repairs {
  const counts = new Map<string, number>();
  const zoneRepair = format.zone === undefined ? "zone-assumed-utc" : format.zone.repair;
  let zoneless = 0;

  function count(name: string, rows: number): void {
    counts.set(name, (counts.get(name) ?? 0) + rows);
  }

  return {
    count,
    countZoneless() {
      zoneless += 1;
    },
    countEntry({ repairs, periodStart }, rows) {
      for (const name of repairs) count(name, rows);
      if (periodStart === null) count("billing-period-assumed", rows);
    },
    all() {
      const sums = new Map(counts);
      if (zoneRepair !== null) sums.set(zoneRepair, (sums.get(zoneRepair) ?? 0) + zoneless);
      return Object.fromEntries([...sums].filter(([, rows]) => rows > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}
