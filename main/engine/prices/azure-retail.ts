/** Azure retail prices: pages of the prices API as JSON (one or several), or the same columns as CSV. Virtual machines with Linux. */
import type { PriceMode } from "../../../shared/contract/offers.ts";
import type { Reference } from "../reference/catalog.ts";
import { machineOf } from "./machines.ts";
import { currencyText, dayText, fieldsOf, isNothing, listOf, priceText, recordsOf, refuse, textIn, type SheetFile, type SheetPrice } from "./sheet.ts";

export function looksLikeAzureRetail({ start }: SheetFile): boolean {
  return /"?armSkuName"?/i.test(start) && /"?(retailPrice|unitPrice)"?/i.test(start);
}

export async function readAzureRetailCsv(sheet: SheetFile, reference: Reference): Promise<{ readonly prices: SheetPrice[]; readonly rowsRead: number; readonly rowsSkipped: number }> {
  const prices: SheetPrice[] = [];
  let header: ReadonlyMap<string, number> | null = null;
  let rowsRead = 0;
  let rowsSkipped = 0;
  for await (const { cells, line } of recordsOf(sheet)) {
    if (header === null) {
      header = new Map(cells.map((name, index) => [name.toLowerCase(), index]));
      continue;
    }
    rowsRead += 1;
    const at = header;
    const row = (name: string): string => cells[at.get(name.toLowerCase()) ?? -1] ?? "";
    const found = pricesOf(sheet.name, line, row, [], reference);
    if (found.length === 0) rowsSkipped += 1;
    prices.push(...found);
  }
  return { prices, rowsRead, rowsSkipped };
}

export function readAzureRetailJson(sheet: SheetFile, root: unknown, reference: Reference): { readonly prices: SheetPrice[]; readonly rowsRead: number; readonly rowsSkipped: number } {
  const pages = Array.isArray(root) ? (root as unknown[]) : [root];
  const prices: SheetPrice[] = [];
  let rowsRead = 0;
  let rowsSkipped = 0;
  for (const page of pages) {
    const items = listOf(fieldsOf(page)["Items"] ?? fieldsOf(page)["items"]);
    for (const item of (items.length === 0 ? [page] : items).map(fieldsOf)) {
      rowsRead += 1;
      const found = pricesOf(sheet.name, 0, (name) => textIn(item, name), listOf(item["savingsPlan"]), reference);
      if (found.length === 0) rowsSkipped += 1;
      prices.push(...found);
    }
  }
  return { prices, rowsRead, rowsSkipped };
}

function pricesOf(file: string, line: number, cell: (name: string) => string, savingsPlans: readonly unknown[], reference: Reference): SheetPrice[] {
  const instanceType = cell("armSkuName");
  const type = cell("type") || cell("priceType");
  const sku = cell("skuName");
  if (instanceType === "" || /dev ?test/i.test(type) || /windows/i.test(cell("productName")) || /low priority/i.test(`${sku} ${cell("meterName")}`)) return [];
  if (cell("serviceName") !== "" && cell("serviceName") !== "Virtual Machines") return [];
  const machine = machineOf(reference, "azure", instanceType, "");
  if (machine === null) return [];
  const region = cell("armRegionName");
  if (region === "") refuse(file, line, "armRegionName", "", "required");
  const unit = cell("unitOfMeasure");
  if (!/^1 hours?$/i.test(unit)) refuse(file, line, "unitOfMeasure", unit, "price-hour");
  const amount = priceText(file, line, "retailPrice", cell("unitPrice") || cell("retailPrice"));
  const term = cell("reservationTerm");
  const isReservation = /reservation/i.test(type) || term !== "";
  const common = {
    line, provider: "azure", instanceType, region, isConvertible: false, currency: currencyText(file, line, "currencyCode", cell("currencyCode")),
    acceleratorId: machine.acceleratorId, acceleratorCount: machine.count, scope: "machine", priceDate: dayText(file, line, "effectiveStartDate", cell("effectiveStartDate")),
  } as const;
  if (isReservation) {
    // Its price is for the whole term, whatever its unit says.
    const mode = yearsOf(term, { 1: "commit-1y", 3: "commit-3y" });
    if (mode === null) refuse(file, line, "reservationTerm", term, "purchase-mode");
    return isNothing(amount) ? [] : [{ ...common, mode, payment: "all", pricePerHour: "0", upfront: amount }];
  }
  if (isNothing(amount)) return [];
  const prices: SheetPrice[] = [{ ...common, mode: /spot/i.test(`${sku} ${cell("meterName")}`) ? "spot" : "on-demand", payment: null, pricePerHour: amount, upfront: "0" }];
  for (const plan of savingsPlans.map(fieldsOf)) {
    const mode = yearsOf(textIn(plan, "term"), { 1: "savings-1y", 3: "savings-3y" });
    if (mode !== null) prices.push({ ...common, mode, payment: "none", pricePerHour: priceText(file, line, "savingsPlan", textIn(plan, "unitPrice") || textIn(plan, "retailPrice")), upfront: "0" });
  }
  return prices;
}

function yearsOf(term: string, modes: Readonly<Record<1 | 3, PriceMode>>): PriceMode | null {
  return /^1 year/i.test(term) ? modes[1] : /^3 years?/i.test(term) ? modes[3] : null;
}
