/** The dated prices of a pool, for one GPU. */
import type { PaymentKind, QuoteKind } from "../../../shared/contract/plan.ts";
import { compare, decimal, divide, rational, type Rational, ZERO } from "../../../shared/domain/rational.ts";
import type { ListPrice } from "../reference/load.ts";
import { providerOf } from "../reference/type-names.ts";
import type { PoolKey } from "./baseline.ts";

/** A price somebody states for a machine; amounts are exact. */
export interface KnownPrice {
  readonly kind: QuoteKind | "on-demand";
  readonly termMonths: number;
  readonly payment: PaymentKind | null;
  readonly isConvertible: boolean;
  readonly upfront: Rational;
  readonly hourly: Rational;
  readonly priceDate: string;
  readonly source: string;
}

/** Prices of a pool's machine type and region, a GPU's part each; none where the machine or its count of GPUs is not known. */
export type PricesOfPool = (pool: PoolKey, gpusAMachine: number | null) => readonly KnownPrice[];

const modes: Readonly<Partial<Record<string, Pick<KnownPrice, "kind" | "termMonths" | "payment">>>> = {
  "on-demand": { kind: "on-demand", termMonths: 0, payment: null },
  spot: { kind: "spot", termMonths: 0, payment: null },
  // The lists that come with the app state the hourly price of a commitment, paid as it runs.
  "commit-1y": { kind: "commitment", termMonths: 12, payment: "no-upfront" },
  "commit-3y": { kind: "commitment", termMonths: 36, payment: "no-upfront" },
};

/** From the lists that come with the app: those that hold, for whole machines, in the pool's currency. */
export function listedPrices(prices: readonly ListPrice[]): PricesOfPool {
  const byMachine = Map.groupBy(prices.filter(({ scope, status }) => scope === "machine" && status === "current"), ({ provider, instanceType, region }) => `${provider} ${instanceType.toLowerCase()} ${region.toLowerCase()}`);
  return ({ provider, instanceType, region, currency }, gpusAMachine) => {
    const id = providerOf(provider);
    if (id === null || instanceType === null || region === null || gpusAMachine === null || !(gpusAMachine > 0)) return [];
    return (byMachine.get(`${id} ${instanceType.toLowerCase()} ${region.toLowerCase()}`) ?? [])
      .filter((price) => price.currency === currency)
      .flatMap(({ mode, pricePerHour, priceDate, source }) => {
        const bought = modes[mode];
        return bought === undefined ? [] : [{ ...bought, isConvertible: false, upfront: ZERO, hourly: aGpus(decimal(pricePerHour), gpusAMachine), priceDate, source }];
      });
  };
}

/** A GPU's part of what a machine costs. */
export function aGpus(machine: Rational, gpusAMachine: number): Rational {
  const gpus = rational(BigInt(Math.round(gpusAMachine * 1e6)), 1_000_000n);
  return compare(gpus, ZERO) === 0 ? machine : divide(machine, gpus);
}
