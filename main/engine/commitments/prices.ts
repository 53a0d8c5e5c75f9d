/** The dated prices of a pool, for one GPU, from the price book. */
import type { BookPrice, Payment } from "../../../shared/contract/offers.ts";
import type { PaymentKind, QuoteKind } from "../../../shared/contract/plan.ts";
import { decimal, divide, fromNumber, multiply, ONE, ratio, type Rational, whole, ZERO } from "../../../shared/domain/rational.ts";
import { HOURS_A_MONTH } from "../planning/plan-option.ts";
import type { PriceBook } from "../reference/price-book.ts";
import { providerOf } from "../reference/type-names.ts";
import type { PoolKey } from "./baseline.ts";

/** A price that holds, the part of one GPU of it. */
export interface KnownPrice {
  readonly kind: QuoteKind | "on-demand";
  readonly termMonths: number;
  readonly payment: PaymentKind | null;
  readonly isConvertible: boolean;
  readonly upfront: Rational;
  readonly hourly: Rational;
  readonly monthly: Rational;
  readonly priceDate: string;
  readonly source: string;
  /** The person's own price, not a list's or a sheet's. */
  readonly isOwn: boolean;
}

/** Prices of a pool's machine type and region; none where the machine or its count of GPUs is not known. */
export type PricesOfPool = (pool: PoolKey, gpusAMachine: number | null) => readonly KnownPrice[];

const modes: Readonly<Record<BookPrice["mode"], readonly [KnownPrice["kind"], number]>> = {
  "on-demand": ["on-demand", 0],
  spot: ["spot", 0],
  "commit-1y": ["commitment", 12],
  "commit-3y": ["commitment", 36],
  "savings-1y": ["savings-plan", 12],
  "savings-3y": ["savings-plan", 36],
  "subscription-1m": ["subscription", 1],
  "subscription-1y": ["subscription", 12],
};
const payments: Readonly<Record<Payment, PaymentKind>> = { none: "no-upfront", partial: "partial-upfront", all: "all-upfront" };

/** What the book says of whole machines, in the pool's currency; an old list never counts as a price of today. */
export function bookPrices(book: PriceBook): PricesOfPool {
  return ({ provider, instanceType, region, currency }, gpusAMachine) => {
    const id = providerOf(provider);
    if (id === null || instanceType === null || region === null || gpusAMachine === null || !(gpusAMachine > 0)) return [];
    const gpus = fromNumber(gpusAMachine);
    return book
      .find(id, instanceType, region)
      .filter((price) => price.scope === "machine" && !price.isSuperseded && price.currency === currency)
      .map((price) => {
        const [kind, termMonths] = modes[price.mode];
        // A discount takes the same part off what is due at once and by the hour.
        const left = ratio(decimal(price.effectivePerHour), decimal(price.statedPerHour)) ?? ONE;
        const aGpus = (amount: string): Rational => divide(multiply(decimal(amount), left), gpus);
        const isMonthly = kind === "subscription";
        return {
          kind, termMonths, payment: price.payment === null ? null : payments[price.payment], isConvertible: price.isConvertible, upfront: aGpus(price.upfront),
          hourly: isMonthly ? ZERO : aGpus(price.pricePerHour), monthly: isMonthly ? multiply(aGpus(price.pricePerHour), whole(HOURS_A_MONTH)) : ZERO, priceDate: price.priceDate, source: price.source, isOwn: price.origin === "own",
        };
      });
  };
}
