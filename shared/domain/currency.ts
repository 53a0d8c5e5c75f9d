const known = new Map<string, number>();

/** Digits after the point of a currency: ISO 4217 as Intl knows them (JPY 0, USD 2, KWD 3); 2 for virtual currencies, which have no code. */
export function minorDigits(currency: string): number {
  let digits = known.get(currency);
  if (digits === undefined) {
    digits = /^[A-Z]{3}$/.test(currency) ? (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2) : 2;
    known.set(currency, digits);
  }
  return digits;
}
