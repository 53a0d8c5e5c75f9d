import type { ChargeCategory, PurchaseOption } from "../../../../shared/domain/charge.ts";
import type { BillingFormat, DimensionRow } from "../format.ts";
import { absent, constant, derived, firstTime, lastDay, money, moneyBy, noMoney, optional, periodHours, plus, utcTime } from "../format.ts";
import { beijing, currencyOrCny, dashes, englishUnit, tagPairs } from "./beijing.ts";
import { savedDates } from "./date-order.ts";
import { gpuHoursRule } from "./hours.ts";
import { namedColumns } from "./named-columns.ts";
import { canonicalTags, parseTags, teamOf } from "./tags.ts";

/** What says how a row was bought, and what kind of charge it is. */
const bought = ["SubscriptionType", "Item"];
const described = ["ProductCode", "ProductName", "ProductDetail", "BillingItem", "BillingItemCode", "InstanceConfig", "InstanceSpec"];

/**
 * Alibaba Cloud bills, all layouts: the detail file with English names (help.aliyun.com/document_detail/89133.html), the console's CSV with
 * Chinese ones, and the subscribed detail file whose names stand behind a group (`应付信息/应付金额（含税）`).
 *
 * costs       billed is the amount payable before tax (PretaxAmount): the list amount less discounts, coupons and rounding. Cash coupons,
 *             prepaid cards and credit are means of paying it. List is PretaxGrossAmount.
 * effective   pay-as-you-go costs what it is billed. A subscription (包年包月) is charged once for its whole term, and no other rows carry its
 *             use, so its effective cost is the same amount spread over that term: the charge period, whose length the ledger keeps, and by
 *             whose hours its GPU-hours are split (maths h.4). Where a row does not state its term it lies on its day.
 * days        are those of UTC+8. A row says the hour, the day or only the month it is of.
 * hours       only of the row for the machine itself: disks, traffic and images repeat its specification.
 */
