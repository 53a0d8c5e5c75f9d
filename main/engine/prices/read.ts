import { ledgerError } from "../../../shared/contract/errors.ts";
import { type PriceSheetFormat, priceSheetFormats } from "../../../shared/contract/offers.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { compareIds } from "../../../shared/domain/money.ts";
import type { Reference } from "../reference/catalog.ts";
import { looksLikeAwsOffer, readAwsOfferCsv, readAwsOfferJson } from "./aws-offer.ts";
import { looksLikeAzureRetail, readAzureRetailCsv, readAzureRetailJson } from "./azure-retail.ts";
import { looksLikeGcpPricing, readGcpPricingCsv, readGcpPricingJson } from "./gcp-pricing.ts";
import { looksLikeOwnSheet, readOwnSheet } from "./own-sheet.ts";
import { BadPrice, jsonOf, openSheet, type PriceSheet, sha256Of, type SheetFile, type SheetPrice } from "./sheet.ts";

/**
 * Reads a price sheet whole, or not at all. Only machines with accelerators are kept; the other rows are counted.
 *
 * errors  import.not-found, import.empty, import.not-text, import.unreadable, prices.unrecognized, prices.broken, prices.too-large,
 *         import.column-missing, import.value-invalid with line and column (a price below 0, no currency, a unit that is no hour), prices.no-accelerators
 */
export async function readPriceSheet(path: string, reference: Reference, today: string): Promise<Result<PriceSheet>> {
  const opened = openSheet(path);
  if (!opened.ok) return opened;
  const sheet = opened.value;
  const format = formatOf(sheet);
  if (format === null) return err(ledgerError("prices.unrecognized", { file: sheet.name, formats: priceSheetFormats.join(", ") }));
  try {
    const { prices: read, rowsRead, rowsSkipped } = await readers[format](sheet, reference, today);
    if (read.length === 0) return err(ledgerError("prices.no-accelerators", { file: sheet.name, rows: rowsRead }));
    const prices = lastOfEach(read);
    return ok({
      format,
      file: sheet.name,
      sha256: await sha256Of(path),
      priceDate: prices.map(({ priceDate }) => priceDate).sort(compareIds).at(-1) ?? today,
      rowsRead,
      rowsSkipped,
      prices,
    });
  } catch (trouble) {
    if (trouble instanceof BadPrice) return err(trouble.trouble);
    throw trouble;
  }
}

function formatOf(sheet: SheetFile): PriceSheetFormat | null {
  if (looksLikeAwsOffer(sheet)) return "aws-offer";
  if (looksLikeAzureRetail(sheet)) return "azure-retail";
  if (looksLikeGcpPricing(sheet)) return "gcp-pricing";
  return looksLikeOwnSheet(sheet) ? "own" : null;
}

type Reader = (sheet: SheetFile, reference: Reference, today: string) => Promise<{ readonly prices: readonly SheetPrice[]; readonly rowsRead: number; readonly rowsSkipped: number }>;
const readers: Readonly<Record<PriceSheetFormat, Reader>> = {
  "aws-offer": async (sheet, reference) => (sheet.isJson ? readAwsOfferJson(sheet, await jsonOf(sheet), reference) : readAwsOfferCsv(sheet, reference)),
  "azure-retail": async (sheet, reference) => (sheet.isJson ? readAzureRetailJson(sheet, await jsonOf(sheet), reference) : readAzureRetailCsv(sheet, reference)),
  "gcp-pricing": async (sheet, reference) => (sheet.isJson ? readGcpPricingJson(sheet, await jsonOf(sheet), reference) : readGcpPricingCsv(sheet, reference)),
  own: readOwnSheet,
};

/** A sheet that states a price twice means the later day, then the later row. */
function lastOfEach(prices: readonly SheetPrice[]): readonly SheetPrice[] {
  const byKey = new Map<string, SheetPrice>();
  for (const price of prices) {
    const key = [price.provider, price.instanceType.toLowerCase(), price.region, price.mode, price.payment, price.isConvertible, price.scope].join("\n");
    const known = byKey.get(key);
    if (known === undefined || known.priceDate <= price.priceDate) byKey.set(key, price);
  }
  return [...byKey.values()];
}
