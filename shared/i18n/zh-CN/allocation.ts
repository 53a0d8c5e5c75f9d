import type { allocation as en } from "../en/allocation.ts";

export const allocation: Record<keyof typeof en, string> = {
  "showback.title": "{{period}}的成本分摊",
  "showback.answer": "{{period}}的 {{total}} 中，{{ratio}} 已由团队承担。",
  "showback.answer.no-cost": "{{period}}的账单没有可分摊的成本。",
  "showback.context.even": "{{name}} 已平均分摊：没有团队具备可作依据的数值。",
  "showback.context.negative": "{{name}}：净额为抵扣的团队不参与分摊。",
  "showback.table.title": "各团队承担的成本",
  "column.direct": "自身",
  "column.shared-out": "已分出",
  "column.pool": "{{name}}",
  "column.with-shared": "合计",
};
