import type { findings as en } from "../en/findings.ts";

export const findings: Record<keyof typeof en, string> = {
  "stop-script.title": "GPU Ledger 停机计划，用于 {{tool}}，{{period}}",
  "stop-script.made": "根据日志和账单生成于 {{when}}（UTC）。GPU Ledger 自身不会停止任何机器。",
  "stop-script.read": "请先阅读。不带参数时只打印命令，带 --run 时才执行。",
  "stop-script.rule": "规则：机器的所有 GPU 同时处于 {{percent}} % 及以下，持续 {{minutes}} 分钟。",
  "stop-script.machine": "{{machine}} · 团队 {{team}} · 本期可停 {{hours}} 小时，节省 {{saved}} · 自 {{since}} 起空闲，数据截至 {{until}}",
  "stop-script.why.pinned": "已固定：永不停止。",
  "stop-script.why.at-work": "数据结束时仍在工作：不停止。",
  "stop-script.why.committed": "承诺用量：无论是否运行都要付费，停止不节省现金。",
  "stop-script.why.unclear": "账单未说明购买方式：不计为节省。",
  "stop-script.why.name": "名称无法说明它是该工具的哪台机器。",
  "stop-script.nothing": "本期内该规则不会停止任何属于 {{tool}} 的机器。",

  "stops.answer_one": "如果启用此规则，会停止 {{count}} 台机器共 {{hours}} 小时，节省 {{saved}}。误停：{{stops}} 次中 {{falseStops}} 次。",
  "stops.answer_other": "如果启用此规则，会停止 {{count}} 台机器共 {{hours}} 小时，节省 {{saved}}。误停：{{stops}} 次中 {{falseStops}} 次。",
  "stops.worth": "不节省现金的部分：承诺用量仍需支付 {{sunk}}，账单未说明购买方式的 {{unclear}}。",
  "stops.coverage": "回放覆盖 GPU 费用的 {{share}}：仅限所有 GPU 都有日志的机器。",
  "stops.line": "  {{machine}} · {{team}} · {{hours}} 小时 · {{saved}} · 停止 {{stops}} 次，误停 {{falseStops}} 次 · {{worth}}",
  "stops.worth.cash": "节省现金",
  "stops.worth.mixed": "部分节省现金",
  "stops.worth.committed": "承诺用量，不节省现金",
  "stops.worth.unclear": "购买方式未知",
  "stops.worth.pinned": "已固定",
  "stops.not-replayed.no-log": "  {{machine}}：未回放，没有日志。",
  "stops.not-replayed.gpus-unseen": "  {{machine}}：未回放，日志只有其 {{billed}} 块 GPU 中的 {{seen}} 块。",
};
