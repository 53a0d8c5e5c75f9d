import type { ColumnMapping, ConstantField, MappedField } from "../../../../shared/contract/mapping.ts";
import type { ChargeCategory, PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionCell, DimensionRow, GpuHoursRule, MoneyCell, TimeCell } from "../format.ts";
import { absent, canonicalName, constant, currency, derived, moneyBy, noMoney, periodHours, plus } from "../format.ts";
import { englishUnit, tagPairs } from "./beijing.ts";
import { dateOrders } from "./date-order.ts";
import { hoursOfUnit } from "./hours.ts";
import { canonicalTags, parseTags, teamOf } from "./tags.ts";

export const MAPPED = "mapped";

/** Columns that a mapping names and a header does not have. */
export function columnsNotIn({ columns }: ColumnMapping, header: readonly string[]): readonly string[] {
  const known = new Set(header.map(canonicalName));
  return Object.values(columns).flatMap((column) => (column === undefined || known.has(canonicalName(column)) ? [] : [column]));
}

/** A header as a key: its names without case and punctuation, in any order. */
export function headerKey(header: readonly string[]): string {
  return header.map(canonicalName).filter((name) => name !== "").sort().join("\n");
}

/**
 * The format that a column mapping makes: the same table as every other one, so that amounts are as exact and rows are set aside by the same
 * rules.
 *
 * costs   billed is the mapped amount; effective the column mapped to it, or else the billed amount; list as mapped, else unknown
 * hours   of a quantity only where the person said what it counts, or its unit does (`GPU Hours`)
 */
