import type { ColumnMapping, MappedField, MappingGuess } from "../../../../shared/contract/mapping.ts";
import { openFields } from "../../../../shared/contract/mapping.ts";
import { providerOf } from "../../reference/type-names.ts";
import { dashes } from "./beijing.ts";
import { dateOrders } from "./date-order.ts";

type Kind = "time" | "number" | "text" | "currency";

/**
 * Which column could mean what, by names in both languages, from the surest spelling to the loosest, and by what its cells look like. Two
 * columns as likely for one field are both named, and neither is taken.
 */
const rules: readonly { readonly field: MappedField; readonly kind: Kind; readonly names: readonly RegExp[] }[] = [
  { field: "start", kind: "time", names: [/^charge ?period ?start$/, /^(?:usage |billing |service |period |use |charge |rental |session )?(?:start|begin)(?:ed|ning)?(?: ?(?:time|date|at|ts|timestamp))?$|^(?:使用|服务|计费|账单)?(?:开始|起始)(?:时间|日期)$/, /^(?:usage |billing |invoice |charge |bill |transaction )?(?:date|day|timestamp|time|datetime)$|^(?:账单|消费|使用|计费|费用)?(?:日期|时间)$/, /^(?:usage |billing |invoice |bill )?(?:month|period|cycle)$|^(?:账单)?(?:月份|账期)$|^账期$/, /start|begin|开始/] },
  { field: "end", kind: "time", names: [/^charge ?period ?end$/, /^(?:usage |billing |service |period |use |charge |rental |session )?(?:end|stop|finish)(?:ed)?(?: ?(?:time|date|at|ts|timestamp))?$|^(?:使用|服务|计费|账单)?(?:结束|截止|终止)(?:时间|日期)$/, /end (?:time|date)|stop|结束/] },
  { field: "effective", kind: "number", names: [/^effective ?cost$|^amorti[sz]ed ?cost$|^(?:分摊|摊销)(?:成本|费用|金额)$/] },
  { field: "list", kind: "number", names: [/^list ?(?:cost|price|amount)$|^(?:original|gross) ?(?:cost|amount)$|^(?:目录|官网)(?:总价|价|金额)$|^(?:原价|刊例价)(?:金额)?$/] },
  { field: "billed", kind: "number", names: [/^billed ?cost$|^(?:amount|cost) (?:billed|due|payable)$|^应付(?:金额|费用)$/, /^(?:total|net|final) ?(?:cost|amount|charge|charges|price)?$|^(?:实付|实际|总)(?:金额|费用|价)$|^(?:合计|总计|总额)$/, /^(?:cost|amount|charge|charges|spend|fee|price paid|subtotal)$|^(?:金额|费用|消费金额|成本|花费)$/, /(?<!unit |list |per )(?:cost|amount|charge|spend)(?!.*(?:rate|per|id|type|category|center|centre|unit))|金额|费用/] },
  { field: "currency", kind: "currency", names: [/^(?:billing |invoice |pricing )?currency(?: ?code)?$|^(?:币种|货币)$/, /currency|币种|货币/] },
  { field: "provider", kind: "text", names: [/^(?:cloud )?(?:provider|vendor|supplier)(?: ?name)?$|^(?:云)?(?:厂商|供应商|服务商)(?:名称)?$/] },
  { field: "account", kind: "text", names: [/^(?:billing |payer |master )?account(?: ?(?:id|number|no))?$|^(?:customer|organization|organisation|org|tenant|user)(?: ?id)?$|^(?:账号|账户|主账号|客户|付款账号)(?:id)?$/, /account|账号|账户/] },
  { field: "subAccount", kind: "text", names: [/^(?:sub ?account|subscription|project|workspace|linked account|cost ?cent(?:er|re))(?: ?id)?$|^(?:子账号|项目|工作空间|成本中心)(?:id)?$/] },
  { field: "subAccountName", kind: "text", names: [/^(?:sub ?account|subscription|project|workspace) ?name$|^(?:子账号|项目)名称$/] },
  { field: "service", kind: "text", names: [/^service(?: ?name)?$|^(?:产品|服务|产品名称|服务名称)$/, /^(?:product|product ?name|category|charge ?type|item ?type)$|^(?:产品类型|类别)$/] },
  { field: "resource", kind: "text", names: [/^(?:resource|instance|machine|node|server|vm|pod|cluster|rental|contract|lease) ?(?:id|uuid)$|^(?:实例|资源|机器|节点|主机)(?:id|编号)$/, /^(?:resource|instance|machine|node|server|vm|pod|host|hostname)$|^(?:实例|资源|机器|节点|主机)$/] },
  { field: "resourceName", kind: "text", names: [/^(?:resource|instance|machine|node|server|vm|pod|host) ?name$|^hostname$|^(?:实例|资源|机器|节点|主机)名(?:称)?$/] },
  { field: "region", kind: "text", names: [/^(?:region|location|data ?cent(?:er|re)|site|region ?id)$|^(?:地域|区域|地区|机房)$/] },
  { field: "instanceType", kind: "text", names: [/^(?:instance|machine|node|vm|server|resource|pod) ?(?:type|shape|size|flavou?r|sku|spec)$|^(?:flavou?r|shape|plan|spec|specs)$|^(?:实例|机型|资源)?(?:规格|机型|类型规格|实例类型)$|^实例规格$/] },
  { field: "gpuModel", kind: "text", names: [/^(?:gpu|accelerator|card) ?(?:model|type|name|type ?id)$|^gpu$|^(?:gpu|显卡|加速卡)(?:型号|类型|名称)$/] },
  { field: "gpuCount", kind: "number", names: [/^(?:gpu|accelerator|card)s? ?(?:count|num|number|qty|quantity)$|^(?:num|number|n|count)(?: of)? ?gpus?$|^gpus$|^(?:gpu|显卡|卡)(?:数|数量|卡数)$|^卡数$/] },
  { field: "sku", kind: "text", names: [/^(?:sku|sku ?id|part ?number|item|item ?code|meter|meter ?name|product ?code)$|^(?:计费项|商品编码|计费项名称)$/] },
  { field: "description", kind: "text", names: [/^(?:description|details?|memo|line ?item|charge ?description|item ?description|notes?)$|^(?:描述|说明|备注|明细)$/] },
  { field: "category", kind: "text", names: [/^(?:charge|line ?item|transaction|row|record) ?(?:category|type|kind)$|^type$|^(?:账单|交易|费用)类型$/] },
  { field: "purchase", kind: "text", names: [/^(?:purchase|pricing|billing|payment) ?(?:option|model|mode|type|category|method|term)$|^(?:tier|reservation ?type|is ?spot)$|^(?:计费|付费|购买)(?:模式|方式|类型)$/] },
  { field: "quantity", kind: "number", names: [/^(?:gpu|accelerator|card) ?hours?(?: ?used)?$|^(?:gpu|卡)(?:时|小时)(?:数)?$/, /^(?:usage|consumed|billed|total)? ?(?:quantity|qty|usage|hours|amount used|usage ?amount|hours ?used|billable ?hours)$|^(?:instance|node|machine|vm) ?hours?$|^(?:用量|使用量|时长|使用时长|小时数|数量)$/, /(?:duration|hours|minutes|seconds|runtime|usage)(?: ?(?:hours?|hrs?|minutes?|mins?|seconds?|secs?|ms))?$|时长/] },
  { field: "unit", kind: "text", names: [/^(?:usage |consumed |pricing |quantity )?units?(?: ?of ?measure)?$|^uom$|^(?:用量|计量|计费)?单位$/] },
  { field: "team", kind: "text", names: [/^(?:team|team ?name|tag team|department|dept|group|cost ?owner|business ?unit)$|^(?:团队|部门|小组|业务组)(?:名称)?$/, /(?:^| )team$/] },
  { field: "tags", kind: "text", names: [/^(?:tags?|labels?|resource ?tags?|instance ?tags?)$|^(?:标签|资源标签|实例标签)$/] },
];

