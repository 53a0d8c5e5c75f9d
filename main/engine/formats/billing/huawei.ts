import { chineseDetail } from "./chinese-detail.ts";

/**
 * Huawei Cloud detail bills: usage by type (PriceFactorBillDetail), resources by period (InstanceBillMonth) and transactions
 * (support.huaweicloud.com, "usermanual-billing"). Amounts of a resource have eight decimals while the account is charged in cents, so that
 * their sum is not the invoice.
 */
export const huawei = chineseDetail({
  id: "huawei",
  provider: "Huawei Cloud",
  names: {
    BillMonth: ["账期", "Billing Cycle", "消费账期"],
    BillDay: ["消费日期", "账单日期"],
    Start: ["使用开始时间", "Usage Start Time", "Effective Time", "生效时间"],
    End: ["使用结束时间", "Usage End Time", "Expiration Time", "失效时间"],
    ConsumedAt: ["消费时间", "Expenditure Time"],
    PaidAt: ["交易时间", "Transaction Time"],
    AccountID: ["账号ID", "Customer ID", "客户ID"],
    AccountName: ["账号", "账号名", "Account Name", "交易账号"],
    OwnerID: ["企业项目ID", "Enterprise Project ID"],
    Project: ["企业项目", "Enterprise Project", "企业项目名称"],
    ProductTypeCode: ["产品类型编码", "Product Type Code", "Service Type Code", "云服务类型编码"],
    ProductName: ["产品类型", "Product Type", "Service Type", "云服务类型"],
    ProductCode: ["产品编码", "Product Code", "资源类型编码"],
    ProductDetail: ["产品", "Product", "Product Name", "资源类型"],
    Mode: ["计费模式", "Billing Mode"],
    Type: ["账单类型", "Bill Type"],
    InstanceID: ["资源ID", "Resource ID"],
    InstanceName: ["资源名称", "Resource Name"],
    Tag: ["资源标签", "Resource Tag", "标签"],
    Spec: ["规格", "产品规格", "Specifications", "资源规格"],
    Item: ["使用量类型", "Usage Type", "计费因子"],
    Region: ["区域", "Region"],
    Zone: ["可用区", "AZ"],
    Usage: ["使用量", "用量", "Usage", "总使用量"],
    UsageUnit: ["使用量单位", "用量单位", "Usage Unit", "使用量类型单位", "度量单位"],
    List: ["官网价总金额", "官网价", "官网价金额", "List Price"],
    Payable: ["应付金额", "Amount Due", "消费金额", "消费金额/应付金额", "Expenditure"],
    Currency: ["币种", "Currency"],
  },
  telltale: [["Project", "OwnerID"], ["ProductTypeCode", "ProductCode"], ["Type"], ["Payable"], ["List"], ["Mode"], ["ConsumedAt", "Start"]],
  required: [["Payable"], ["Project", "OwnerID", "ProductTypeCode"], ["ProductName", "ProductTypeCode"], ["Start", "ConsumedAt", "BillDay", "BillMonth", "PaidAt"], ["Type", "Mode"]],
});