export function mappedFormat(mapping: ColumnMapping): BillingFormat {
  const names = (field: MappedField): readonly string[] => (mapping.columns[field] === undefined ? [] : [mapping.columns[field]]);
  const said = (field: ConstantField): string | null => mapping.constants[field] ?? null;
  /** A column's text, or else what was said for all rows. */
  const textOf = (row: DimensionRow, field: MappedField): string | null => row.text(...names(field)) ?? (mapping.constants as Readonly<Record<string, string | undefined>>)[field] ?? null;
  const cell = (field: MappedField): DimensionCell<string | null> => derived(names(field), (row) => textOf(row, field));
  const kinds = [...names("category"), ...names("purchase")];
  const machine = [...names("provider"), ...names("service"), ...names("instanceType"), ...names("gpuModel"), ...names("gpuCount"), ...names("sku"), ...names("description"), ...names("unit"), ...kinds];
  const start: TimeCell = mapping.startIs === "month" ? { columns: names("start"), states: "month" } : { columns: names("start") };
  const tagsOf = (row: DimensionRow): ReadonlyMap<string, unknown> | null => {
    const stated = row.text(...names("tags"));
    if (stated === null) return null;
    return (/^\s*[[{"]/.test(stated) ? parseTags(stated) : null) ?? tagPairs(stated);
  };
  const cost = (field: "billed" | "effective" | "list"): MoneyCell => {
    const columns = names(field);
    if (columns.length === 0) return field === "effective" ? cost("billed") : noMoney();
    const term = plus(...columns);
    return moneyBy(constant("stated"), { otherwise: [mapping.isGrouped || mapping.decimalMark === "," ? { ...term, amounts: groupedAmount(mapping) } : term] });
  };
  const unitOf = (row: DimensionRow): string | null => (names("quantity").length === 0 && mapping.hoursFromPeriod ? "Hours" : englishUnit(textOf(row, "unit")));
  return {
    id: MAPPED,
    telltale: [["start"]],
    required: Object.values(mapping.columns).flatMap((column) => (column === undefined ? [] : [[column]])),
    relatives: [],
    version: () => null,
    datasetKind: () => "cash-and-accrual",
    covers: "what-it-holds",
    nullTexts: mapping.emptyWords,
    nullAmounts: mapping.emptyWords,
    zone: { secondsEast: mapping.zoneMinutes * 60, repair: null },
    survey: {
      columns: [names("start"), names("end")],
      begin() {
        const orders = dateOrders();
        return {
          row([first, last]) {
            if (mapping.dateOrder !== null) return false;
            orders.look(first ?? null, true);
            orders.look(last ?? null, false);
            return true;
          },
          finish() {
            const { order, undecided, isMixed } = orders.found();
            if (mapping.dateOrder !== null) return { facts: { dateOrder: mapping.dateOrder }, assumed: [] };
            if (isMixed || undecided !== null) return { trouble: "dates-ambiguous", column: names("start")[0] ?? "", value: undecided ?? "" };
            return { facts: order === null ? {} : { dateOrder: order }, assumed: [] };
          },
        };
      },
    },
    charge: {
      ProviderName: cell("provider"),
      PublisherName: absent(),
      InvoiceIssuerName: absent(),
      BillingAccountId: cell("account"),
      BillingAccountName: absent(),
      SubAccountId: cell("subAccount"),
      SubAccountName: cell("subAccountName"),
      InvoiceId: absent(),
      ServiceName: cell("service"),
      ServiceCategory: absent(),
      ChargeCategory: derived(names("category"), (row) => categoryOf(row, row.text(...names("category")))),
      ChargeClass: derived(names("category"), (row) => (/refund|correction|退款|退费/i.test(row.text(...names("category")) ?? "") ? "Correction" : null)),
      ChargeFrequency: absent(),
      ChargeDescription: cell("description"),
      PricingCategory: derived(kinds, (row) => {
        const purchase = purchaseOf(row.text(...names("purchase")));
        return purchase === "spot" ? "Dynamic" : purchase === "on-demand" ? "Standard" : null;
      }),
      PricingUnit: cell("unit"),
      ConsumedUnit: derived(names("unit"), (row) => (names("quantity").length === 0 && mapping.hoursFromPeriod ? "Hours" : textOf(row, "unit"))),
      SkuId: cell("sku"),
      SkuPriceId: absent(),
      SkuMeter: absent(),
      ResourceId: cell("resource"),
      ResourceName: cell("resourceName"),
      ResourceType: absent(),
      RegionId: cell("region"),
      RegionName: absent(),
      AvailabilityZone: absent(),
      CommitmentDiscountId: absent(),
      CommitmentDiscountName: absent(),
      CommitmentDiscountCategory: absent(),
      CommitmentDiscountType: absent(),
      CommitmentDiscountStatus: absent(),
      CapacityReservationId: absent(),
      CapacityReservationStatus: absent(),
      BillingCurrency: mapping.columns.currency === undefined ? constant(said("currency") ?? "XXX") : currency(mapping.columns.currency),
      Tags: derived(names("tags"), (row) => {
        const tags = tagsOf(row);
        if (tags === null && row.text(...names("tags")) !== null) row.repaired("tags-unreadable");
        return tags === null ? null : canonicalTags(tags);
      }),
      x_LineItemType: cell("category"),
      x_PurchaseOption: derived(kinds, (row) => purchaseOf(row.text(...names("purchase")))),
      x_InstanceType: derived(names("instanceType"), (row) => row.gpu()?.instanceType ?? row.text(...names("instanceType"))),
      x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
      x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
      x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
      x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
      x_Team: derived([...names("team"), ...names("tags")], (row) => {
        const tags = tagsOf(row);
        return textOf(row, "team")?.trim() ?? (tags === null ? null : teamOf(tags));
      }),
      BilledCost: cost("billed"),
      EffectiveCost: cost("effective"),
      ListCost: cost("list"),
      ContractedCost: noMoney(),
      ConsumedQuantity: moneyBy(constant("stated"), { otherwise: names("quantity").length > 0 ? [plus(...names("quantity"))] : mapping.hoursFromPeriod ? [periodHours()] : null }),
      PricingQuantity: noMoney(),
      ChargePeriodStart: start,
      ChargePeriodEnd: mapping.startIs === "month" && mapping.columns.end === undefined ? { columns: names("start"), states: "month-end" } : endCell(mapping, names("end")),
      BillingPeriodStart: { columns: [] },
      BillingPeriodEnd: { columns: [] },
      GpuHours: derived(machine, (row) => hoursRule(mapping, row, unitOf(row))),
      correction: absent(),
      gpu: derived(machine, (row) => ({
        provider: textOf(row, "provider"),
        serviceName: textOf(row, "service"),
        chargeCategory: "Usage",
        instanceType: row.text(...names("instanceType")),
        skuDescription: row.text(...names("sku")),
        chargeDescription: row.text(...names("description")),
        gpuModel: textOf(row, "gpuModel"),
        gpuCount: textOf(row, "gpuCount"),
        consumedUnit: mapping.quantityIs === "gpu-hours" ? "GPU Hours" : textOf(row, "unit"),
      })),
    },
  };
}

/** Only a column that holds days can hold last days; a charge whose end nobody states is of the day that it names. */
function endCell({ endIs, columns }: ColumnMapping, end: readonly string[]): TimeCell {
  if (end.length > 0) return endIs === "last-day" ? { columns: end, states: "last-day" } : { columns: end };
  return endIs === "last-day" && columns.start !== undefined ? { columns: [columns.start], states: "last-day" } : { columns: [] };
}

function hoursRule({ quantityIs, hoursFromPeriod, columns }: ColumnMapping, row: DimensionRow, unit: string | null): GpuHoursRule | null {
  const gpu = row.gpu();
  if (gpu === null || gpu.gpuCount === null || gpu.hoursMeaning === "none") return null;
  const isOfUnit = gpu.hoursMeaning === "gpu-hours" || /instance|node|machine|\bvm\b/i.test(unit ?? "");
  if (columns.quantity !== undefined && quantityIs === null && !isOfUnit) return null;
  if (columns.quantity === undefined && !hoursFromPeriod) return null;
  const hours = /^\s*(?:milliseconds?|ms)\s*$/i.test(unit ?? "") ? 1 / 3_600_000 : hoursOfUnit(unit ?? (quantityIs === null ? null : "Hours"));
  return hours === null ? null : { quantity: "ConsumedQuantity", hoursAUnit: hours * gpu.gpuCount };
}

/** Amounts with marks of thousands, signs of currency or brackets for what is negative, as plain decimals; null for what is none. */
function groupedAmount({ decimalMark, emptyWords }: ColumnMapping): (text: string) => readonly string[] | null {
  const empty = new Set(emptyWords.map((word) => word.toLowerCase()));
  const groups = decimalMark !== "," ? "[,'\\u2019\\u00a0\\u202f ]" : "[.'\\u2019\\u00a0\\u202f ]";
  const mark = decimalMark !== "," ? "\\." : ",";
  const pattern = new RegExp(`^(\\d{1,3}(?:${groups}\\d{3})+|\\d+)?(?:${mark}(\\d*))?([eE][+-]?\\d{1,3})?$`);
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === "" || empty.has(trimmed.toLowerCase())) return [];
    const bracketed = /^\((.+)\)$/.exec(trimmed);
    const bare = (bracketed?.[1] ?? trimmed).replace(/^([+-]?)\s*(?:\p{Sc}|[A-Z]{3}\s)\s*/u, "$1").replace(/\s*(?:\p{Sc}|[A-Z]{3})$/u, "").trim();
    const isNegative = bare.startsWith("-") !== (bracketed !== null);
    const match = pattern.exec(bare.replace(/^[+-]/, ""));
    if (match === null || ((match[1] ?? "") === "" && (match[2] ?? "") === "")) return null;
    return [`${isNegative ? "-" : ""}${(match[1] ?? "0").replace(/\D/g, "")}.${match[2] ?? ""}${match[3] ?? ""}`];
  };
}

function categoryOf(row: DimensionRow, stated: string | null): ChargeCategory {
  if (stated === null || /usage|use|consum|charge|使用|消费|按量/i.test(stated)) return "Usage";
  if (/tax|vat|税/i.test(stated)) return "Tax";
  if (/refund|credit|退款|退费|抵扣/i.test(stated)) return "Credit";
  if (/adjust|round|调账|抹零/i.test(stated)) return "Adjustment";
  if (/purchase|subscri|reserv|commit|order|fee|包年|包月|预付|新购|续费/i.test(stated)) return "Purchase";
  row.repaired("charge-type-unknown");
  return "Usage";
}

function purchaseOf(stated: string | null): PurchaseOption | null {
  if (stated === null) return null;
  if (/spot|preempt|interrupt|竞价|抢占/i.test(stated)) return "spot";
  if (/saving|节省/i.test(stated)) return "savings-plan";
  if (/reserv|subscri|commit|prepaid|预留|包年|包月|预付/i.test(stated)) return "reservation";
  return /demand|as[- ]you|hourly|postpaid|按量|按需|后付/i.test(stated) ? "on-demand" : "other";
}
