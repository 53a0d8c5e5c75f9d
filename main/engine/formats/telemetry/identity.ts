/** What tells one GPU from another, in one spelling (field notes 2.5): UUID, else host and PCI bus id, else host and index. */
import type { DeviceIdentity } from "./format.ts";

/** The key of a device in the ledger. */
export function deviceKey({ host, uuid, pciBusId, index }: DeviceIdentity): string {
  if (uuid !== null) return uuid;
  return pciBusId !== null ? `${host.toLowerCase()}/pci/${pciBusId}` : `${host.toLowerCase()}/index/${index ?? 0}`;
}

/** `GPU-8-4-4-4-12` or the bare digits, lower case without the prefix; `mig-…` stays apart. Null for what is none, or a mask of zeros. */
export function normalizedUuid(cell: string): string | null {
  const plain = cell.trim().toLowerCase();
  const found = /^(?:gpu-)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(plain)?.[1];
  if (found !== undefined) return /^[0-]+$/.test(found) ? null : found;
  return /^mig-(gpu-)?[0-9a-f-]{36}(\/\d+\/\d+)?$/.test(plain) ? plain : null;
}

/** `00000000:0A:00.0` and `0000:0a:00.0` are one address: the last four digits of the domain, bus, device, function. */
export function normalizedPciBusId(cell: string): string | null {
  const found = /^(?:([0-9a-f]{4,8}):)?([0-9a-f]{2}):([0-9a-f]{2})(?:\.([0-7]))?$/.exec(cell.trim().toLowerCase());
  if (found === null) return null;
  const [, domain = "0000", bus = "", device = "", part = "0"] = found;
  return `${domain.slice(-4)}:${bus}:${device}.${part}`;
}

/** `0`, or `GPU 0` and `GPU0` as home-made logs write it. */
export function normalizedIndex(cell: string): number | null {
  const found = /^(?:gpu[ :_-]?)?(\d{1,3})$/i.exec(cell.trim())?.[1];
  return found === undefined ? null : Number(found);
}

/**
 * The host that a log's path proposes: its file name without extensions, rotation number and date, or the folder's name where the file is
 * called after the tool or the date alone.
 */
export function proposedHost(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  const file = parts.at(-1) ?? "";
  const bare = withoutDate(file.replace(/\.gz$/i, "").replace(/(\.(?:csv|log|txt|tsv|out|json|jsonl|xml|prom))\.\d{1,3}$/i, "$1").replace(/\.(?:csv|log|txt|tsv|out|json|jsonl|ndjson|xml|prom)$/i, ""));
  const saysHost = bare !== "" && !/^(nvidia[-_ ]?smi|dmon|dcgm|gpu[-_]?(log|stats|usage|metrics))$/i.test(bare);
  const folder = parts.at(-2);
  return saysHost || folder === undefined || folder === "." || folder === ".." ? bare || file : folder;
}

const date = String.raw`\d{4}[-_.]?\d{2}[-_.]?\d{2}(?:[-_T. ]?\d{2}[-_.h:]?\d{2}(?:[-_.m:]?\d{2})?Z?)?`;
const datePart = new RegExp(`(?:^|[-_. ])${date}$`);
function withoutDate(name: string): string {
  return name.replace(datePart, "");
}
