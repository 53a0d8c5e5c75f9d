/**
 * A month of a made-up company, as the engine's documents have it, written by hand: what the window's tests and its screenshots
 * without an engine are drawn from. Keys are literal texts, so that these documents need no catalog of their own.
 */
import type { BatchSummary, ImportPreview, LedgerStatus, MatchList, RowsPage, ScopeValues } from "../../shared/contract/methods.ts";
import type { Block, Cell, Column, Explanation, FigureRef, Message, MessageParam, ReportDocument, ReportRequest, Row, TableBlock, Tile } from "../../shared/contract/report.ts";
import { defaultIdlePolicy } from "../../shared/contract/report.ts";
import type { Basis, Figure, MetricId, UnknownReason } from "../../shared/domain/figure.ts";
import type { Language } from "../../shared/i18n/index.ts";

export interface Documents {
  readonly review: ReportDocument;
  readonly efficiency: ReportDocument;
  readonly imports: ReportDocument;
  readonly explanation: Explanation;
  readonly status: LedgerStatus;
  readonly scope: ScopeValues;
  readonly batches: readonly BatchSummary[];
  readonly matches: MatchList;
  readonly preview: ImportPreview;
  readonly rows: RowsPage;
}

export const months = ["2025-10", "2025-11", "2025-12", "2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09"];
const period = "2026-09";

/** Cents as attos. */
export function cents(amount: number): bigint {
  return BigInt(amount) * 10n ** 16n;
}

export function request(report: ReportRequest["report"]): ReportRequest {
  return { report, period, scope: {}, basis: "EffectiveCost", currency: "USD" };
}

