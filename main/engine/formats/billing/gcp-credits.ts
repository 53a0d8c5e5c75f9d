import type { Literal } from "./literals.ts";
import { isLiteralObject, literalText, parseLiteral } from "./literals.ts";

/** What a customer has agreed on or is given by rule, as against commitments and gifts (credits[].type of the export's schema). */
const negotiated = new Set(["SUSTAINED_USAGE_DISCOUNT", "DISCOUNT", "SUBSCRIPTION_BENEFIT", "RESELLER_MARGIN"]);

/** Credits that the older commitments give, resource-based and flexible: they cancel the on-demand price of what a fee elsewhere pays for. */
const ofCommitments = new Set(["COMMITTED_USAGE_DISCOUNT", "COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE"]);

/** The amount of every credit of a cell, JSON or as Python prints it; null where it is no list of credits. */
export function creditAmounts(text: string): readonly string[] | null {
  return amountsOf(text, () => true);
}

export function negotiatedCredits(text: string): readonly string[] | null {
  return amountsOf(text, (type) => negotiated.has(type));
}

/** All but what commitments give. */
export function creditsBesideCommitments(text: string): readonly string[] | null {
  return amountsOf(text, (type) => !ofCommitments.has(type));
}

function amountsOf(text: string, counts: (type: string) => boolean): readonly string[] | null {
  const parsed = parseLiteral(text.trim());
  if (parsed === null) return [];
  const credits: readonly Literal[] | null = Array.isArray(parsed) ? (parsed as readonly Literal[]) : isLiteralObject(parsed) ? [parsed] : null;
  if (credits === null) return null;
  const amounts: string[] = [];
  for (const credit of credits) {
    if (!isLiteralObject(credit)) return null;
    const amount = literalText(credit.get("amount"));
    if (amount === null) return null;
    if (counts(literalText(credit.get("type"))?.toUpperCase() ?? "")) amounts.push(amount);
  }
  return amounts;
}
