import { chineseDetail } from "./chinese-detail.ts";

/**
 * Volcengine detail bills: what ListBillDetail answers, as records or as a table, and the console's file with Chinese names
 * (volcengine.com/docs/6269/1127842). The amortized bill is another dataset and is refused by its name.
 */
export const volcengine = chineseDetail({
  id: "volcengine",
  provider: "Volcengine",
  names: {
    BillMonth: ["BillPeriod", "账期", "账务账期", "账单月份"],
    BillDay: ["ExpenseDate", "账单日期", "消费日期", "费用日期"],
    Start: ["ExpenseBeginTime", "消费开始时间", "费用开始时间", "开始时间", "UseBeginTime"],
    End: ["ExpenseEndTime", "消费结束时间", "费用结束时间", "结束时间", "UseEndTime"],
    PaidAt: ["TradeTime", "交易时间"],
    AccountID: ["PayerID", "付款方ID", "付款账号ID", "主体账号ID", "财务账号ID"],
    AccountName: ["PayerUserName", "PayerCustomerName", "付款方账号", "付款账号"],
    OwnerID: ["OwnerID", "使用方ID", "资源归属账号ID", "使用账号ID", "归属账号ID"],
    Project: ["Project", "ProjectDisplayName", "项目", "项目名称"],
    ProductCode: ["Product", "产品Code", "产品编码"],
    ProductName: ["ProductZh", "产品名称", "产品"],
    Mode: ["BillingMode", "计费模式"],
    Type: ["BillCategory", "账单类型"],
    InstanceID: ["InstanceNo", "实例ID", "实例编号", "资源ID"],
    InstanceName: ["实例名称", "资源名称"],
    Tag: ["标签", "Tags"],
    Spec: ["ConfigName", "配置名称", "实例配置", "ConfigurationCode", "规格"],
    Item: ["Element", "计费项", "计费单元"],
    Region: ["地域"],
    Zone: ["可用区"],
    Usage: ["Count", "用量"],
    UsageUnit: ["Unit", "用量单位", "单位"],
    List: ["OriginalBillAmount", "原价", "原价金额"],
    AfterDiscount: ["DiscountBillAmount", "折后价", "优惠后金额"],
    Payable: ["PayableAmount", "应付金额"],
    Currency: ["币种"],
  },
  telltale: [["BillMonth"], ["Type"], ["Spec"], ["List"], ["Payable"], ["AfterDiscount"], ["Item"], ["Mode"]],
  required: [["Payable"], ["BillMonth", "BillDay", "Start"], ["List", "AfterDiscount"], ["Type", "Mode"], ["ProductName", "ProductCode"]],
  relatives: [{ name: "volcengine-amortized", column: "AmortizedMonth" }, { name: "volcengine-amortized", column: "分摊月" }],
  // Its machine types look like those of another provider (`ecs.g1tl.2xlarge`), which would be taken for theirs.
  specText: (text) => text.replace(/[a-z]+\.[a-z0-9]+\.\S+/gi, " "),
});
