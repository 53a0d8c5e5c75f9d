import type { connect as en } from "../en/connect.ts";

export const connect: Record<keyof typeof en, string> = {
  "connect.plan": "将向 AWS 发送 {{requests}} 个请求，费用 ${{price}}。较长的回答分页，每页计一个请求：最多 {{most}} 个请求，${{mostPrice}}。",
  "connect.plan.kept_one": "账本中已有 {{count}} 个回答，不再询问。",
  "connect.plan.kept_other": "账本中已有 {{count}} 个回答，不再询问。",
  "connect.plan.left-out": "以下月份超出 Cost Explorer 的范围或尚未到来，未列入：{{months}}。",
  "connect.plan.sent": "本账本本月已发送 {{requests}} 个请求（${{price}}）。",
  "connect.confirm": "现在发送？[y/N]",
  "connect.progress": "{{call}}：{{asked}} 个问题中已回答 {{answered}} 个，已发送 {{sent}} 个请求",
  "connect.done": "完成：已发送 {{sent}} 个请求，${{price}}。",
  "connect.all-kept": "账本中已有全部内容，未发送任何请求。",
  "connect.so-far": "已发送 {{sent}} 个请求（${{price}}）；{{asked}} 个问题中已回答 {{answered}} 个，均已保留。",
  "connect.line": "{{month}}  Cost Explorer 未混合成本 {{unblended}}，摊销成本 {{amortized}}；账单金额 {{billed}}，有效成本 {{effective}}",
  "connect.line-estimated": "{{month}}  Cost Explorer 未混合成本 {{unblended}}，摊销成本 {{amortized}}（暂估）；账单金额 {{billed}}，有效成本 {{effective}}",
  "connect.line-forecast": "{{month}}  AWS 预测 {{mean}}（{{low}} 至 {{high}}）",
  "connect.nothing": "Cost Explorer 没有此周期的金额。",
};
