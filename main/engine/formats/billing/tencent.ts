import type { ChargeCategory, PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionRow, MoneyTerm } from "../format.ts";
import { absent, constant, derived, firstTime, moneyBy, noMoney, optional, plus, plusIfStated, utcTime } from "../format.ts";
import { beijing, currencyOrCny, dashes, englishUnit, tagPairs } from "./beijing.ts";
import { gpuHoursRule } from "./hours.ts";
import { namedColumns } from "./named-columns.ts";
import { canonicalTags, parseTags, teamOf } from "./tags.ts";
import { carriesHours, componentSurvey } from "./tencent-components.ts";

const kinds = ["BillingMode", "TransactionType", "InstanceType"];
const machine = ["ProductName", "SubproductName", "ComponentType", "ComponentName", "Configuration"];

/**
 * Tencent Cloud bills of components (L3), with English or Chinese names, and the consumption bill (消耗账单), which has the same ones.
 *
 * costs      billed is the total after discounts without tax; vouchers, cash and gifted credit are means of paying it. List is the original
 *            cost, hidden (`-`) under contract prices and on refunds.
 * datasets   what is charged by use is the same in both bills, so those rows compete as one dataset (`cash-and-accrual`). What is paid ahead
 *            (包年包月) is billed once in the detail bill (`cash`), where its effective cost and hours are unknown, and is spread over the
 *            months of its term in the consumption bill (`accrual`), which is billed 0. So each can be read alone and both add up.
 * hours      an hour of an instance is several rows, of which one counts (tencent-components.ts): its duration, times the GPUs of the machine
 *            that subproduct and component name. `Instance Type` is no machine: it says resource package, reserved or spot.
 */
