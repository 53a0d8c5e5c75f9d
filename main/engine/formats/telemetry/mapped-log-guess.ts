/** Which column of an unknown log could mean what, by its name and its unit. What is in doubt is left open. */
import type { LogField, LogMappingGuess } from "../../../../shared/contract/log-mapping.ts";
import { canonicalName } from "../format.ts";

/** Names without case and punctuation, and without a unit at their end; the surest first. */
const names: Readonly<Record<LogField, RegExp>> = {
  time: /^(timestamp|datetime|time|date|ts|epoch|unixtime|collectedat|sampledat|(采集|采样|记录|上报|监控)?(时间|日期)|时间戳)$/,
  host: /^(host|hostname|node|nodename|machine|machineid|server|instance|instanceid|主机|主机名称?|主机ip|节点|节点名称?|服务器|机器)$/,
  uuid: /^(gpu)?uuid$/,
  pci: /^(gpu)?(pci|pcibusid|busid|pciid|pciaddress)$/,
  index: /^(gpu|gpuid|gpuindex|gpuidx|gpunum|index|idx|device|deviceid|deviceindex|card|cardid|(gpu|显)?卡号|(gpu|显卡|加速卡|卡|设备)(编号|序号|索引|id))$/,
  name: /^(gpuname|gpumodel|model|name|devicename|cardname|gputype|(gpu|显卡|加速卡|卡|设备)?型号|(gpu|显卡|加速卡)名称)$/,
  memoryTotal: /^(gpu)?(mem|memory|fb|vram|framebuffer)(total|size|capacity)$|^total(mem|memory|vram)$|^(总显存|显存(总量|总大小|大小|容量)|gpu显存总量)$/,
  utilization: /^(gpu)?(util|utilization|utilisation|usage|load|busy|dutycycle)$|^(util|utilization|utilisation)gpu$|^(gpu|显卡|加速卡|卡|算力)?(利用率|使用率|占用率)$/,
  engineActive: /^(gr)?engine(active|util|utilization)?$|^gract(ive)?$/,
  smActive: /^sm(active|activity|util|utilization|活跃度?|利用率)$/,
  tensorActive: /^(pipe)?tensor(core)?(active|activity|util|utilization|活跃度?|利用率)$|^张量核心?(活跃度|利用率)$/,
  dramActive: /^(dram|hbm)(active|activity|util|utilization)$|^(mem|memory)(bandwidth|bw)(util|utilization)?$|^显存带宽(利用率)?$/,
  memoryUsed: /^(gpu)?(mem|memory|fb|vram|framebuffer)(used|usage|alloc|allocated|inuse)?$|^used(mem|memory|vram)$|^(gpu)?显存(已用|占用|使用|已使用|使用量|占用量|用量)?$|^已用显存$/,
  power: /^(gpu|board)?(power|powerdraw|powerusage|powerconsumption|watts|wattage)$|^(gpu|显卡|卡|实时|当前)?(功率|功耗)$/,
};

const unitEnds: readonly (readonly [RegExp, keyof UnitNames])[] = [
  [/(percent|pct|perc)$/, "percent"], [/(ratio|fraction|frac)$/, "ratio"], [/mib$/, "MiB"], [/gib$/, "GiB"], [/mb$/, "MB"], [/gb$/, "GB"], [/bytes?$/, "bytes"], [/(milliwatts?|mw)$/, "mW"], [/(kilowatts?|kw)$/, "kW"],
  [/(?<=power|draw|usage|consumption)w$/, "W"], [/(?<=power|draw|usage|consumption)watts?$/, "W"],
];
interface UnitNames {
  readonly percent: "percent";
  readonly ratio: "ratio";
  readonly MiB: "MiB";
  readonly GiB: "GiB";
  readonly MB: "MB";
  readonly GB: "GB";
  readonly bytes: "bytes";
  readonly W: "W";
  readonly mW: "mW";
  readonly kW: "kW";
}

interface Column {
  readonly header: string;
  /** Without its unit. */
  readonly bare: string;
  readonly unit: keyof UnitNames | null;
}

export function guessLogMapping({ file, header, sample }: { readonly file: string; readonly header: readonly string[]; readonly sample: readonly (readonly string[])[] }): Omit<LogMappingGuess, "isSaved" | "knownAs"> {
  const columns = header.map(columnOf);
  const chosen: Partial<Record<LogField, string>> = {};
  const units: Record<string, string> = {};
  const unsure: { field: LogField; columns: readonly string[] }[] = [];
  for (const field of Object.keys(names) as LogField[]) {
    const fitting = columns.filter(({ header: name, bare }) => name.trim() !== "" && names[field].test(bare));
    const [only] = fitting;
    if (only === undefined) continue;
    if (fitting.length > 1) {
      unsure.push({ field, columns: fitting.map((column) => column.header) });
      continue;
    }
    chosen[field] = only.header;
    const unit = fittingUnit(field, only, sample, header.indexOf(only.header));
    if (unit === "open") unsure.push({ field, columns: [only.header] });
    else if (unit !== null) units[field] = unit;
  }
  const byValues = byWhatStandsThere(header, sample, chosen, unsure);
  return { file, header, sample, byValues, mapping: { kind: "log", name: file, header, columns: chosen, units, isMeanUpTo: false }, unsure };
}

