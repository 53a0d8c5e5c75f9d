/** What Slurm's accounting writes in its fields: resources, lists of nodes, spans of time. Field notes 7.1. */

export interface GivenGpus {
  /** null: some, and not how many whole GPUs. */
  readonly count: number | null;
  readonly model: string | null;
}

/**
 * GPUs in a TRES text, `billing=32,gres/gpu:a100=4,gres/gpu=4`; null where there are none. The untyped count is the count; where there is
 * only a typed one, those add up: both state the same GPUs. Slices of a GPU (`1g.5gb`) are no whole GPUs, and how much of one is not said.
 */
export function gpusOf(tres: string): GivenGpus | null {
  let untyped: number | null = null;
  let typed = 0;
  const models: string[] = [];
  for (const part of tres.split(",")) {
    const match = /^\s*(?:gres\/)?gpu(?::([^=]+))?=(\d+)\s*$/.exec(part);
    if (match === null) continue;
    const count = Number(match[2]);
    if (match[1] === undefined) untyped = count;
    else if (count > 0) {
      typed += count;
      models.push(match[1]);
    }
  }
  const count = untyped ?? typed;
  if (count === 0) return null;
  const isSliced = models.some((model) => /\d+g\.\d+gb|mig/i.test(model));
  return { count: isSliced ? null : count, model: models.length === 1 ? (models[0] ?? null) : null };
}

/** A job has no more nodes; a longer list is none. */
const MOST_HOSTS = 50_000;

/** `gpu[01-03,07],c1-[9-10],rack[1-2]n[1-4]` as names, zeros kept; nothing for what is no list of nodes. */
export function hostsOf(list: string): string[] {
  const text = list.trim();
  if (text === "" || /^(none assigned|none|unknown|n\/a|\(null\))$/i.test(text)) return [];
  const hosts: string[] = [];
  for (const part of text.split(/,(?![^[]*\])/)) {
    const expanded = expandedHosts(part.trim());
    if (expanded === null || hosts.length + expanded.length > MOST_HOSTS) return [];
    hosts.push(...expanded);
  }
  return hosts;
}

function expandedHosts(part: string): readonly string[] | null {
  const opening = part.indexOf("[");
  if (opening === -1) return /^[\w.-]+$/.test(part) ? [part] : null;
  const closing = part.indexOf("]", opening);
  if (closing === -1) return null;
  const rest = closing + 1 === part.length ? [""] : expandedHosts(part.slice(closing + 1));
  const numbers = rangeNumbers(part.slice(opening + 1, closing));
  if (rest === null || numbers === null || numbers.length * rest.length > MOST_HOSTS) return null;
  return numbers.flatMap((number) => rest.map((end) => `${part.slice(0, opening)}${number}${end}`));
}

/** `01-03,07` as `01`, `02`, `03`, `07`. */
function rangeNumbers(ranges: string): string[] | null {
  const numbers: string[] = [];
  for (const range of ranges.split(",")) {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range.trim());
    if (match === null) return null;
    const [, first = "", last = first] = match;
    if (Number(last) - Number(first) > MOST_HOSTS) return null;
    for (let number = Number(first); number <= Number(last); number += 1) numbers.push(String(number).padStart(first.length, "0"));
  }
  return numbers;
}

/** `2-03:04:05`, `03:04:05`, `04:05` or whole seconds, as seconds; null for anything else. */
export function secondsOf(text: string): number | null {
  const cell = text.trim();
  if (/^\d{1,12}$/.test(cell)) return Number(cell);
  const match = /^(?:(\d+)-)?(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:\.\d+)?$/.exec(cell);
  if (match === null) return null;
  const [, days = "0", hours = "0", minutes = "0", seconds = "0"] = match;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}
