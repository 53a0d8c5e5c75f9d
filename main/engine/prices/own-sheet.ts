/**
 * A price sheet of one's own: `provider,instance_type,region,mode,currency,price_per_hour` and, where they are known, `upfront`, `payment`,
 * `accelerator`, `accelerator_count`, `scope`, `price_date`. An empty region stands for every one.
 */
import { EVERY_REGION, type Payment, payments, priceModes } from "../../../shared/contract/offers.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { findAlias } from "../reference/alias.ts";
import type { Reference } from "../reference/catalog.ts";
import { providerOf } from "../reference/type-names.ts";
import { machineOf } from "./machines.ts";
import { BadPrice, currencyText, dayText, priceText, recordsOf, refuse, type SheetFile, type SheetPrice } from "./sheet.ts";

const required = ["provider", "instance_type", "mode", "currency", "price_per_hour"] as const;

export function looksLikeOwnSheet({ start, isJson }: SheetFile): boolean {
  return !isJson && /instance_?type/i.test(start.split("\n", 1)[0] ?? "") && /price/i.test(start.split("\n", 1)[0] ?? "");
}

export async function readOwnSheet(sheet: SheetFile, reference: Reference, today: string): Promise<{ readonly prices: SheetPrice[]; readonly rowsRead: number; readonly rowsSkipped: number }> {
  const prices: SheetPrice[] = [];
  const file = sheet.name;
  let header: ReadonlyMap<string, number> | null = null;
  let rowsRead = 0;
  for await (const { cells, line } of recordsOf(sheet)) {
    if (header === null) {
      const names = new Map(cells.map((name, index) => [name.trim().toLowerCase().replace(/[\s-]+/g, "_"), index]));
      const missing = required.filter((name) => !names.has(name));
      if (missing.length > 0) throw new BadPrice(ledgerError("import.column-missing", { file, format: "price sheet", columns: missing.join(", ") }));
      header = names;
      continue;
    }
    rowsRead += 1;
    const at = header;
    const cell = (name: string): string => (cells[at.get(name) ?? -1] ?? "").trim();
    const needed = (name: string): string => cell(name) || refuse(file, line, name, "", "required");
    const provider = providerOf(needed("provider")) ?? needed("provider").toLowerCase();
    const instanceType = needed("instance_type");
    const mode = priceModes.find((known) => known === cell("mode").toLowerCase()) ?? refuse(file, line, "mode", cell("mode"), "purchase-mode");
    const unit = cell("unit");
    if (unit !== "" && !/^(1 ?)?(h|hrs?|hours?|小时)$/i.test(unit)) refuse(file, line, "unit", unit, "price-hour");
    const known = providerOf(provider);
    const machine = known === null ? null : machineOf(reference, known, instanceType, "");
    const named = cell("accelerator");
    const part = named === "" ? null : acceleratorOf(reference, named);
    if (named !== "" && part === null) refuse(file, line, "accelerator", named, "accelerator");
    const count = cell("accelerator_count");
    if (count !== "" && !(Number(count) > 0)) refuse(file, line, "accelerator_count", count, "decimal");
    const stated = cell("payment").toLowerCase();
    const payment = stated === "" ? null : (payments.find((each) => each === stated) ?? refuse(file, line, "payment", stated, "purchase-mode"));
    prices.push({
      line, provider, instanceType, region: cell("region") || EVERY_REGION, mode,
      payment: mode === "on-demand" || mode === "spot" ? null : (payment satisfies Payment | null),
      isConvertible: /^(yes|true|1)$/i.test(cell("convertible")),
      currency: currencyText(file, line, "currency", needed("currency")),
      pricePerHour: priceText(file, line, "price_per_hour", needed("price_per_hour")),
      upfront: cell("upfront") === "" ? "0" : priceText(file, line, "upfront", cell("upfront")),
      acceleratorId: part ?? machine?.acceleratorId ?? null,
      acceleratorCount: count === "" ? (machine?.count ?? null) : Number(count),
      scope: /^(accelerator|gpu|chip)$/i.test(cell("scope")) ? "accelerator" : "machine",
      priceDate: cell("price_date") === "" ? today : dayText(file, line, "price_date", cell("price_date")),
    });
  }
  return { prices, rowsRead, rowsSkipped: 0 };
}

/** A part by its id or label, or by a name that means one part alone. */
export function acceleratorOf(reference: Reference, text: string): string | null {
  if (reference.lookups.acceleratorById.has(text)) return text;
  const labelled = reference.accelerators.find(({ label }) => label.toLowerCase() === text.trim().toLowerCase());
  if (labelled !== undefined) return labelled.id;
  const match = findAlias(reference.lookups.aliases, text);
  const ids = match === null ? [] : match.exact.length > 0 ? match.exact : match.ids;
  return ids.length === 1 ? (ids[0] ?? null) : null;
}