/** Guesses how a table could be mapped. Nothing is taken for granted: the person sees it before it is used. */
export function guessMapping({ file, header, sample }: { readonly file: string; readonly header: readonly string[]; readonly sample: readonly (readonly string[])[] }): Omit<MappingGuess, "isSaved" | "knownAs"> {
  const cells = header.map((_, index) => sample.map((row) => row[index]?.trim() ?? "").filter((text) => text !== "" && !emptyWords.has(text.toLowerCase())));
  const taken = new Set<number>();
  const columns: Partial<Record<MappedField, string>> = {};
  const unsure: { field: MappedField | "endIs" | "quantityIs" | "decimalMark"; columns: string[] }[] = [];
  for (const { field, kind, names } of rules) {
    for (const pattern of names) {
      const fitting = header.flatMap((name, index) => (!taken.has(index) && name.trim() !== "" && spoken(name).some((each) => pattern.test(each)) && looksLike(kind, cells[index] ?? []) ? [index] : []));
      if (fitting.length === 0) continue;
      const [only] = fitting;
      if (fitting.length === 1 && only !== undefined) {
        taken.add(only);
        columns[field] = header[only] ?? "";
      } else unsure.push({ field, columns: fitting.map((index) => header[index] ?? "") });
      break;
    }
  }
  const byValues: MappedField[] = [];
  for (const { field, fits } of tellTales) {
    if (columns[field] !== undefined || unsure.some((open) => open.field === field)) continue;
    const fitting = header.flatMap((name, index) => (!taken.has(index) && name.trim() !== "" && isNearlyAll(cells[index] ?? [], fits) ? [index] : []));
    const [only] = fitting;
    if (only === undefined) continue;
    if (fitting.length > 1) {
      unsure.push({ field, columns: fitting.map((index) => header[index] ?? "") });
      continue;
    }
    taken.add(only);
    columns[field] = header[only] ?? "";
    byValues.push(field);
  }
  const indexOf = (field: MappedField): number => header.indexOf(columns[field] ?? "\u0000");
  const textsOf = (field: MappedField): readonly string[] => cells[indexOf(field)] ?? [];
  const constants: { currency?: string; provider?: string; unit?: string } = {};
  const money = columns.billed ?? "";
  const stated = currencyIn(`${money} ${textsOf("billed").slice(0, 20).join(" ")}`);
  if (columns.currency === undefined && stated !== null) constants.currency = stated;
  const provider = providerOf(file.replace(/[_.-]+/g, " "));
  if (columns.provider === undefined && provider !== null) constants.provider = providerNames[provider] ?? provider;
  const quantity = spoken(columns.quantity ?? "")[0] ?? "";
  const unit = unitIn(quantity);
  if (columns.quantity !== undefined && columns.unit === undefined && unit !== null) constants.unit = unit;

  const starts = textsOf("start");
  const startIs = starts.filter((text) => /^\d{4}[-/.年]?(?:0?[1-9]|1[0-2])月?$/.test(text)).length * 2 > starts.length ? "month" : "instant";
  const ends = endsOf(sample, indexOf("start"), indexOf("end"));
  if (ends === null) unsure.push({ field: "endIs", columns: [columns.end ?? ""] });
  const quantityIs = /gpu|accelerator|card|卡/.test(quantity) ? "gpu-hours" : null;
  if (columns.quantity !== undefined && quantityIs === null && (columns.gpuModel !== undefined || columns.gpuCount !== undefined || columns.instanceType !== undefined)) unsure.push({ field: "quantityIs", columns: [columns.quantity] });
  const amounts = [...textsOf("billed"), ...textsOf("effective"), ...textsOf("list")];
  const marks = numberMarks(amounts);
  if (marks.decimalMark === null) unsure.push({ field: "decimalMark", columns: [columns.billed ?? ""] });
  const orders = dateOrders();
  for (const text of [...starts, ...textsOf("end")]) orders.look(text, true);
  const mapping: ColumnMapping = {
    name: file.slice(0, 120),
    header: [...header],
    columns,
    constants,
    zoneMinutes: 0,
    dateOrder: orders.found().order,
    startIs,
    endIs: ends ?? "instant",
    ...marks,
    quantityIs,
    hoursFromPeriod: false,
    emptyWords: [...dashes],
  };
  const open = openFields(mapping);
  return { file, header: [...header], sample: sample.slice(0, 50), mapping, unsure, byValues, missing: open };
}