export const tencent: BillingFormat = {
  id: "tencent",
  headerName: namedColumns({
    PayerAccountID: ["Payer Account ID", "Payer UIN", "支付者UIN", "支付者账号ID", "支付者 UIN", "付款账号ID"],
    OwnerAccountID: ["Owner Account ID", "Owner UIN", "使用者UIN", "归属者UIN", "所有者UIN", "资源归属者账号ID", "使用者 UIN"],
    OperatorAccountID: ["Operator Account ID", "Operator UIN", "操作者UIN", "操作者账号ID"],
    ProductName: ["Product Name", "产品名称"],
    SubproductName: ["Subproduct Name", "Sub-product Name", "子产品名称"],
    BillingMode: ["Billing Mode", "计费模式"],
    TransactionType: ["Transaction Type", "交易类型"],
    TransactionID: ["Transaction ID", "交易ID", "Order ID", "订单ID"],
    TransactionTime: ["Transaction Time", "Deduction Time", "扣费时间", "交易时间"],
    UsageStartTime: ["Usage Start Time", "开始使用时间", "使用开始时间"],
    UsageEndTime: ["Usage End Time", "结束使用时间", "使用结束时间"],
    InstanceID: ["Instance ID", "Resource ID", "实例ID", "资源ID"],
    InstanceName: ["Instance Name", "Resource Alias", "实例名称", "资源名称", "资源别名"],
    InstanceType: ["Instance Type", "实例类型"],
    ProjectName: ["Project Name", "项目名称"],
    Region: ["地域"],
    AvailabilityZone: ["Availability Zone", "可用区"],
    ComponentType: ["Component Type", "组件类型"],
    ComponentName: ["Component Name", "组件名称"],
    ContractedPrice: ["Component Contracted Price", "组件指定价", "组件合同价"],
    ComponentUsage: ["Component Usage", "组件用量"],
    ComponentUsageUnit: ["Component Usage Unit", "组件用量单位"],
    UsageDuration: ["Usage Duration", "使用时长"],
    DurationUnit: ["Duration Unit", "时长单位"],
    OriginalCost: ["Original Cost", "组件原价", "原价"],
    TotalAfterDiscount: ["Total Amount After Discount (Excluding Tax)", "Total Amount After Discount", "Total Cost After Discount", "优惠后总价"],
    AmountBeforeTax: ["Amount Before Tax", "税前金额", "不含税金额"],
    TotalCost: ["Total Cost (Including Tax)", "Total Cost", "含税总价"],
    Voucher: ["Voucher Deduction", "代金券支付", "优惠券支出", "代金券支出"],
    Cash: ["Cash Payment", "现金支付", "现金账户支出", "现金支出"],
    Gift: ["Free Credit Payment", "Incentive Payment", "赠送账户支付", "赠送金支付", "赠送账户支出"],
    Currency: ["币种", "货币"],
    BillMonth: ["Bill Month", "Billing Month", "账单月", "账单月份"],
    ConsumptionMonth: ["Consumption Month", "消耗月份", "消耗月"],
    ConsumptionType: ["Consumption Type", "消耗类型"],
    Configuration: ["Configuration Description", "Additional Attributes", "配置描述", "附加属性", "扩展字段"],
    Tag: ["Tags", "标签", "标签信息", "Tag Information"],
  }),
  telltale: [["SubproductName"], ["ComponentType", "ComponentName"], ["BillingMode"], ["TransactionType", "ConsumptionType"], ["UsageDuration", "ComponentUsage"], ["TotalAfterDiscount", "OriginalCost"]],
  required: [["SubproductName", "ProductName"], ["TotalAfterDiscount", "AmountBeforeTax", "TotalCost", "Cash"], ["UsageStartTime", "TransactionTime", "BillMonth", "ConsumptionMonth"], ["ComponentName", "ComponentType"]],
  relatives: [],
  version: (columns) => (columns.has("consumptionmonth") || columns.has("consumptiontype") ? "consumption" : "detail"),
  datasetKind: () => "cash-and-accrual",
  datasets: {
    kinds: (facts) => (facts["dataset"] === "consumption" ? ["cash-and-accrual", "accrual"] : ["cash-and-accrual", "cash"]),
    ofRow: derived(kinds, (row) => (!isPrepaid(row) ? "cash-and-accrual" : isConsumption(row) ? "accrual" : "cash")),
  },
  covers: "what-it-holds",
  nullTexts: dashes,
  nullAmounts: dashes,
  survey: componentSurvey,
  zone: beijing,
  charge: {
    ProviderName: constant("Tencent Cloud"),
    PublisherName: constant("Tencent Cloud"),
    InvoiceIssuerName: absent(),
    BillingAccountId: optional("PayerAccountID"),
    BillingAccountName: absent(),
    SubAccountId: optional("OwnerAccountID", "ProjectName"),
    SubAccountName: optional("ProjectName"),
    InvoiceId: absent(),
    ServiceName: optional("ProductName", "SubproductName"),
    ServiceCategory: absent(),
    ChargeCategory: derived(kinds, chargeCategory),
    ChargeClass: derived(kinds, (row) => (isRefund(row) ? "Correction" : null)),
    ChargeFrequency: derived(kinds, (row) => (isPrepaid(row) ? (isConsumption(row) ? "Recurring" : "One-Time") : "Usage-Based")),
    ChargeDescription: derived(machine, (row) => row.text("ComponentName") ?? row.text("ComponentType") ?? row.text("SubproductName")),
    PricingCategory: derived([...kinds, ...machine], (row) => (chargeCategory(row) !== "Usage" ? null : isSpot(row) ? "Dynamic" : isPrepaid(row) ? "Committed" : "Standard")),
    PricingUnit: optional("ComponentUsageUnit"),
    ConsumedUnit: derived(["DurationUnit", "ComponentUsageUnit"], (row) => (row.has("UsageDuration") ? row.text("DurationUnit") : row.text("ComponentUsageUnit"))),
    SkuId: optional("SubproductName"),
    SkuPriceId: absent(),
    SkuMeter: optional("ComponentName", "ComponentType"),
    ResourceId: optional("InstanceID"),
    ResourceName: optional("InstanceName"),
    ResourceType: optional("SubproductName"),
    RegionId: optional("Region"),
    RegionName: optional("Region"),
    AvailabilityZone: optional("AvailabilityZone"),
    CommitmentDiscountId: absent(),
    CommitmentDiscountName: absent(),
    CommitmentDiscountCategory: absent(),
    CommitmentDiscountType: absent(),
    CommitmentDiscountStatus: absent(),
    CapacityReservationId: absent(),
    CapacityReservationStatus: absent(),
    BillingCurrency: currencyOrCny("Currency"),
    Tags: derived(["Tag"], (row) => {
      const stated = row.text("Tag");
      const tags = tagsOf(row);
      if (stated !== null && tags === null) row.repaired("tags-unreadable");
      return tags === null ? null : canonicalTags(tags);
    }),
    x_LineItemType: optional("TransactionType", "ConsumptionType"),
    x_PurchaseOption: derived([...kinds, ...machine], purchaseOption),
    x_InstanceType: derived([], (row) => row.gpu()?.instanceType ?? null),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(["Tag"], (row) => {
      const tags = tagsOf(row);
      return tags === null ? null : teamOf(tags);
    }),
    BilledCost: moneyBy(derived(kinds, (row) => (isPrepaid(row) && isConsumption(row) ? "spread" : costCase(row))), { spread: [], ...costs() }),
    EffectiveCost: moneyBy(
      derived(kinds, (row) => {
        if (!isPrepaid(row) || isConsumption(row)) return costCase(row);
        row.repaired("prepaid-spread-elsewhere");
        return "elsewhere";
      }),
      { elsewhere: null, ...costs() },
    ),
    ListCost: moneyBy(derived(kinds, (row) => (isPrepaid(row) && isConsumption(row) ? "spread" : "stated")), { otherwise: [plus("OriginalCost")] }),
    ContractedCost: noMoney(),
    ConsumedQuantity: moneyBy(derived([...kinds, ...machine], (row) => (chargeCategory(row) !== "Usage" ? "none" : row.has("UsageDuration") ? "duration" : "usage")), {
      duration: [plus("UsageDuration")],
      usage: [plus("ComponentUsage")],
      otherwise: null,
    }),
    PricingQuantity: noMoney(),
    ChargePeriodStart: firstTime(utcTime("UsageStartTime"), utcTime("TransactionTime"), { columns: ["ConsumptionMonth"], states: "month" }, { columns: ["BillMonth"], states: "month" }),
    ChargePeriodEnd: firstTime(utcTime("UsageEndTime"), utcTime(), { columns: ["ConsumptionMonth"], states: "month-end" }, { columns: ["BillMonth"], states: "month-end" }),
    BillingPeriodStart: { columns: ["ConsumptionMonth", "BillMonth"], states: "month" },
    BillingPeriodEnd: { columns: ["ConsumptionMonth", "BillMonth"], states: "month-end" },
    GpuHours: derived([...kinds, ...machine, "DurationUnit"], (row) => {
      if (row.gpu() === null || chargeCategory(row) !== "Usage" || isRefund(row) || !carriesHours(row)) return null;
      return gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: row.has("UsageDuration") ? englishUnit(row.text("DurationUnit")) : null }]);
    }),
    correction: absent(),
    gpu: derived([...kinds, ...machine], (row) => {
      if (!carriesHours(row)) return null;
      return {
        provider: "Tencent Cloud",
        serviceName: row.text("ProductName"),
        chargeCategory: "Usage",
        pricingCategory: isSpot(row) ? "Dynamic" : isPrepaid(row) ? "Committed" : null,
        instanceType: typed(row),
        skuMeter: row.text("ComponentName"),
        skuDescription: row.text("SubproductName"),
        chargeDescription: row.text("ComponentType"),
      };
    }),
  },
};

