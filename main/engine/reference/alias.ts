/** Names of accelerators inside other text, by whole words: "A10" is not in "A100", "L4" is not in "L40S". */
import type { Accelerator, AliasIndex } from "./catalog.ts";

export interface AliasMatch {
  /** Parts whose full name stands in the text; empty when only the significant words do. */
  readonly exact: readonly string[];
  /** Every part that goes by those words, the exact ones included. */
  readonly ids: readonly string[];
  /** Significant words matched. */
  readonly weight: number;
}

/** Words that say nothing of the part. */
const noise = new Set(["NVIDIA", "AMD", "INTEL", "TESLA", "GEFORCE", "RADEON", "INSTINCT", "HABANA", "HUAWEI", "GOOGLE", "AWS", "QUALCOMM", "GPU", "TENSOR", "CORE"]);

export function buildAliasIndex(accelerators: readonly Accelerator[]): AliasIndex {
  const exact = new Map<string, string[]>();
  const significant = new Map<string, string[]>();
  let longest = 1;
  for (const { id, names } of accelerators) {
    for (const name of names) {
      const words = wordsOf(name);
      longest = Math.max(longest, words.length);
      put(exact, words.join(" "), id);
      const kept = words.filter((word) => !noise.has(word));
      if (kept.length > 0) put(significant, kept.join(" "), id);
    }
  }
  return { exact, significant, longest };
}

/** The match with the most significant words; a full name beats a shortened one of the same length. */
export function findAlias(index: AliasIndex, text: string): AliasMatch | null {
  const words = wordsOf(text);
  const kept = words.filter((word) => !noise.has(word));
  const short = longestRun(index.significant, kept, index.longest);
  const full = longestRun(index.exact, words, index.longest);
  const fullWeight = full === null ? 0 : full.key.split(" ").filter((word) => !noise.has(word)).length;
  if (full !== null && (short === null || fullWeight >= short.words)) {
    return { exact: full.ids, ids: [...new Set([...full.ids, ...(short?.words === fullWeight ? short.ids : [])])], weight: fullWeight };
  }
  return short === null ? null : { exact: [], ids: short.ids, weight: short.words };
}

/** Upper-case words; `(R)` and punctuation are no words. */
export function wordsOf(text: string): string[] {
  return text
    .toUpperCase()
    .replace(/\((R|TM)\)/g, " ")
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "");
}

function longestRun(index: ReadonlyMap<string, readonly string[]>, words: readonly string[], longest: number): { key: string; words: number; ids: readonly string[] } | null {
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    const found: { key: string; words: number; ids: readonly string[] }[] = [];
    for (let start = 0; start + length <= words.length; start += 1) {
      const key = words.slice(start, start + length).join(" ");
      // A name of digits alone ("310") means the part only when nothing else stands beside it.
      if (/^\d+$/.test(key) && words.length > 1) continue;
      const ids = index.get(key);
      if (ids !== undefined) found.push({ key, words: length, ids });
    }
    const first = found[0];
    // "Instinct MI250X/MI250" names two parts: both stay open.
    if (first !== undefined) return { key: first.key, words: length, ids: [...new Set(found.flatMap(({ ids }) => ids))] };
  }
  return null;
}

function put(index: Map<string, string[]>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, [id]);
  else if (!ids.includes(id)) ids.push(id);
}