export const alibaba: BillingFormat = {
  id: "alibaba",
  headerName: namedColumns({
    BillingCycle: ["账单月份", "Billing Cycle", "Bill Month"],
    BillingDate: ["账单日期", "Billing Date"],
    AccountID: ["BillAccountID", "资源购买账号ID", "账号ID", "购买账号ID", "Account ID"],
    AccountName: ["BillAccountName", "资源购买账号", "账号", "账号名称", "Account"],
    OwnerID: ["BillOwnerID", "OwnerAccountID", "资源归属账号ID", "归属账号ID", "Owner Account ID"],
    OwnerAccountName: ["BillOwnerName", "OwnerName", "资源归属账号", "资源归属账号名称", "Owner Account"],
    SubscriptionType: ["消费类型", "付费类型", "付费方式", "计费方式", "费用类型", "Subscription Type"],
    ProductCode: ["产品Code", "产品代码", "Product Code", "PipCode"],
    ProductName: ["产品名称", "产品", "Product Name"],
    ProductDetail: ["产品明细", "商品名称", "CommodityName", "Product Detail", "Product Details"],
    Item: ["账单类型", "交易类型", "BillType", "Bill Type"],
    BillingItem: ["计费项", "计费项名称", "Billing Item"],
    BillingItemCode: ["计费项Code", "Billing Item Code"],
    UsageStartTime: ["服务开始时间", "使用开始时间", "用量开始时间", "开始时间", "ServiceStartTime", "Usage Start Time", "Service Start Time"],
    UsageEndTime: ["服务结束时间", "使用结束时间", "用量结束时间", "结束时间", "ServiceEndTime", "Usage End Time", "Service End Time"],
    PaymentTime: ["消费时间", "支付时间", "付款时间", "Payment Time", "Payment/Order Time"],
    InstanceID: ["实例ID", "资产/资源实例ID", "资源实例ID", "Instance ID", "资源ID"],
    NickName: ["实例名称", "实例昵称", "资产/资源实例名称", "资源实例名称", "资源名称", "InstanceName", "Instance Name"],
    ResourceGroup: ["资源组", "Resource Group"],
    Tag: ["实例标签", "资源标签", "标签", "Tags", "Instance Tag"],
    InstanceConfig: ["实例配置", "资源实例配置", "资源配置", "配置", "Instance Configuration"],
    InstanceSpec: ["实例规格", "资源实例规格", "规格", "Instance Spec", "Instance Type"],
    RegionId: ["地域Code", "地域ID", "RegionCode", "Region Code"],
    Region: ["地域"],
    Zone: ["可用区", "Availability Zone"],
    Usage: ["用量"],
    UsageUnit: ["用量单位", "Usage Unit"],
    PretaxGrossAmount: ["目录总价", "Pretax Gross Amount", "List Amount"],
    PretaxAmount: ["应付金额", "Pretax Amount", "Amount Due"],
    Currency: ["币种", "定价币种", "结算币种", "货币"],
    RecordID: ["账单明细ID", "主键", "Record ID"],
  }),
  telltale: [["PretaxAmount"], ["PretaxGrossAmount"], ["ProductCode"], ["BillingCycle", "BillingDate"], ["SubscriptionType"], ["BillingItem", "BillingItemCode", "ProductDetail"]],
  required: [["PretaxAmount"], ["BillingCycle", "BillingDate", "UsageStartTime"], ["ProductCode", "ProductName"], ["PretaxGrossAmount", "BillingCycle", "ProductCode"]],
  relatives: [],
  version: () => null,
  datasetKind: () => "cash-and-accrual",
  covers: "what-it-holds",
  nullTexts: dashes,
  nullAmounts: dashes,
  zone: beijing,
  survey: savedDates(["UsageStartTime", "BillingDate", "PaymentTime"], ["UsageEndTime"], ["BillingDate"], ["PaymentTime"]),
  charge: {
    ProviderName: constant("Alibaba Cloud"),
    PublisherName: constant("Alibaba Cloud"),
    InvoiceIssuerName: absent(),
    BillingAccountId: optional("AccountID"),
    BillingAccountName: optional("AccountName"),
    SubAccountId: optional("OwnerID", "OwnerAccountName"),
    SubAccountName: optional("OwnerAccountName"),
    InvoiceId: absent(),
    ServiceName: optional("ProductName", "ProductCode"),
    ServiceCategory: absent(),
    ChargeCategory: derived(bought, chargeCategory),
    ChargeClass: derived(bought, (row) => (isRefund(row) ? "Correction" : null)),
    ChargeFrequency: derived(bought, (row) => (isSubscription(row) ? "One-Time" : "Usage-Based")),
    ChargeDescription: derived(described, description),
    PricingCategory: derived([...bought, ...described], (row) => (chargeCategory(row) !== "Usage" ? null : isSpot(row) ? "Dynamic" : "Standard")),
    PricingUnit: optional("UsageUnit"),
    ConsumedUnit: derived([...bought, "UsageUnit"], (row) => (isSubscription(row) ? "Hours" : row.text("UsageUnit"))),
    SkuId: optional("BillingItemCode", "ProductCode"),
    SkuPriceId: absent(),
    SkuMeter: optional("BillingItem"),
    ResourceId: optional("InstanceID"),
    ResourceName: optional("NickName"),
    ResourceType: optional("ProductDetail"),
    RegionId: optional("RegionId", "Region"),
    RegionName: optional("Region"),
    AvailabilityZone: optional("Zone"),
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
    x_LineItemType: optional("Item", "SubscriptionType"),
    x_PurchaseOption: derived([...bought, ...described], purchaseOption),
    x_InstanceType: derived(["InstanceSpec"], (row) => row.gpu()?.instanceType ?? row.text("InstanceSpec")),
    x_GpuModel: derived([], (row) => row.gpu()?.model ?? null),
    x_AcceleratorId: derived([], (row) => row.gpu()?.acceleratorId ?? null),
    x_GpuCount: derived([], (row) => row.gpu()?.gpuCount ?? null),
    x_GpuEvidence: derived([], (row) => row.gpu()?.step ?? null),
    x_Team: derived(["Tag"], (row) => {
      const tags = tagsOf(row);
      return tags === null ? null : teamOf(tags);
    }),
    BilledCost: money("PretaxAmount"),
    EffectiveCost: money("PretaxAmount"),
    ListCost: money("PretaxGrossAmount"),
    ContractedCost: noMoney(),
    // The term of a subscription is what it gives; its usage column counts orders or months.
    ConsumedQuantity: moneyBy(derived(bought, (row) => (isRefund(row) ? "none" : !isSubscription(row) ? "usage" : statesTerm(row) ? "term" : "none")), {
      usage: [plus("Usage")],
      term: [periodHours()],
      otherwise: null,
    }),
    PricingQuantity: noMoney(),
    ChargePeriodStart: firstTime(utcTime("UsageStartTime"), utcTime("BillingDate"), utcTime("PaymentTime"), { columns: ["BillingCycle"], states: "month" }),
    ChargePeriodEnd: firstTime(utcTime("UsageEndTime"), lastDay("BillingDate"), utcTime(), { columns: ["BillingCycle"], states: "month-end" }),
    BillingPeriodStart: { columns: ["BillingCycle"], states: "month" },
    BillingPeriodEnd: { columns: ["BillingCycle"], states: "month-end" },
    GpuHours: derived([...bought, "UsageUnit"], (row) => {
      // A refund takes money back, not hours that were had.
      if (row.gpu() === null || isRefund(row)) return null;
      if (isSubscription(row)) return statesTerm(row) ? gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: "Hours" }]) : null;
      return gpuHoursRule(row.gpu(), [{ quantity: "ConsumedQuantity", unit: englishUnit(row.text("UsageUnit")) }]);
    }),
    correction: absent(),
    gpu: derived([...bought, ...described, "UsageUnit"], (row) => {
      if (isBesideTheMachine(row)) return null;
      return {
        provider: "Alibaba Cloud",
        serviceName: row.text("ProductName", "ProductCode"),
        chargeCategory: "Usage",
        pricingCategory: isSpot(row) ? "Dynamic" : null,
        instanceType: specOf(row),
        skuMeter: row.text("BillingItem"),
        skuDescription: row.text("ProductDetail"),
        pricingUnit: englishUnit(row.text("UsageUnit")),
      };
    }),
  },
};

