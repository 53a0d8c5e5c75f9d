/**
 * Which price holds. From the weakest: the lists that come with the app, imported sheets, a negotiated discount on either, the person's own
 * price. What nobody states is unknown (no entry), never 0. Pure: the day is passed in.
 */
import { type BookPrice, type Discount, EVERY_REGION, type StatedPrice, termHours } from "../../../shared/contract/offers.ts";
import { add, compare, decimal, divide, multiply, type Rational, subtract, toDecimal, whole } from "../../../shared/domain/rational.ts";
import { compareIds } from "../../../shared/domain/money.ts";

export interface PriceBook {
  /** The day the prices hold for. */
  readonly on: string;
  /** Prices that hold, in order of provider, machine type, region, mode and payment. */
  readonly prices: readonly BookPrice[];
  /** All that hold for a machine type in a region; where the region has none of its own, those of every region. */
  find(provider: string, instanceType: string, region: string): readonly BookPrice[];
}

/**
 * The prices that hold on a day.
 *
 * weight    list < sheet < own; within the same: one that is not superseded, then the newest price date, then the newest sheet
 * discount  the largest that fits, off what a list or sheet states; never off an own price
 * hourly    price per hour + upfront ÷ hours of the term
 */
export function priceBook(stated: readonly StatedPrice[], discounts: readonly Discount[], on: string): PriceBook {
  const byKey = Map.groupBy(stated, keyOf);
  const prices = [...byKey.values()].map((rivals) => {
    const [winner, ...beaten] = rivals.toSorted(strongestFirst);
    if (winner === undefined) throw new RangeError("a group without a price");
    return bookPrice(winner, beaten, discounts, on);
  });
  prices.sort((a, b) => compareIds(keyOf(a), keyOf(b)));
  const byMachine = Map.groupBy(prices, ({ provider, instanceType, region }) => machineKey(provider, instanceType, region));
  return {
    on,
    prices,
    find(provider, instanceType, region) {
      const own = byMachine.get(machineKey(provider, instanceType, region)) ?? [];
      const everywhere = byMachine.get(machineKey(provider, instanceType, EVERY_REGION)) ?? [];
      return [...own, ...everywhere.filter((price) => !own.some((other) => other.mode === price.mode && other.payment === price.payment))];
    },
  };
}

/** An hour of the machine over the whole term, before any discount: exact. */
export function hourlyOf({ pricePerHour, upfront, mode }: Pick<StatedPrice, "pricePerHour" | "upfront" | "mode">): Rational {
  const hours = termHours[mode];
  const recurring = decimal(pricePerHour);
  return hours === null ? recurring : add(recurring, divide(decimal(upfront), whole(hours)));
}

function bookPrice(winner: StatedPrice, beaten: readonly StatedPrice[], discounts: readonly Discount[], on: string): BookPrice {
  const before = hourlyOf(winner);
  const discount = winner.origin === "own" ? null : largest(discounts.filter((candidate) => fits(candidate, winner, on)));
  const effective = discount === null ? before : multiply(before, subtract(whole(1), divide(decimal(discount.percent), whole(100))));
  return {
    ...winner,
    statedPerHour: toDecimal(before),
    effectivePerHour: toDecimal(effective),
    discount: discount === null ? null : { id: discount.id, name: discount.name, percent: discount.percent, untilDay: discount.untilDay },
    ageDays: Math.max(0, Math.round((Date.parse(`${on}T00:00:00Z`) - Date.parse(`${winner.priceDate}T00:00:00Z`)) / 86_400_000)),
    beaten: beaten.map(({ origin, source, priceDate, pricePerHour, upfront, currency }) => ({ origin, source, priceDate, pricePerHour, upfront, currency })),
  };
}

function fits(discount: Discount, price: StatedPrice, on: string): boolean {
  return (
    same(discount.provider, price.provider) &&
    (discount.instanceType === null || price.instanceType.toLowerCase().startsWith(discount.instanceType.toLowerCase())) &&
    (discount.region === null || discount.region === EVERY_REGION || same(discount.region, price.region)) &&
    (discount.mode === null || discount.mode === price.mode) &&
    discount.fromDay <= on &&
    (discount.untilDay === null || on <= discount.untilDay)
  );
}

function largest(discounts: readonly Discount[]): Discount | null {
  return discounts.toSorted((a, b) => compare(decimal(b.percent), decimal(a.percent)) || a.id - b.id)[0] ?? null;
}

const strength = { list: 0, sheet: 1, own: 2 } as const;

function strongestFirst(a: StatedPrice, b: StatedPrice): number {
  return (
    strength[b.origin] - strength[a.origin] ||
    Number(a.isSuperseded) - Number(b.isSuperseded) ||
    compareIds(b.priceDate, a.priceDate) ||
    (b.id ?? 0) - (a.id ?? 0) ||
    compareIds(a.pricePerHour, b.pricePerHour)
  );
}

/** What a price is for. Its currency is not part of it: a sheet in another currency replaces the list. */
function keyOf({ provider, instanceType, region, mode, payment, isConvertible, scope }: StatedPrice): string {
  return `${machineKey(provider, instanceType, region)}\n${mode}\n${payment ?? ""}\n${isConvertible ? "convertible" : ""}\n${scope}`;
}

function machineKey(provider: string, instanceType: string, region: string): string {
  return `${provider.toLowerCase()}\n${instanceType.toLowerCase().replace(/^standard_/, "")}\n${region.toLowerCase()}`;
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
