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

/**
 * What money is shown in: null for the billed currency with most rows, a currency for what is billed in it, or all currencies converted into one,
 * written `~USD`. It travels as a text, so that whoever hands a currency on hands on whether it is converted.
 */
export type CurrencyChoice = string | null;

/** All of a period in one currency, by dated rates. */
export function converted(currency: string): string {
  return `~${currency}`;
}

/** The currency that a choice converts everything into; null for what is billed. */
export function convertedTo(choice: CurrencyChoice | undefined): string | null {
  return typeof choice === "string" && choice.startsWith("~") ? choice.slice(1) : null;
}

/** What a page in a currency asks on for: the same conversion where it is converted. */
export function askedAlike(choice: CurrencyChoice, currency: string | null): CurrencyChoice {
  return convertedTo(choice) === null ? currency : choice;
}

/** The choice where nothing is converted: the same, or the billed currency with most rows. */
export function billed(choice: CurrencyChoice): CurrencyChoice {
  return convertedTo(choice) === null ? choice : null;
}
