import { chineseDetail } from "./chinese-detail.ts";

/**
 * Baidu AI Cloud detail bills, the console's file with Chinese names and the interface's records with their own
 * (cloud.baidu.com/doc/Finance/s/vmu0sxmzr, …/Bjxg02xim). The machine stands in the configuration: `ebc.gn7s.c208m1024.8l20`.
 */
export const baidu = chineseDetail({
  id: "baidu",
  provider: "Baidu AI Cloud",
  names: {
    BillMonth: ["账期", "账单月份", "billMonth"],
    BillDay: ["账单时间", "账单日期"],
    Start: ["服务开始时间", "startTime"],
    End: ["服务结束时间", "endTime"],
    PaidAt: ["支付时间", "orderPurchaseTime", "订单支付时间"],
    AccountID: ["账号ID", "accountId", "账户ID"],
    AccountName: ["账号名称", "账户名称"],
    OrderType: ["订单类型", "orderTypeDesc"],
    Mode: ["付费方式", "productType"],
    Type: ["orderType"],
    ProductCode: ["云商品编号", "serviceType", "产品编码"],
    ProductName: ["产品名称", "serviceTypeName"],
    Spec: ["配置", "configurationCH", "配置信息"],
    ConfigItem: ["配置项"],
    Item: ["计费项", "chargeItemDesc", "chargeItem"],
    InstanceID: ["实例ID", "instanceId", "资源ID"],
    InstanceName: ["实例名称", "资源名称"],
    Tag: ["标签", "tag", "资源标签"],
    Region: ["区域", "region", "地域"],
    Zone: ["可用区"],
    Usage: ["用量", "使用量", "amount"],
    UsageUnit: ["用量单位", "使用量单位", "amountUnit"],
    List: ["目录价", "目录总价", "catalogPrice", "原价", "originPrice", "账单金额"],
    Payable: ["应付金额", "financePrice", "应付价格"],
    Currency: ["币种", "currency"],
  },
  telltale: [["Payable"], ["Mode"], ["ProductCode", "ConfigItem"], ["Spec", "ConfigItem"], ["Region"], ["Item"], ["AccountID"]],
  required: [["Payable"], ["Spec", "ConfigItem"], ["Mode"], ["Start", "BillDay", "BillMonth"], ["ProductName", "ProductCode"]],
});