/** ISO 4217, those that bills of clouds come in. Three capitals alone may be a region, a team or an airport. */
const currencyCodes: ReadonlySet<string> = new Set(["USD", "EUR", "GBP", "CNY", "RMB", "JPY", "INR", "KRW", "AUD", "CAD", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BRL", "MXN", "ZAR", "SGD", "HKD", "TWD", "THB", "IDR", "MYR", "PHP", "VND", "NZD", "ILS", "AED", "SAR", "TRY"]);

/**
 * What stands in the cells tells a column whose name says nothing: only what looks like nothing else. An amount is told by its sign or code of
 * currency, or by two decimals and more in every cell; a plain number may be anything.
 */
const tellTales: readonly { readonly field: MappedField; readonly fits: (cell: string) => boolean }[] = [
  { field: "start", fits: isTime },
  { field: "currency", fits: (cell) => currencyCodes.has(cell.toUpperCase()) },
  { field: "tags", fits: (cell) => /^\s*[[{].*[:=].*[\]}]\s*$/s.test(cell) },
  { field: "resource", fits: (cell) => /^i-[0-9a-f]{8,17}$|^\/subscriptions\/[^/]+\/|^projects\/[^/]+\/.*instances\/|^arn:aws[\w-]*:|^ocid1\.instance\./i.test(cell) },
  { field: "region", fits: (cell) => /^(?:us|eu|ap|sa|ca|me|af|il|mx|cn|asia|europe|northamerica|southamerica|australia)-[a-z]+-?[a-z]*-?\d{0,2}[a-z]?$/.test(cell) },
  { field: "gpuModel", fits: (cell) => /^(?:nvidia|amd|intel|geforce|tesla|instinct)?[\s_-]*(?:(?:rtx|gtx|quadro)[\s_-]*)?(?:[ABHLPTVG]\d{1,3}|GB?[HB]?\d{3}|B[23]00|MI\d{3}[AX]?|\d{4}|910[ABC]?)(?:[\s_-]*(?:ti|super|ada|sxm\d?|pcie|nvl|\d{2,3}\s*gi?b))*$/i.test(cell) && /[a-z]/i.test(cell) },
  { field: "billed", fits: (cell) => isMoney(cell) },
];

function isMoney(cell: string): boolean {
  const hasSign = /\p{Sc}|(?:^|\s)[A-Z]{3}(?:\s|$)/u.test(cell);
  return looksLike("number", [cell]) && (hasSign || /\d[.,]\d{2,}\)?$/.test(cell));
}

/** Of at least one cell, 9 of 10. */
function isNearlyAll(cells: readonly string[], fits: (cell: string) => boolean): boolean {
  return cells.length > 0 && cells.filter(fits).length >= cells.length * 0.9;
}

const emptyWords: ReadonlySet<string> = new Set(dashes.map((word) => word.toLowerCase()));

/** A name as words: `gpuCount`, `GPU_COUNT` and `gpu count (USD)` are `gpu count`; a group before `/` may be left out. */
function spoken(name: string): readonly string[] {
  const words = (text: string): string =>
    text
      .replace(/[（(][^（）()]*[）)]/g, " ")
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .replace(/\b(?:usd|cny|eur|rmb|gbp|jpy)\b/gi, " ")
      .replace(/\s+/g, " ")
      .trim()
      .toLowerCase();
  return name.includes("/") ? [words(name), words(name.slice(name.lastIndexOf("/") + 1))] : [words(name)];
}

/** A day or an instant, written so that it can be nothing else. */
function isTime(text: string): boolean {
  return /^\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?(?:[T ].*)?$|^\d{8}[T ]\S.*$|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}(?:[T ].*)?$/.test(text);
}