function description(row: DimensionRow): string | null {
  const parts = [row.text("ProductDetail"), row.text("BillingItem")].filter((part) => part !== null);
  return parts.length === 0 ? row.text("ProductName") : parts.join(" | ");
}

function isSubscription(row: DimensionRow): boolean {
  const type = row.text("SubscriptionType") ?? row.text("Item") ?? "";
  return /subscription|pre-?pa(?:id|y)|订阅|预付|包年|包月|新购|续费/i.test(type) && !/pay.?as.?you.?go|按量|后付/i.test(type);
}

function statesTerm(row: DimensionRow): boolean {
  return row.has("UsageStartTime") && row.has("UsageEndTime");
}

function isRefund(row: DimensionRow): boolean {
  return /refund|退款|退订|退费|unsubscri/i.test(row.text("Item") ?? "");
}

function chargeCategory(row: DimensionRow): ChargeCategory {
  const item = row.text("Item") ?? "";
  if (/adjust|调账|补偿|补扣/i.test(item)) return "Adjustment";
  if (/^\s*(?:tax|税)/i.test(item)) return "Tax";
  return isSubscription(row) ? "Purchase" : "Usage";
}

function isSpot(row: DimensionRow): boolean {
  return /抢占|竞价|\bspot\b|preemptible/i.test(described.map((column) => row.text(column) ?? "").join(" "));
}

function purchaseOption(row: DimensionRow): PurchaseOption | null {
  const category = chargeCategory(row);
  if (category !== "Usage" && category !== "Purchase") return null;
  if (category === "Purchase") {
    const what = `${row.text("ProductCode") ?? ""} ${row.text("ProductName") ?? ""} ${row.text("ProductDetail") ?? ""}`;
    return /savings?.?plan|节省计划/i.test(what) ? "savings-plan" : "reservation";
  }
  return isSpot(row) ? "spot" : "on-demand";
}

/** Disks, addresses, traffic, images and snapshots are rows of the same instance, under its specification. */
function isBesideTheMachine(row: DimensionRow): boolean {
  const item = `${row.text("BillingItem") ?? ""} ${row.text("BillingItemCode") ?? ""}`;
  if (/系统盘|数据盘|云盘|磁盘|硬盘|快照|镜像|带宽|流量|公网|弹性IP|disk|snapshot|image|bandwidth|traffic|network|\bEIP\b/i.test(item)) return true;
  return /^(?:yundisk|disk|snapshot|eip|oss|cdn|slb|cbwp|nat|nat_gw)$/i.test(row.text("ProductCode") ?? "");
}

/** The machine type: its own column, or the one that stands in the configuration's list. */
function specOf(row: DimensionRow): string | null {
  const spec = row.text("InstanceSpec") ?? "";
  const typed = machineType.exec(spec)?.[0] ?? machineType.exec(row.text("InstanceConfig") ?? "")?.[0] ?? null;
  if (typed === null) return row.text("InstanceSpec");
  return /^ecs\./i.test(typed) ? typed : `ecs.${typed}`;
}

const machineType = /(?:ecs\.)?(?<![A-Za-z0-9])(?:(?:ebm|scc|v|s)?gn\d+[a-z]*)(?:-[\w-]+)?\.(?:\d*x)?large/i;

function tagsOf(row: DimensionRow): ReadonlyMap<string, unknown> | null {
  const stated = row.text("Tag");
  if (stated === null) return null;
  return (/^\s*[[{]/.test(stated) ? parseTags(stated) : null) ?? tagPairs(stated);
}
