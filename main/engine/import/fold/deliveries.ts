import type { DatasetKind, Series } from "../../../../shared/domain/charge.ts";
import type { GroupKey, Staging } from "../staging.ts";
import { isoOfSeconds } from "../utc-time.ts";
import type { Bill } from "./bill.ts";
import type { Entry } from "./entries.ts";
import { monthStart, nextMonth } from "./months.ts";
import type { Totals } from "./totals.ts";
import { addAll, addedTo, printed } from "./totals.ts";

const DAY_MS = 86_400_000;

/** What the file says of one provider, dataset kind, billing account and billing period. */
export interface Delivery {
  readonly deliveryId: number;
  readonly key: GroupKey;
  /** The same for all dataset kinds of a billing account and period: a file that has no row of a kind any more says so too. */
  readonly coverage: Coverage;
  readonly totals: Map<string, Totals>;
  readonly corrections: Map<string, Totals>;
  rowCount: number;
}

/** The accounts and UTC days that rows stand for. */
interface Coverage {
  readonly accounts: Set<number>;
  firstDay: number;
  lastDay: number;
}

export interface Deliveries {
  /** The delivery of a series: by its entry's billing period, or else by a month since year 0. */
  of(values: Series, entry: Entry, month: number, kind: DatasetKind): Delivery;
  /** Writes down totals and coverage of each, and answers what they add up to. */
  finish(): { readonly deliveryIds: readonly number[]; readonly periods: readonly string[]; readonly totals: ReturnType<typeof printed>; readonly corrections: ReturnType<typeof printed> };
}

export function createDeliveries({ format, facts }: Bill, staging: Staging): Deliveries {
  const deliveries = new Map<string, Delivery>();
  const coverages = new Map<string, Coverage>();
  const fileKinds: readonly DatasetKind[] = format.datasets?.kinds(facts) ?? [];

  function describe({ deliveryId, key, coverage, totals, rowCount }: Delivery): void {
    const isWhole = format.covers === "account-and-period";
    const periodFirst = Math.floor(Date.parse(key.BillingPeriodStart) / DAY_MS);
    const periodLast = Math.ceil(Date.parse(key.BillingPeriodEnd) / DAY_MS) - 1;
    staging.deliveryTotals(deliveryId, {
      firstDay: isWhole ? Math.min(coverage.firstDay, periodFirst) : coverage.firstDay,
      lastDay: isWhole ? Math.max(coverage.lastDay, periodLast) : coverage.lastDay,
      coversAllAccounts: isWhole,
      rowCount,
      totals: JSON.stringify(addedTo(staging.totalsSoFar(deliveryId), printed(totals))),
      accounts: isWhole ? [] : coverage.accounts,
    });
  }

  return {
    of(values, entry, month, kind) {
      const start = entry.periodStart ?? monthStart(month);
      const end = entry.periodEnd ?? nextMonth(start);
      const period = `${values.ProviderName ?? "\u0000"}\u0001${values.BillingAccountId ?? "\u0000"}\u0001${start}\u0001${end}`;
      let coverage = coverages.get(period);
      if (coverage === undefined) coverages.set(period, (coverage = { accounts: new Set(), firstDay: Infinity, lastDay: -Infinity }));
      for (const each of new Set([kind, ...fileKinds])) {
        const name = `${period}\u0001${each}`;
        if (deliveries.has(name)) continue;
        const key: GroupKey = {
          ProviderName: values.ProviderName,
          DatasetKind: each,
          BillingAccountId: values.BillingAccountId,
          BillingPeriodStart: isoOfSeconds(start),
          BillingPeriodEnd: isoOfSeconds(end),
        };
        deliveries.set(name, { deliveryId: staging.delivery(key), key, coverage, totals: new Map(), corrections: new Map(), rowCount: 0 });
      }
      return deliveries.get(`${period}\u0001${kind}`) as Delivery;
    },
    finish() {
      const totals = new Map<string, Totals>();
      const corrections = new Map<string, Totals>();
      for (const delivery of deliveries.values()) {
        addAll(totals, delivery.totals);
        addAll(corrections, delivery.corrections);
        describe(delivery);
      }
      const all = [...deliveries.values()];
      return {
        deliveryIds: [...new Set(all.map(({ deliveryId }) => deliveryId))].sort((a, b) => a - b),
        periods: [...new Set(all.map(({ key }) => key.BillingPeriodStart.slice(0, 7)))].sort(),
        totals: printed(totals),
        corrections: printed(corrections),
      };
    },
  };
}