function looksLike(kind: Kind, cells: readonly string[]): boolean {
  if (cells.length === 0) return kind !== "currency";
  const share = (fits: (text: string) => boolean): number => cells.filter(fits).length / cells.length;
  if (kind === "time") return share((text) => isTime(text) || /^\d{4}(?:[-/.年]?\d{1,2}月?|\d{4})$|^\d{10}(?:\d{3})?$/.test(text)) > 0.5;
  if (kind === "number") return share((text) => /^\(?[+-]?\s*(?:\p{Sc}|[A-Z]{3}\s)?\s*[\d.,' ]*\d[\d.,' ]*(?:[eE][+-]?\d+)?\s*(?:\p{Sc}|[A-Z]{3})?\)?$/u.test(text)) > 0.5;
  if (kind === "currency") return share((text) => /^[A-Za-z]{3}$/.test(text)) > 0.5;
  return true;
}

const currencySigns: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Za-z])USD(?![A-Za-z])|US\$|美元/i, "USD"],
  [/(?<![A-Za-z])(?:CNY|RMB)(?![A-Za-z])|人民币|[（(]元[）)]/i, "CNY"],
  [/(?<![A-Za-z])EUR(?![A-Za-z])|€/i, "EUR"],
  [/(?<![A-Za-z])GBP(?![A-Za-z])|£/i, "GBP"],
  // A dollar alone may be one of twenty.
];

