/** Which column of an unknown log could mean what, by its name and its unit. What is in doubt is left open. */
import type { LogField, LogMappingGuess } from "../../../../shared/contract/log-mapping.ts";
import { canonicalName } from "../format.ts";

/** Names without case and punctuation, and without a unit at their end; the surest first. */
const names: Readonly<Record<LogField, RegExp>> = {
  time: /^(timestamp|datetime|time|date|ts|epoch|unixtime|collectedat|sampledat|时间|采集时间|时间戳)$/,
  host: /^(host|hostname|node|nodename|machine|machineid|server|instance|instanceid|主机|主机名|节点)$/,
  uuid: /^(gpu)?uuid$/,
  pci: /^(gpu)?(pci|pcibusid|busid|pciid|pciaddress)$/,
  index: /^(gpu|gpuid|gpuindex|gpuidx|gpunum|index|idx|device|deviceid|deviceindex|card|cardid|卡号|显卡编号)$/,
  name: /^(gpuname|gpumodel|model|name|devicename|cardname|gputype|显卡型号|型号)$/,
  memoryTotal: /^(gpu)?(mem|memory|fb|vram|framebuffer)(total|size|capacity)$|^total(mem|memory|vram)$|^显存总量$/,
  utilization: /^(gpu)?(util|utilization|utilisation|usage|load|busy|dutycycle)$|^(util|utilization|utilisation)gpu$|^gpu利用率$|^利用率$/,
  engineActive: /^(gr)?engine(active|util|utilization)?$|^gract(ive)?$/,
  smActive: /^sm(active|activity|util|utilization)$/,
  tensorActive: /^(pipe)?tensor(active|activity|util|utilization)$/,
  dramActive: /^(dram|hbm)(active|activity|util|utilization)$|^(mem|memory)(bandwidth|bw)(util|utilization)?$/,
  memoryUsed: /^(gpu)?(mem|memory|fb|vram|framebuffer)(used|usage|alloc|allocated|inuse)?$|^used(mem|memory|vram)$|^显存(已用|占用|使用)?$/,
  power: /^(gpu|board)?(power|powerdraw|powerusage|powerconsumption|watts|wattage)$|^功率$/,
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
  return { file, header, sample, mapping: { kind: "log", name: file, header, columns: chosen, units, isMeanUpTo: false }, unsure };
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