/** What looks like nothing else: identities, times, and numbers with their unit. */
const tellTales: readonly { readonly field: LogField; readonly fits: RegExp }[] = [
  { field: "uuid", fits: /^(?:GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i },
  { field: "pci", fits: /^(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$/i },
  { field: "time", fits: /^\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[T ]+\d{1,2}:\d{2}|^1[5-9]\d{8}(?:\.\d+)?$|^1[5-9]\d{11}$/ },
  { field: "name", fits: /^(?:NVIDIA|AMD|Tesla|GeForce|Quadro|Instinct|Ascend|Intel)\b.*\d/i },
  { field: "utilization", fits: /^\d{1,3}(?:\.\d+)?\s*%$/ },
  { field: "power", fits: /^\d+(?:\.\d+)?\s*(?:m|k)?(?:W|watts?|瓦)$/i },
];
const memory = /^(\d+(?:\.\d+)?)\s*([KMGT]i?B)$/i;

/** Fields that no name told, by what stands in the columns left over; several columns that would do are all named, and none is taken. */
function byWhatStandsThere(header: readonly string[], sample: readonly (readonly string[])[], chosen: Partial<Record<LogField, string>>, unsure: { field: LogField; columns: readonly string[] }[]): readonly LogField[] {
  const found: LogField[] = [];
  const isTaken = (name: string): boolean => Object.values(chosen).includes(name) || unsure.some(({ columns }) => columns.includes(name));
  const isOpen = (field: LogField): boolean => chosen[field] === undefined && !unsure.some((open) => open.field === field);
  const cellsOf = (name: string): readonly string[] => sample.map((row) => row[header.indexOf(name)]?.trim() ?? "").filter((cell) => cell !== "");
  const holding = (fits: RegExp): readonly string[] => header.filter((name) => name.trim() !== "" && !isTaken(name) && cellsOf(name).length > 0 && cellsOf(name).every((cell) => fits.test(cell)));
  const take = (field: LogField, columns: readonly string[]): void => {
    const [only, ...others] = columns;
    if (only === undefined || !isOpen(field)) return;
    if (others.length > 0) unsure.push({ field, columns });
    else {
      chosen[field] = only;
      found.push(field);
    }
  };
  for (const { field, fits } of tellTales) if (isOpen(field)) take(field, holding(fits));
  const sizes = holding(memory);
  const isFixed = (name: string): boolean => sample.length > 1 && new Set(cellsOf(name)).size === 1;
  // Of two amounts of memory, the one that stays the same is what the card has.
  const [total] = sizes.length === 2 && isOpen("memoryTotal") ? sizes.filter(isFixed) : [];
  const others = sizes.filter((name) => name !== total);
  if (total !== undefined && others.length === 1 && !sizes.every(isFixed)) take("memoryTotal", [total]);
  take("memoryUsed", total === undefined || sizes.every(isFixed) ? sizes : others);
  return found;
}

function columnOf(header: string): Column {
  // A unit in brackets: `power [W]`, `mem (MiB)`, `util %`.
  const bracketed = /[[(]\s*([^\])]+)\s*[\])]\s*$/.exec(header)?.[1] ?? (/%\s*$/.test(header) ? "%" : null);
  const name = canonicalName(bracketed === null ? header : header.slice(0, Math.max(header.lastIndexOf("["), header.lastIndexOf("("), header.lastIndexOf("%"))));
  if (bracketed !== null) {
    const stated = bracketed.trim().toLowerCase();
    const unit = ({ "%": "percent", percent: "percent", ratio: "ratio", mib: "MiB", gib: "GiB", mb: "MB", gb: "GB", b: "bytes", bytes: "bytes", w: "W", watt: "W", watts: "W", mw: "mW", kw: "kW" } as const)[stated] ?? null;
    return { header, bare: name, unit };
  }
  for (const [end, unit] of unitEnds) if (end.test(name) && name.replace(end, "") !== "") return { header, bare: name.replace(end, ""), unit };
  return { header, bare: name, unit: null };
}

/** The unit that the name states; for an activity, what the values rule out; `open` where neither says. null: the field has none. */
function fittingUnit(field: LogField, { unit }: Column, sample: readonly (readonly string[])[], at: number): keyof UnitNames | "open" | null {
  if (["time", "host", "uuid", "pci", "index", "name"].includes(field)) return null;
  if (field === "power") return unit === "mW" || unit === "kW" ? unit : "W";
  if (field === "memoryUsed" || field === "memoryTotal") {
    if (unit === "percent" || unit === "ratio") return "open";
    return unit === "MiB" || unit === "GiB" || unit === "MB" || unit === "GB" || unit === "bytes" ? unit : statesUnit(sample, at) ? null : "open";
  }
  if (unit === "percent" || unit === "ratio") return unit;
  if (statesUnit(sample, at)) return null;
  const numbers = sample.flatMap((row) => (row[at] === undefined || row[at].trim() === "" ? [] : [Number(row[at])])).filter((value) => Number.isFinite(value));
  // A value above one is no ratio. Values that are all at or under one prove nothing: an idle GPU is at 0 % as well.
  return numbers.some((value) => value > 1) ? "percent" : "open";
}

function statesUnit(sample: readonly (readonly string[])[], at: number): boolean {
  const cells = sample.map((row) => row[at]?.trim() ?? "").filter((cell) => cell !== "");
  return cells.length > 0 && cells.every((cell) => /^[\d.]+\s*[a-z%]+$/i.test(cell));
}