function isConsumption(row: DimensionRow): boolean {
  return row.fact("dataset") === "consumption";
}

function isPrepaid(row: DimensionRow): boolean {
  const mode = row.text("BillingMode") ?? row.text("TransactionType") ?? "";
  return /monthly subscription|subscription|pre-?paid|包年|包月|预付/i.test(mode) && !/pay.?as.?you.?go|按量|后付/i.test(mode);
}

function isRefund(row: DimensionRow): boolean {
  return /refund|return|退款|退费|退货|冲销/i.test(row.text("TransactionType") ?? "");
}

/** What a month of a term costs is its use; the order that pays for the term is a purchase. */
function chargeCategory(row: DimensionRow): ChargeCategory {
  if (/adjust|compensat|supplement|调账|补偿|补扣/i.test(row.text("TransactionType") ?? "")) return "Adjustment";
  return isPrepaid(row) && !isConsumption(row) ? "Purchase" : "Usage";
}

function isSpot(row: DimensionRow): boolean {
  return /竞价|\bspot\b/i.test(`${row.text("InstanceType") ?? ""} ${row.text("BillingMode") ?? ""} ${row.text("TransactionType") ?? ""}`);
}

function purchaseOption(row: DimensionRow): PurchaseOption | null {
  if (chargeCategory(row) === "Adjustment") return null;
  if (isSpot(row)) return "spot";
  const type = row.text("InstanceType") ?? "";
  if (/savings?\s*plan|节省计划|^SP$/i.test(type)) return "savings-plan";
  return isPrepaid(row) || /reserved|预留|^RI$/i.test(type) ? "reservation" : "on-demand";
}

/** Which columns tell the amount: the total after discounts, or else the payments that make it up. */
function costCase(row: DimensionRow): string {
  return row.has("TotalAfterDiscount") ? "total" : row.has("AmountBeforeTax") ? "beforeTax" : row.has("TotalCost") ? "withTax" : "paid";
}

function costs(): Record<"total" | "beforeTax" | "withTax" | "otherwise", readonly MoneyTerm[]> {
  return {
    total: [plus("TotalAfterDiscount")],
    beforeTax: [plus("AmountBeforeTax"), plusIfStated("Voucher")],
    withTax: [plus("TotalCost")],
    otherwise: [plus("Cash"), plusIfStated("Voucher"), plusIfStated("Gift")],
  };
}

/** A whole machine type (`GN10Xp.20XLARGE320`), wherever it stands. */
function typed(row: DimensionRow): string | null {
  for (const column of ["ComponentName", "SubproductName", "Configuration", "ComponentType"]) {
    const found = /(?<![A-Za-z0-9])(?:GN|GT|GI|PNV|HCCPNV|HCCG)\d+[A-Za-z]*\.\d*X*LARGE\w*/i.exec(row.text(column) ?? "")?.[0];
    if (found !== undefined) return found;
  }
  return null;
}

function tagsOf(row: DimensionRow): ReadonlyMap<string, unknown> | null {
  const stated = row.text("Tag");
  if (stated === null) return null;
  return (/^\s*[[{]/.test(stated) ? parseTags(stated) : null) ?? tagPairs(stated);
}