function currencyIn(text: string): string | null {
  const found = currencySigns.filter(([sign]) => sign.test(text)).map(([, code]) => code);
  return found.length === 1 ? (found[0] ?? null) : null;
}

function unitIn(quantity: string): string | null {
  if (/millisecond|(?:^| )ms$|毫秒/.test(quantity)) return "Milliseconds";
  if (/seconds?|(?:^| )secs?$|秒/.test(quantity)) return "Seconds";
  if (/minutes?|(?:^| )mins?$|分钟/.test(quantity)) return "Minutes";
  return /hours?|(?:^| )hrs?$|小时|卡时/.test(quantity) ? "Hours" : null;
}

/** Whether ends that are days are last days; null where the rows do not say. */
function endsOf(sample: readonly (readonly string[])[], start: number, end: number): ColumnMapping["endIs"] | null {
  if (start === -1) return "instant";
  const isDay = (text: string): boolean => /^(?:\d{4}[-/.]?\d{1,2}[-/.]?\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ]0{1,2}:00(?::00)?Z?)?$/.test(text);
  const rows = sample.map((row) => ({ from: row[start]?.trim() ?? "", to: row[end]?.trim() ?? "" })).filter(({ from }) => from !== "");
  if (end === -1) return rows.filter(({ from }) => isDay(from)).length * 2 > rows.length ? "last-day" : "instant";
  const stated = rows.filter(({ to }) => to !== "");
  if (stated.filter(({ to }) => isDay(to)).length * 2 <= stated.length) return "instant";
  if (stated.some(({ from, to }) => from === to)) return "last-day";
  const days = stated.map(({ to }) => /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(to)).filter((match) => match !== null);
  const isLast = days.some(([, year, month, day]) => new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() === Number(day));
  const isFirst = days.some(([, , , day]) => Number(day) === 1);
  return isLast === isFirst ? null : isLast ? "last-day" : "instant";
}

/**
 * Marks of decimals and of thousands in amounts, by those that leave no doubt: both marks in one number, a mark more than once, or one that
 * three digits do not follow. Proofs of both, or doubtful ones alone, leave it open.
 */
function numberMarks(texts: readonly string[]): Pick<ColumnMapping, "decimalMark" | "isGrouped"> {
  let [hasPoint, hasComma, hasDoubt, isGrouped] = [false, false, false, false];
  for (const text of texts) {
    const bare = text.replace(/[^\d.,' ]/g, "").trim();
    isGrouped ||= /\d[,.' ]\d{3}[,.]|\d[' ]\d{3}(?!\d)|\d,\d{3}(?!\d)/.test(bare) || /^\(|[^\d.,' eE+-]/.test(text);
    if (!/[.,]/.test(bare)) continue;
    const [points, commas] = [bare.split(".").length - 1, bare.split(",").length - 1];
    if (points > 0 && commas > 0) {
      if (bare.lastIndexOf(".") > bare.lastIndexOf(",")) hasPoint = true;
      else hasComma = true;
    } else if (points > 1) hasComma = true;
    else if (commas > 1) hasPoint = true;
    else if (points === 1) hasPoint = true;
    // A point followed by three digits is a decimal as long as nothing speaks for a comma; a comma is either.
    else if (/^[1-9]\d{0,2},\d{3}$/.test(bare)) hasDoubt = true;
    else hasComma = true;
  }
  if ((hasPoint && hasComma) || (hasDoubt && !hasPoint && !hasComma)) return { decimalMark: null, isGrouped: true };
  return { decimalMark: hasComma ? "," : ".", isGrouped: isGrouped || hasComma };
}

const providerNames: Readonly<Record<string, string>> = { aws: "AWS", azure: "Microsoft", gcp: "Google Cloud", oracle: "Oracle", alibaba: "Alibaba Cloud", tencent: "Tencent Cloud", huawei: "Huawei Cloud", baidu: "Baidu AI Cloud", coreweave: "CoreWeave", lambda: "Lambda", runpod: "RunPod", vast: "Vast.ai" };
