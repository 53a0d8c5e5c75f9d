import type { budgets as en } from "../en/budgets.ts";

export const budgets: Record<keyof typeof en, string> = {
  "budgets.none": "账本中还没有预算。",
  "budgets.line": "{{state}}：{{name}}，{{period}}：{{budget}} 中已用 {{actual}}（{{share}}），预测 {{forecast}}；负责人：{{owner}}",
  "budgets.no-owner": "无",
  "budgets.state.over": "超支",
  "budgets.state.forecast-over": "预计超支",
  "budgets.state.near": "接近上限",
  "budgets.state.within": "预算内",
  "budgets.state.no-plan": "无计划",
  "budgets.state.unknown": "未知",
  "budgets.imported": "已导入计划：新增 {{added}} 项预算，更改 {{changed}} 项，{{same}} 项不变；设定了 {{months}} 个月。",
  "budgets.import-preview": "该计划将新增 {{added}} 项预算，更改 {{changed}} 项，{{same}} 项不变；将设定 {{months}} 个月。",
  "alert.actual": "{{name}} 在 {{period}} 已花费 {{value}}，达到计划 {{budget}} 的 {{percent}}% 或以上。请在按团队的月报中找出增长的部分，然后停用或调拨预算；由 {{owner}} 决定。",
  "alert.forecast": "若预测成立，{{name}} 在 {{period}} 将达到 {{value}}，为计划 {{budget}} 的 {{percent}}% 或以上。现在行动还来得及；由 {{owner}} 决定。",
};
