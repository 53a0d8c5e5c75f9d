import type { terminal as en } from "../en/terminal.ts";

export const terminal: Record<keyof typeof en, string> = {
  "basis.BilledCost": "账单成本，与发票一致",
  "basis.EffectiveCost": "有效成本，预付已分摊",
  "basis.ContractedCost": "协议成本，未计承诺折扣",
  "basis.ListCost": "目录价成本",

  "print.complete-until": "账单完整至 {{until}}（UTC）。",
  "print.no-bill": "没有账单覆盖该账期。",
  "print.telemetry-coverage": "遥测覆盖 {{share}} 的 GPU 小时。",
  "print.no-gpu-hours": "该账期的账单未列 GPU 小时。",
  "print.set-aside_one": "{{count}} 行已搁置，未计入任何合计。",
  "print.set-aside_other": "{{count}} 行已搁置，未计入任何合计。",
  "print.other-currency": "该账期还有以 {{currency}} 计的金额，未计入以上数字。",
  "print.basis": "成本口径：{{basis}}。账本：{{ledger}}。",
  "print.host": "主机",
  "print.mean": "平均利用率",
  "print.idle-hours": "闲置小时",
  "print.total": "合计",
  "print.summary": "摘要",
  "print.figures": "主要指标",
  "print.figure": "指标",
  "print.value": "数值",
  "print.note": "说明",
  "print.exact": "精确值",
  "print.exact-of": "{{column}}（精确值）",
  "print.converted": "{{currency}}（折算）",
  "print.hash": "本报告数字的哈希：{{hash}}。",
  "print.one-page": "GPU Ledger，第 1 页，共 1 页",
  "print.basis-currency": "{{basis}}；{{currency}}",
  "print.sample": "虚构的示例公司",

  "terminal.posted": "{{file}}：{{format}}，读取 {{rows}} 行，入账 {{posted}} 行，搁置 {{aside}} 行。",
  "terminal.ready": "{{file}}：{{format}}，将入账 {{rows}} 行，搁置 {{aside}} 行。仅预览，未作改动。",
  "terminal.same-as": "{{file}}：与 {{other}} 的内容完全相同，只计一次。",
  "terminal.same-bytes": "  与 {{other}} 的内容完全相同；文件本身未注明主机，按另一台主机的日志读取",
  "terminal.unchanged": "{{file}}：账本中已有，无变化。",
  "terminal.manifest": "{{file}}：清单文件，列出一份导出由哪些文件组成。",
  "terminal.older": "{{file}}：同一导出的旧版本，所选文件中有更新版本，因此未读取。",
  "jobs.by.job": "作业",
  "jobs.by.team": "团队",
  "jobs.by.user": "用户",
  "jobs.by.account": "账户",
  "jobs.by.partition": "分区",
  "jobs.name": "名称",
  "jobs.count": "作业数",
  "jobs.gpu-hours": "占用卡时",
  "jobs.known": "GPU 数已知的作业",
  "jobs.utilization": "利用率",
  "jobs.idle": "闲置",
  "jobs.covered": "有日志",
  "jobs.cost": "成本",
  "jobs.billed": "有账单",
  "jobs.total": "合计",
  "jobs.none": "就已导入的数据，此期间没有作业占用 GPU。",
  "jobs.of-host": "* 为整台主机的数值：主机的 GPU 多于该作业所占用的。",
  "terminal.no-gpu-series": "{{file}}：{{format}}，已读取，但不含 GPU 序列，未入账。",
  "terminal.no-rows": "{{file}}：{{format}}，只有标题行，未入账。",
  "terminal.refused": "{{file}}：已拒绝。{{what}}{{todo}}",
  "terminal.total": "  {{currency}}  账单 {{billed}}  有效 {{effective}}  协议 {{contracted}}  目录 {{list}}",
  "terminal.correction": "  按规则更正，{{currency}}：账单 {{billed}}  有效 {{effective}}",
  "terminal.set-aside": "  第 {{line}} 行，{{column}} 为“{{value}}”：应为{{reason}}",
  "terminal.set-aside-more_one": "  另有 {{count}} 行",
  "terminal.set-aside-more_other": "  另有 {{count}} 行",
  "terminal.repair": "  {{repair}}：{{number}}",
  "terminal.devices": "  {{devices}} 台设备，已知其 {{coverage}} 的时间",
  "terminal.undone": "第 {{batch}} 次导入已撤销，账本恢复到没有它的样子。",
  "terminal.redone": "第 {{batch}} 次导入已恢复入账。",
  "terminal.batch": "{{batch}}  {{when}}  {{state}}  {{format}}  {{rows}} 行  {{files}}",
  "terminal.batch-posted": "已入账",
  "terminal.batch-undone": "已撤销",
  "terminal.mapping.none": "尚未保存列映射。",
  "terminal.mapping.columns_one": "{{count}} 列",
  "terminal.mapping.columns_other": "{{count}} 列",
  "terminal.no-batches": "尚无导入。",
  "terminal.no-totals": "尚无账单。",
  "terminal.unknown": "未知",
  "terminal.month": "月份",
  "terminal.provider": "云厂商",
  "terminal.service": "服务",
  "terminal.team": "团队",
  "terminal.currency": "币种",
  "terminal.rows": "行数",
  "terminal.rows-stating": "行占比",
  "terminal.sample-made": "示例公司的账本位于 {{file}}。",
  "terminal.sample-missing": "尚未生成示例公司；运行“npm run build”即可生成。",
  "terminal.written": "已写入 {{file}}。",
  "terminal.window-hint": "要打开窗口，请在有显示器的环境中运行“npm start”。",
  "terminal.doctor-version": "GPU Ledger {{version}}，Node {{node}}，SQLite {{sqlite}}",
  "terminal.doctor-reference": "参考数据：{{accelerators}} 种加速卡，{{instances}} 种实例规格",
  "terminal.doctor-ledger": "账本 {{file}}：结构版本 {{schema}}，{{batches}} 次导入，完整性{{integrity}}",
  "terminal.doctor-ok": "正常",
  "terminal.doctor-bad": "受损",
  "terminal.doctor-zone": "本机时区：{{zone}}",
  "terminal.unjoined_one": "{{hosts}} 未与任何已计费的机器对应，其使用情况不对应任何成本。请以 --host 资源编号 导入日志，或在“数据导入”的主机列表中指明机器。",
  "terminal.unjoined_other": "{{hosts}} 未与任何已计费的机器对应，其使用情况不对应任何成本。请以 --host 资源编号 导入日志，或在“数据导入”的主机列表中指明机器。",
  "terminal.help": `gpu-ledger 命令 …

  import 路径… --ledger 文件        把账单和 GPU 日志读入账本（没有则新建）
      --timezone 时区              日志未注明时区时使用，例如 Asia/Shanghai
      --host 名称                  日志未注明主机时使用
      --at 时间                    日志未写时间时，最后一次采样的时间
      --every 间隔                 此类日志的采样间隔：10、500ms、1m
      --columns 列表               无标题行的 nvidia-smi 或 dmon 日志的各列
      --mapping 文件.json          按其中的列映射读取账单和日志，并为各自的标题行保存
      --covers period              文件即该账号该月的全部：较早导入中多出的部分会被移除
      --preview                    只说明会有什么变化，不作改动
  report 报表 --ledger 文件 --period 2026-09
                                   review、efficiency、commitments、imports、budgets、showback、kpis、selection、monthly、carbon 或 esg
      --as KIND                    text（默认）、json、csv、md、html、xlsx 或 pdf；后两种须给 --out
      --paper A4|Letter            PDF 的纸张（默认 A4）
      --basis EffectiveCost        BilledCost、EffectiveCost、ContractedCost 或 ListCost
      --counter engine-active      利用率所取的计数器：utilization、engine-active、sm-active、tensor-active 或 dram-active
      --currency 币种              账期中有多种货币时使用
      --in 币种                    全部折算为该币种，逐日按当日汇率
      --scope 维度=值              收窄到 provider、account、team、service、region、gpuModel 或 resource
      --out 文件                   写入文件
  plan --ledger 文件               该预留什么：用量与有日期的价格、盈亏平衡、风险 [--period 2026-09] [--scope …]
      --lookback 7|28|56|91        依据的用量天数，整周（默认 91）；--leave-out spot,one-offs,idle
      --quote KIND,MONTHS,…        每张 GPU 的报价：commitment,36,no-upfront,hourly=1.72 [upfront=、monthly=、convertible、on=日期]；多个用 ; 分隔
      --on-demand PRICE            每卡时按量价；--lot、--max、--gpus 为 GPU 数；--migration 迁移成本；--pool KEY；--option ID
      --growth、--decline、--discount、--spot   百分比：用量每月、价格每年、资金成本、水平之上用竞价的比例
      --renewed、--not-netted、--old-prices     到期视为续订；不扣除现有承诺；旧价格也算
      --scenario NAME、--save NAME 打开已保存的方案、保存本次；生成备忘录：--as pdf|xlsx … --out FILE
  plan scenarios|compare NAME…|terms FILE.csv   列出、并排计算、接收承诺的到期信息
  totals --ledger 文件             精确合计 [--period 2026-09] [--by month,provider,service,team] [--in EUR]
  calc [名称] [--ledger 文件]      计算器；不写名称则列出全部及各自的选项
  budgets check --ledger 文件      各项预算的情况；有超支时退出码为 3
  budgets import 计划.xlsx|计划.csv --ledger 文件   导入计划（团队 × 月）[--preview] [--currency 币种]
  budgets export --ledger 文件 --out 文件 以同样格式导出计划
  rates --ledger 文件              列出汇率；rates import 汇率.csv 导入汇率文件 [--base EUR] [--preview]
  reconcile --ledger 文件 --period 2026-09   账本与发票核对；reconcile import 发票.csv 导入发票总额
  pull aws --ledger 文件 --period 2026-09    查询 Cost Explorer，先说明价格 [--yes] [--most 请求数]
      --profile 名称               本机的 AWS 配置文件（默认用通常的那个），不保存密钥
      --parts 列表                 costs,commitments,recommendations,forecast（默认全部）
      --refresh                    账本中已有的也重新查询
  offers [--need 需求] [--ledger 文件]   按需求为可租用的机器排名 [--tiers 5000,50000]
  prices list [关键词] [--ledger 文件]   有效价格及其来源与年龄
  prices import 文件 --ledger 文件   导入 AWS、Azure、Google 或自制的价目表 [--preview]
  journal --ledger 文件 --period 2026-09 --out 文件   供总账使用的分摊凭证（CSV）
  esg --ledger 账本 --period 2026 --out 文件夹|文件.zip   ESG 资料包：工作簿、CSV 与 PDF 声明 [--scope …]
  emissions import 文件… --ledger 账本      云厂商自己的排放报告，与您的数据并列对照 [--preview]
  emissions list|undo N|redo N|compare      已导入的报告；撤回、恢复；数据为何不同 [--period …]
  carbon factors import FILE --ledger FILE  从 CSV 导入自有碳因子 [--preview] [--restate]
  carbon factors list|remove N              列出已导入的因子；移除一个
  carbon actions                            怎样少排放：每月 kg CO2e 与金额 [--period 2026-09]
  carbon settings                           [--owned 名称…] [--carbon-price 80 --currency EUR] [--grid nearest|life-cycle]
  stop-plan --ledger 账本 --period 2026-09  停机规则会停止哪些机器、节省多少
      --on 08:00-20:00             改为按时刻表：此时段之外关机 [--days 1-5] [--timezone 时区]
      --for 工具                   输出供阅读后自行运行的脚本：aws、azure、gcloud、kubectl 或 slurm [--out 文件]
  findings --ledger 账本 --period 2026-09   遥测中的发现：闲置机器、显存泄漏、未用的张量核、过大的显卡
  jobs --ledger 账本 --period 2026-09       Slurm 或 Kubernetes 分给作业的 GPU：占用卡时、其间的利用率与成本 [--by job|team|user|account|partition]
  cuda-check GPU [--toolkit 12.1] [--driver 535.54] [--built "8.0 9.0+PTX"]   查询“no kernel image”的原因
  mapping 文件 [--ledger 账本]     各列可能的含义（JSON，供 --mapping 使用）；压缩包或文件夹取其中第一个未知文件
  mapping list|show 名称 --ledger 账本      账本保存的列映射，以及各自最近用于哪个文件
  mapping export [名称] --ledger 账本 --out 文件   导出一个或全部；mapping import 文件 则为导入
  mapping delete 名称 --ledger 账本         删除一个
  batches --ledger 文件            列出各次导入
  undo 批次 --ledger 文件          撤销一次导入
  redo 批次 --ledger 文件          恢复一次导入
  sample [--ledger 文件]           示例公司的账本及其回顾
  doctor [--ledger 文件]           检查安装与账本

  通用：--lang en|zh-CN；结果为数据时可用 --json
  退出码：0 完成，1 被拒绝，2 用法有误，3 预算超支`,
};