export function documentsIn(language: Language): Documents {
  const say = (en: string, zh: string, params: Readonly<Record<string, MessageParam>> = {}): Message => ({ key: language === "en" ? en : zh, params });
  const ref = (metric: MetricId, scope: FigureRef["scope"] = {}): FigureRef => ({ metric, period, scope, basis: "EffectiveCost", currency: "USD" });
  const figure = (metric: MetricId, value: Figure["value"], unit: string, basis: Basis = "billed", coverage = 1, why?: UnknownReason): Figure => ({ metric, value, unit, basis, coverage, ...(why === undefined ? {} : { why }) });
  const money = (metric: MetricId, amount: number, scope: FigureRef["scope"] = {}): Cell => ({ figure: figure(metric, cents(amount), "USD"), explain: ref(metric, scope) });
  const ratio = (metric: MetricId, value: number): Cell => ({ figure: figure(metric, value, "ratio", "measured", 0.926), explain: ref(metric) });
  const number = (metric: MetricId, value: number, unit: string): Cell => ({ figure: figure(metric, value, unit, "measured", 0.926) });
  const words = (en: string, zh: string, params: Readonly<Record<string, MessageParam>> = {}): Cell => ({ message: say(en, zh, params) });
  const none: Cell = { absent: "not-applicable" };
  const text = (value: string): Cell => ({ text: value });
  const column = (id: string, kind: Column["kind"], priority: Column["priority"], en: string, zh: string, signed = false): Column => ({ id, label: say(en, zh), kind, priority, ...(signed ? { signed } : {}) });
  const row = (id: string, cells: readonly Cell[], tone?: Row["tone"]): Row => ({ id, cells, ...(tone === undefined ? {} : { tone }) });
  const table = (id: string, title: readonly [string, string], note: readonly [string, string] | null, columns: readonly Column[], rows: readonly Row[], total: Row | null, chart: TableBlock["chart"] = null): TableBlock => ({
    kind: "table", id, title: say(...title), note: note === null ? null : say(...note), chart, columns, rows, total,
  });
  const teamNames: readonly (readonly [string, string])[] = [["Foundation models", "基础模型"], ["Vision", "视觉"], ["Speech", "语音"], ["Search & ranking", "搜索排序"], ["Simulation", "仿真"], ["Platform", "平台"]];
  const team = (index: number): Cell => text(teamNames[index]?.[language === "en" ? 0 : 1] ?? "");

  const provenance: ReportDocument["provenance"] = {
    ledgerName: "sample.gpuledger", isSample: true, revision: 7, completeUntil: "2026-10-01T00:00:00Z", lastImportAt: "2026-10-06T09:12:00Z", rowsSetAside: 3, telemetryCoverage: 0.926, idlePolicy: defaultIdlePolicy,
    sources: [{ batch: 31, file: "aws-focus-2026-09.csv.gz", sha256: "9f41".padEnd(64, "0"), format: "focus", rows: 48_199 }],
  };
  const documentOf = (report: ReportRequest["report"], title: Message, answer: Message, context: readonly Message[], blocks: readonly Block[]): ReportDocument => ({
    report, request: request(report), period: { start: "2026-09-01T00:00:00Z", end: "2026-10-01T00:00:00Z" }, currency: "USD", otherCurrencies: [], provenance, title, answer, context, blocks,
  });

  const tile = (id: MetricId, label: Message, value: Figure["value"], unit: string, note: Message, series: readonly (number | null)[]): Tile => ({
    id, label, figure: figure(id, value, unit, "derived", 0.926), explain: ref(id), note, series: series.map((entry, index) => ({ at: months[index] ?? "", value: entry })),
  });
  const teamRow = (index: number, spend: number, change: number, use: number, idle: number, useful: number): Row =>
    row(`team ${index}`, [team(index), money("spend", spend, { team: [teamNames[index]?.[0] ?? ""] }), money("spend-change", change), ratio("gpu-utilization", use), money("idle-cost", idle), { figure: figure("useful-gpu-hour-cost", cents(useful), "USD/gpu-hour", "derived"), explain: ref("useful-gpu-hour-cost") }]);
  const bridge = table(
    "bridge", ["Why it changed", "变动原因"], ["+$12,259.81 on August; zero line is August", "比8月 +$12,259.81；零线为8月"],
    [column("cause", "text", 1, "Cause", "原因"), column("detail", "text", 2, "Detail", "说明"), column("amount", "figure", 1, "USD", "美元", true)],
    [
      row("previous", [words("August 2026", "2026年8月"), none, money("spend", 20_212_036)]),
      row("volume", [words("Volume", "用量"), words("+3,904 GPU-hours", "+3,904 GPU 小时"), money("spend-change", 712_618)]),
      row("mix", [words("Mix", "结构"), words("more H100, on demand", "转向 H100 与按量"), money("spend-change", 543_732)]),
      row("price", [words("Price", "价格"), words("spot up, A100 down", "竞价涨，A100 按量降"), money("spend-change", 62_370)]),
      row("new", [words("New", "新增"), words("Search, GCP H100", "搜索排序，GCP H100"), money("spend-change", 377_600)]),
      row("gone", [words("Gone", "停用"), words("Simulation, A100", "仿真，Azure A100"), money("spend-change", -284_400)]),
      row("unused-commitments", [words("Unused commitments", "未用的承诺"), words("fewer hours", "未用小时减少"), money("spend-change", -90_084)], "committed"),
      row("other-services", [words("Storage, network, support", "存储、网络、支持"), none, money("spend-change", -95_855)]),
    ],
    row("total", [words("September 2026", "2026年9月"), none, money("spend", 21_438_017)]),
    "bridge",
  );
  const mover = (id: string, index: number, line: readonly [string, string], spend: number | null, change: number, reason: readonly [string, string]): Row =>
    row(id, [team(index), words(...line), spend === null ? none : money("spend", spend), money("spend-change", change), words(...reason)]);
  const review = documentOf(
    "review",
    say("Statement for September 2026", "2026年9月账单"),
    say("September cost {{spend}}, {{ratio}} more than August; idle GPUs account for {{idle}} of it.", "9月成本 {{spend}}，比8月多 {{ratio}}；其中闲置 GPU 花了 {{idle}}。", {
      spend: { figure: figure("spend", cents(21_438_017), "USD"), explain: ref("spend") }, ratio: { ratio: 0.0607 }, idle: { figure: figure("idle-cost", cents(3_185_013), "USD", "measured", 0.926), explain: ref("idle-cost") },
    }),
    [
      say("Effective cost: prepayments spread, no tax.", "实际成本：预付已摊销，不含税。"),
      say("Of the idle cost {{now}} is avoidable now; {{sunk}} is sunk in commitments.", "闲置成本中 {{now}} 现在即可省下，{{sunk}} 锁在承诺期内。", { now: { money: cents(801_336), currency: "USD" }, sunk: { money: cents(2_383_677), currency: "USD" } }),
      say("Per day 9.6 % more, as August had a day extra.", "9月少一天，日均多 9.6%。"),
    ],
    [
      { kind: "figures", id: "tiles", title: null, tiles: [
        tile("spend", say("Spend", "成本"), cents(21_438_017), "USD", say("+6.1 % on August", "比8月 +6.1%"), [150, 155, 148, 162, 168, 178, 174, 183, 187, 191, 202.1, 214.4]),
        tile("useful-gpu-hour-cost", say("Per useful GPU-hour", "每有效 GPU 小时"), cents(292), "USD/gpu-hour", say("$2.86 in August", "8月 $2.86"), [3.42, 3.4, null, 3.31, 3.22, 3.16, 3.18, 3.05, 3, 2.95, 2.86, 2.92]),
        tile("gpu-utilization", say("GPU utilisation", "GPU 利用率"), 0.656, "ratio", say("GPU-Util, Aug 66.3 %", "引擎活跃，8月 66.3%"), [0.55, 0.56, null, 0.58, 0.6, 0.62, 0.61, 0.63, 0.65, 0.65, 0.663, 0.656]),
        tile("effective-savings-rate", say("Effective savings rate, on list", "实际节省率（对目录价）"), 0.403, "ratio", say("40.7 % in August", "8月 40.7%"), [0.3, 0.31, 0.3, 0.32, 0.34, 0.39, 0.39, 0.395, 0.4, 0.405, 0.407, 0.403]),
      ] },
      bridge,
      table(
        "movers", ["Top movers", "变动最大的项目"], ["USD", "美元"],
        [column("team", "text", 1, "Team", "团队"), column("line", "text", 1, "line", "资源"), column("spend", "figure", 1, "September", "9月"), column("change", "figure", 1, "Change", "变动", true), column("reason", "text", 2, "Reason", "原因")],
        [
          mover("a", 0, ["AWS H100 on demand", "AWS H100 按量"], 1_894_400, 1_139_200, ["+2,410 GPU-hours", "+2,410 GPU 小时"]),
          mover("b", 3, ["GCP H100 on demand", "GCP H100 按量"], 377_600, 377_600, ["new", "新增"]),
          mover("c", 4, ["Azure A100 on demand", "Azure A100 按量"], null, -284_400, ["gone", "停用"]),
          mover("d", 2, ["Azure A100 on demand", "Azure A100 按量"], 577_500, 198_300, ["+530 GPU-hours", "+530 GPU 小时"]),
          mover("e", 4, ["GCP A100 spot", "GCP A100 竞价"], 897_440, 188_730, ["$1.31 to $1.42", "$1.31 涨至 $1.42"]),
          row("all-other", [words("All 27 other lines", "其余 27 项"), none, money("spend", 17_691_077), money("spend-change", -393_449), none], "muted"),
        ],
        row("total", [words("Total", "合计"), none, money("spend", 21_438_017), money("spend-change", 1_225_981), none]),
      ),
      table(
        "teams", ["Teams", "团队"], ["USD", "美元"],
        [column("team", "text", 1, "Team", "团队"), column("spend", "figure", 1, "Actual", "实际"), column("change", "figure", 2, "Change", "变动", true), column("utilization", "figure", 1, "Utilisation %", "利用率 %"), column("idle", "figure", 1, "Idle", "闲置成本"), column("useful", "figure", 1, "Per useful h", "每有效小时")],
        [
          teamRow(0, 9_449_717, 1_139_200, 0.714, 1_219_188, 544), teamRow(1, 3_608_160, -20_415, 0.582, 779_556, 385), teamRow(3, 2_146_588, 377_600, 0.639, 311_665, 119), teamRow(4, 2_077_059, -95_670, 0.788, 143_423, 122), teamRow(2, 1_904_805, 198_300, 0.546, 446_639, 385), teamRow(5, 911_686, -187_095, 0.413, 284_542, 324),
          row("unused-commitments", [words("Unused commitments", "未用的承诺"), money("spend", 723_852), money("spend-change", -90_084), none, none, none], "committed"),
          row("not-allocated", [words("Not allocated", "未分摊"), money("spend", 616_150), money("spend-change", -95_855), none, none, none], "muted"),
        ],
        row("total", [words("Total", "合计"), money("spend", 21_438_017), money("spend-change", 1_225_981), ratio("gpu-utilization", 0.656), money("idle-cost", 3_185_013), { figure: figure("useful-gpu-hour-cost", cents(292), "USD/gpu-hour", "derived"), explain: ref("useful-gpu-hour-cost") }]),
      ),
      { kind: "notes", id: "closing", notes: [
        { id: "commitments", title: say("Commitments", "承诺"), tone: "committed", lines: [say("94.7 % used, {{unused}} unused.", "利用率 94.7%，浪费 {{unused}}。", { unused: { money: cents(723_852), currency: "USD" } }), say("77.4 % of the eligible hours are covered.", "可覆盖的小时中 77.4% 已覆盖。")] },
        { id: "gpu", title: say("GPU share", "GPU 占比"), tone: "plain", lines: [say("{{gpu}} of the bill is GPU time, 85.1 % of it.", "账单中 {{gpu}} 为 GPU 时间，占 85.1%。", { gpu: { money: cents(18_251_548), currency: "USD" } })] },
        { id: "telemetry", title: say("Telemetry", "遥测"), tone: "unknown", lines: [say("92.6 % of GPU-hours, 92.5 % of their cost.", "覆盖 92.6% 的 GPU 小时，占成本 92.5%。")] },
      ] },
    ],
  );

  const way = (id: MetricId, en: string, zh: string, amount: number, share: number, tone: Row["tone"]): Row => row(id, [words(en, zh), money(id, amount), { figure: figure("gpu-hours-cost", share, "ratio", "derived") }, words("meaning", "含义")], tone);
  const states = (seed: number, base: number): readonly number[] =>
    Array.from({ length: 720 }, (_, hour) => {
      const wave = Math.round(base + 22 * Math.sin((hour + seed * 7) / 9) + ((hour * (seed + 3) * 7919) % 13));
      const part = (hour + seed * 31) % 97;
      if (seed % 5 === 3 && part < 18) return -1;
      if (seed % 4 === 1 && part > 60 && part < 72) return -2;
      if (seed % 3 === 2 && part > 20 && part < 44) return -3;
      if (seed % 4 === 3 && part > 74 && part < 92) return -4;
      return Math.max(5, Math.min(98, wave));
    });
  const nodes: readonly (readonly [string, string, number])[] = [["aws p5-01", "H100", 80], ["aws p5-02", "H100", 76], ["aws p5-03", "H100", 50], ["aws p5-04", "H100", 72], ["gcp a3-01", "H100", 60], ["azr nd-01", "A100", 84], ["azr nd-02", "A100", 48], ["azr nd-03", "A100", 52], ["azr nd-04", "A100", 30], ["azr nd-05", "A100", 78], ["azr nd-06", "A100", 44], ["gcp a2-01", "A100", 72], ["aws g6-01", "L4", 40], ["aws g6-02", "L4", 36], ["aws g6-03", "L4", 28], ["gcp g2-01", "L4", 42], ["gcp g2-02", "L4", 70]];
  const flops = (model: string, price: number, peak: number, effective: number, achieved: number | null): Row =>
    row(`model ${model}`, [text(model), { figure: figure("gpu-hour-price", cents(price), "USD/gpu-hour"), explain: ref("gpu-hour-price") }, number("flops-per-dollar-peak", peak, "pflop/USD"), number("flops-per-dollar-effective", effective, "pflop/USD"), achieved === null ? { figure: figure("flops-per-dollar-achieved", null, "pflop/USD", "measured", 0, "not-measured") } : number("flops-per-dollar-achieved", achieved, "pflop/USD"), text("bf16"), text("1,568")]);
  const episode = (host: string, index: number, from: string, hours: number, state: "held" | "dead", evidence: readonly [string, string], cost: number, avoidable: number | null): Row =>
    row(`${host} ${from}`, [text(host), team(index), { instant: `2026-09-${from}:00Z`, precision: "minute" }, number("idle-gpu-hours", hours, "hours"), number("row-count", 8, "count"), state === "held" ? words("held", "占用") : words("dead", "完全"), words(...evidence), money("idle-cost", cost), avoidable === null ? words("sunk", "已锁定") : money("idle-avoidable-cost", avoidable)], state);
  const efficiency = documentOf(
    "efficiency",
    say("What work did the GPUs do?", "GPU 做了什么工作？"),
    say("Of {{cost}} of GPU time, 54.7 % did productive work; {{idle}} was held or dead idle.", "GPU 时间共 {{cost}}，54.7% 用于有效工作；{{idle}} 处于闲置。", { cost: { figure: figure("gpu-hours-cost", cents(18_251_548), "USD"), explain: ref("gpu-hours-cost") }, idle: { figure: figure("idle-cost", cents(3_185_013), "USD"), explain: ref("idle-cost") } }),
    [say("$8,013.36 of it is on demand or spot and can stop now; $23,836.77 is committed and sunk until it expires.", "其中 $8,013.36 为按量或竞价，可立即停用；$23,836.77 属承诺，到期前无法收回。"), say("7.5 % of the money has no telemetry.", "7.5% 的金额没有遥测。")],
    [
      table("four-ways", ["Where the GPU money went", "GPU 的钱花在哪里"], ["USD", "美元"], [column("way", "text", 1, "Way", "类别"), column("cost", "figure", 1, "Cost", "成本"), column("share", "figure", 1, "Share", "占比"), column("meaning", "text", 3, "Meaning", "含义")],
        [way("productive-cost", "Productive", "有效", 9_979_341, 0.547, "useful"), way("busy-inefficient-cost", "Busy, inefficient", "忙而低效", 3_723_540, 0.204, "busy"), way("held-idle-cost", "Held idle", "占用闲置", 1_736_089, 0.095, "held"), way("dead-idle-cost", "Dead idle", "完全闲置", 1_448_924, 0.079, "dead"), way("unknown-cost", "Unknown", "未知", 1_363_654, 0.075, "unknown")],
        row("total", [words("GPU time", "GPU 时间"), money("gpu-hours-cost", 18_251_548), { figure: figure("gpu-hours-cost", 1, "ratio", "derived") }, none]), "four-way"),
      { kind: "heat", id: "fleet", title: say("Fleet", "机群"), note: say("GPU-Util, hour by hour; a row is a node of 8 GPUs", "逐小时利用率；一行为一个 8 卡节点"), start: "2026-09-01T00:00:00Z", hours: 720,
        rows: nodes.map(([label, gpuModel, base], index) => ({ id: label, label, gpuModel, team: teamNames[index % 6]?.[0] ?? null, gpus: 8, states: states(index, base), mean: figure("gpu-utilization", base / 100, "ratio", "measured"), explain: null, idleHours: figure("idle-gpu-hours", index % 4 === 0 ? 0 : index * 9, "hours", "measured") })) },
      table("flops", ["FLOPS per dollar", "每美元算力"], ["10^15 per USD", "10^15 / 美元"], [column("model", "text", 1, "GPU", "GPU"), column("price", "figure", 1, "Price", "单价"), column("peak", "figure", 1, "Peak", "峰值"), column("effective", "figure", 1, "Effective", "有效"), column("achieved", "figure", 1, "Achieved", "实现"), column("precision", "text", 2, "Precision", "精度"), column("peak-fp8", "text", 3, "Peak, fp8", "峰值，fp8")],
        [flops("H100", 454, 784, 246, 189), flops("A100", 190, 590, 146, 112), flops("L4", 53, 816, 79, null)], null, "flops"),
      table("memory", ["Memory used", "显存占用"], ["% of the card", "占显存 %"], [column("model", "text", 1, "GPU", "GPU"), column("mean", "figure", 1, "Mean %", "平均 %"), column("p95", "figure", 1, "P95 %", "P95 %"), column("peak", "figure", 1, "Peak %", "峰值 %")],
        ([["H100", 0.713, 0.926, 0.981], ["A100", 0.579, 0.884, 0.967], ["L4", 0.368, 0.609, 0.742]] as const).map(([model, mean, high, peak]) => row(model, [text(model), ratio("memory-occupancy", mean), ratio("memory-p95", high), ratio("memory-peak", peak)])), null),
      table("episodes", ["Idle episodes", "闲置时段"], ["by cost, USD", "按成本，美元"],
        [column("host", "mono", 1, "Node", "节点"), column("team", "text", 1, "Team", "团队"), column("from", "time", 1, "From (UTC)", "始于（UTC）"), column("hours", "figure", 1, "Hours", "小时"), column("gpus", "figure", 2, "GPUs", "GPU 数"), column("state", "text", 1, "State", "状态"), column("evidence", "text", 2, "Evidence", "证据"), column("cost", "figure", 1, "Cost", "成本"), column("avoidable", "figure", 1, "Avoidable", "可省")],
        [episode("azr nd-04", 2, "21T12:00", 62, "held", ["0.1 %, 61.0 GiB held, 92 W", "0.1%，占用 61.0 GiB，92 W"], 96_720, null), episode("azr nd-02", 1, "24T00:00", 38, "held", ["0.2 %, 61.0 GiB held, 88 W", "0.2%，占用 61.0 GiB，88 W"], 59_280, null), episode("aws p5-04", 0, "24T22:00", 11.5, "dead", ["0.0 %, 0.6 GiB, 74 W", "0.0%，0.6 GiB，74 W"], 58_880, 58_880), episode("gcp a3-01", 3, "24T12:00", 4.5, "dead", ["0.0 %, 0.4 GiB, 61 W", "0.0%，0.4 GiB，61 W"], 21_240, 21_240),
          row("all-other", [words("All 213 other episodes", "其余 213 个时段"), none, none, none, none, none, none, money("idle-cost", 2_948_893), money("idle-avoidable-cost", 721_216)], "muted")],
        row("total", [words("Idle, September", "闲置，9月"), none, none, none, none, none, none, money("idle-cost", 3_185_013), money("idle-avoidable-cost", 801_336)])),
      { kind: "notes", id: "rules", notes: [{ id: "idle", title: say("Idle", "闲置"), tone: "plain", lines: [say("At or under 5 %, busy again at 10 %, from 15 minutes.", "不高于 5% 为闲置，达到 10% 恢复忙碌，满 15 分钟起算。")] }, { id: "confidence", title: say("Confidence", "可信度"), tone: "unknown", lines: [say("Medium: 92.6 % of the time is known.", "中：已知 92.6% 的时间。")] }] },
    ],
  );

  const source = (id: string, en: string, zh: string, missing: readonly number[]): Row => row(id, [words(en, zh), ...months.map((_month, index): Cell => ({ message: { key: missing.includes(index) ? "completeness.missing" : index === 11 && id === "dcgm" ? "completeness.partial" : "completeness.complete", params: { covered: { number: 30 }, days: { number: 30 } } } }))]);
  const imports = documentOf("imports", say("Is the data complete and right?", "数据是否完整、正确？"), say("September is complete except for {{rows}} rows set aside.", "9月数据完整，另有 {{rows}} 行待处理。", { rows: { count: 3 } }), [say("41 files, 80,434 rows.", "41 个文件，80,434 行。")], [
    table("completeness", ["Complete?", "是否完整？"], ["by source and month, October 2025 to September 2026", "按来源与月份，2025年10月至2026年9月"], [column("source", "text", 1, "Source", "来源"), ...months.map((month) => column(month, "text", 1, month, month))], [source("aws", "AWS, FOCUS", "AWS，FOCUS", []), source("azure", "Azure, FOCUS", "Azure，FOCUS", []), source("gcp", "Google Cloud, FOCUS", "Google Cloud，FOCUS", []), source("dcgm", "nvidia-smi log", "nvidia-smi 日志", [2])], null, "completeness"),
    table("reconcile-USD", ["Files against the ledger", "文件与账本核对"], ["USD, September 2026", "美元，2026年9月"], [column("line", "text", 1, "Line", "项目"), column("amount", "figure", 1, "Amount", "金额")], [row("files", [words("3 files", "3 个文件"), money("spend", 21_438_017)]), row("ledger", [words("In the ledger", "账本中"), money("spend", -21_438_017)])], row("unexplained", [words("Unexplained", "无法解释"), money("spend", 0)])),
    table("set-aside", ["Set aside", "待处理"], ["rows the ledger does not hold", "账本未收的行"], [column("file", "mono", 1, "File", "文件"), column("line", "mono", 1, "Line", "行号"), column("column", "mono", 1, "Field", "字段"), column("value", "mono", 1, "As found", "原文"), column("reason", "text", 1, "Reason", "原因"), column("rows", "figure", 1, "Rows", "行数")],
      [["18,442", "ChargePeriodEnd", "2026-09-11T03:00Z"], ["31,007", "PricingQuantity", "1.2.0"], ["47,993", "BilledCost", "n/a"]].map(([line = "", field = "", value = ""]) => row(line, [text("aws-focus-2026-09.csv.gz"), text(line), text(field), text(value), words("expected a decimal", "应为小数"), number("row-count", 1, "rows")])), row("total", [words("Total", "合计"), none, none, none, none, number("row-count", 3, "rows")])),
  ]);

  const explanation: Explanation = {
    ref: ref("useful-gpu-hour-cost"), figure: figure("useful-gpu-hour-cost", cents(292), "USD/gpu-hour", "derived", 0.926), title: say("Cost per useful GPU-hour", "每有效 GPU 小时成本"), what: say("What one GPU-hour of work cost in September 2026, all teams, all GPU models.", "2026年9月每个有效 GPU 小时的成本，含所有团队与型号。"), formula: say("GPU cost ÷ (GPU-hours × utilisation)", "GPU 成本 ÷（GPU 小时 × 利用率）"), method: "useful-gpu-hour-cost",
    inputs: [
      { label: say("GPU cost, effective", "GPU 成本（实际）"), figure: figure("gpu-hours-cost", cents(18_251_548), "USD") },
      { label: say("GPU-hours", "GPU 小时"), figure: figure("gpu-hours", 95_240, "gpu-hours") },
      { label: say("Utilisation", "利用率"), figure: figure("gpu-utilization", 0.65637, "ratio", "measured", 0.926) },
      { label: say("Useful GPU-hours", "有效 GPU 小时"), figure: figure("useful-gpu-hours", 62_513, "gpu-hours", "derived") },
    ],
    splits: [table("by-model", ["By GPU model", "按 GPU 型号"], null, [column("model", "text", 1, "GPU", "GPU"), column("cost", "figure", 1, "Cost", "成本"), column("hours", "figure", 1, "Useful h", "有效小时"), column("rate", "figure", 1, "Rate", "单价")], ([["H100", 9_280_768, 14_012, 662], ["A100", 6_918_880, 23_471, 295], ["L4", 2_051_900, 25_030, 82]] as const).map(([model, cost, hours, rate]) => row(model, [text(model), { figure: figure("gpu-hours-cost", cents(cost), "USD") }, number("useful-gpu-hours", hours, "gpu-hours"), { figure: figure("useful-gpu-hour-cost", cents(rate), "USD/gpu-hour") }])), null)],
    coverage: say("92.6 % of GPU-hours have telemetry. The rest is taken at the mean of the known; the range takes it as all idle or all busy.", "92.6% 的 GPU 小时有遥测。其余按已知部分的均值计；区间按全部闲置与全部忙碌计。"),
    notInIt: [say("Unused commitments, {{unused}}: they bought no GPU-hour.", "未用的承诺 {{unused}}：没有买到 GPU 小时。", { unused: { money: cents(723_852), currency: "USD" } })],
    assumptions: [],
    sources: [{ batch: 31, file: "aws-focus-2026-09.csv.gz", sha256: "9f41".padEnd(64, "0"), format: "focus", rows: 48_199 }, { batch: 32, file: "azure-focus-2026-09.csv", sha256: "a".repeat(64), format: "focus", rows: 22_874 }, { batch: 33, file: "nvidia-smi-aws-p5-01.csv", sha256: "b".repeat(64), format: "nvidia-smi-csv", rows: 5_290_657 }],
    range: { low: figure("useful-gpu-hour-cost", cents(281), "USD/gpu-hour"), high: figure("useful-gpu-hour-cost", cents(315), "USD/gpu-hour") },
    rowCount: 19, splitBy: ["team", "gpuModel"],
  };

  const totals = { BilledCost: "117867.02", EffectiveCost: "117867.02", ListCost: "197112.4", ContractedCost: null };
  const batch = (id: number, file: string, kind: "billing" | "telemetry", rows: number, extra: Partial<BatchSummary> = {}): BatchSummary => ({
    batch: id, kind, state: "posted", importedAt: "2026-10-06T09:12:00Z", format: kind === "billing" ? "focus" : "nvidia-smi-csv", version: kind === "billing" ? "1.2" : null, files: [file], periods: [period], rowsPosted: rows, rowsSetAside: 0, totals: kind === "billing" ? { USD: totals } : {}, corrections: {}, isShown: true, cellsKept: true, ...extra,
  });
  const report = { error: null, setAside: [], repairs: {}, periods: [period], totals: {}, corrections: {}, devices: 0, coverage: null, batch: null, reasons: [], deliveries: [], telemetry: null, shape: null, mapping: null, sameAs: null, sha256: "9f41c0de".padEnd(60, "7") + "52bd" } as const;
  return {
    review, efficiency, imports, explanation,
    status: { name: "sample.gpuledger", isSample: true, isReadOnly: false, revision: 7, isEmpty: false, months: [...months].reverse().map((label) => ({ label, hasBill: true, hasTelemetry: label !== "2025-12" })), currencies: ["USD", "EUR"], completeUntil: "2026-10-01T00:00:00Z", lastImportAt: "2026-10-06T09:12:00Z", rowsSetAside: 3, idlePolicy: defaultIdlePolicy, hoursUnderOldPolicy: false, counter: null, hoursWithoutCounter: false },
    scope: { provider: ["AWS", "Azure", "Google Cloud"], account: [{ id: "111111111111", name: "research" }, { id: "222222222222", name: null }], team: [...teamNames.map(([name]) => name), null], service: ["Amazon EC2", "Virtual Machines", "Compute Engine"], region: ["us-east-1", "westeurope"], gpuModel: ["H100", "A100", "L4"] },
    batches: [batch(33, "nvidia-smi-aws-p5-01.csv", "telemetry", 5_290_657), batch(32, "azure-focus-2026-09.csv", "billing", 22_874), batch(31, "aws-focus-2026-09.csv.gz", "billing", 48_199, { rowsSetAside: 3 }), batch(30, "aws-focus-2026-09-early.csv.gz", "billing", 46_011, { isShown: false }), batch(29, "gcp-trial.csv", "billing", 120, { state: "undone" })],
    matches: {
      hosts: [
        { host: "gpu-node-17", devices: 8, gpuModel: "H100", firstAt: "2026-09-01T00:00:00Z", lastAt: "2026-09-30T23:00:00Z", resource: null, rule: null, proposals: [{ resource: "i-0abc17", reason: "similar-name" }] },
        { host: "aws-p5-01", devices: 8, gpuModel: "H100", firstAt: "2026-09-01T00:00:00Z", lastAt: "2026-09-30T23:00:00Z", resource: "i-0aa1", rule: "node-name", proposals: [] },
        { host: "azr-nd-02", devices: 8, gpuModel: "A100", firstAt: "2026-09-01T00:00:00Z", lastAt: "2026-09-30T23:00:00Z", resource: "/vm/nd-02", rule: "user-map", proposals: [] },
      ],
      unmatchedResources: [{ resource: "i-0abc17", provider: "AWS", gpuModel: "H100", gpuHours: 5_760, currency: "USD", effectiveCost: "13636.54" }],
    },
    preview: {
      plan: "plan-1",
      files: [
        { ...report, path: "aws-focus-2026-09.csv.gz", kind: "billing", format: "focus", version: "1.2", state: "ready", rowsRead: 48_202, rowsPosted: 48_199, rowsSetAside: 3, size: 41_200_000, totals: { USD: totals }, reasons: [{ code: "columns-present", params: { columns: "BilledCost, EffectiveCost, ChargePeriodStart" } }], repairs: { "tags-unreadable": 2 },
          setAside: [{ line: 18_442, column: "ChargePeriodEnd", value: "2026-09-11T03:00Z", reason: "period-order" }, { line: 31_007, column: "PricingQuantity", value: "1.2.0", reason: "decimal" }, { line: 47_993, column: "BilledCost", value: "n/a", reason: "decimal" }],
          deliveries: [{ delivery: 1, coverage: "whole", providerName: "AWS", billingAccountId: "111111111111", datasetKind: "cash-and-accrual", period, firstDay: "2026-09-01", lastDay: "2026-09-30", coversAllAccounts: true, replacesBatches: [30], changes: [
            { currency: "USD", kind: "same", cells: 4_000, rows: 46_607, was: "115411.96", becomes: "115411.96" }, { currency: "USD", kind: "changed", cells: 40, rows: 388, was: "1937.77", becomes: "1842.66" }, { currency: "USD", kind: "new", cells: 90, rows: 1_204, was: null, becomes: "612.40" }, { currency: "USD", kind: "removed", cells: 2, rows: 12, was: "18.30", becomes: null },
          ] }] },
        { ...report, path: "azure-focus-2026-09.csv", kind: "billing", format: "focus", version: "1.0", state: "unchanged", rowsRead: 22_874, rowsPosted: 0, rowsSetAside: 0, size: 18_700_000 },
        { ...report, path: "nvidia-smi-aws-p5-01.csv", kind: "telemetry", format: "nvidia-smi-csv", version: null, state: "ready", rowsRead: 345_600, rowsPosted: 345_600, rowsSetAside: 0, size: 31_000_000, devices: 8, coverage: 0.981, telemetry: { hosts: ["aws-p5-01"], zone: "Europe/Berlin", zoneFrom: "option", firstAt: "2026-09-01T00:00:00Z", lastAt: "2026-09-30T23:59:00Z", typicalSpacingSeconds: 60, lowTrustSamples: 0, duplicates: 4, matched: [{ host: "aws-p5-01", resource: "i-0aa1", rule: "node-name" }] } },
        { ...report, path: "local-times.csv", kind: null, format: null, version: null, state: "refused", error: { code: "import.zone-needed", params: { file: "local-times.csv" } }, rowsRead: 0, rowsPosted: 0, rowsSetAside: 0, size: 90_000, sha256: null },
      ],
    },
    rows: {
      total: 350, columns: ["ChargePeriodStart", "ServiceName", "ResourceId", "ChargeDescription", "EffectiveCost"],
      rows: Array.from({ length: 200 }, (_, index) => ({ file: "aws-focus-2026-09.csv.gz", line: 120 + index * 3, batch: 31, values: [`2026-09-${String((index % 30) + 1).padStart(2, "0")}T00:00:00Z`, "Amazon EC2", `i-0aa${index % 9}`, "p5.48xlarge on demand", index % 7 === 0 ? null : "98.3200000000"] })),
      missing: [],
    },
  };
}
