import type { DimensionCell, FormatZone } from "../format.ts";
import { currency, nothingStated } from "../format.ts";

/** What the bills of Chinese providers have in common. Their days and hours are those of UTC+8, which knows no summer time. */
export const beijing: FormatZone = { secondsEast: 8 * 3600, repair: "zone-assumed-beijing" };

/** Marks of an empty cell. */
export const dashes: readonly string[] = [...nothingStated, "/"];

/**
 * The currency that a row states. A bill of a Chinese site that has no such column at all is in CNY: the international sites, which also
 * charge USD, always have it. Rows read so are counted.
 */
export function currencyOrCny(...columns: string[]): DimensionCell<string> {
  const stated = currency(...columns);
  return {
    columns,
    read(row) {
      if (!columns.some((column) => row.has(column))) {
        row.repaired("currency-assumed-cny");
        return "CNY";
      }
      const text = row.text(...columns)?.trim() ?? "";
      const known = text === "" ? undefined : currencies.find(([words]) => words.test(text))?.[1];
      return known ?? stated.read(row);
    },
  };
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/^(?:人民币|元|RMB|￥|¥|CNY)$/i, "CNY"],
  [/^(?:美元|US\$|\$|USD)$/i, "USD"],
];

/** A unit of time in English, for the rules that count hours: `台*小时`, `秒`, `卡时`, `小时（GPU）`; what is none stays as it is. */
export function englishUnit(unit: string | null): string | null {
  if (unit === null) return null;
  const match = /^\s*(\d+)?\s*(?:(台|个|实例|节点|卡|GPU卡?|张)\s*[*·x×/-]?\s*)?(小时|时|分钟|分|秒钟?|天|日)\s*$/i.exec(unit);
  if (match === null) return unit;
  const [, count = "1", thing = "", word = ""] = match;
  const isCard = /卡|GPU|张/i.test(thing);
  const hours = Number(count) * (/天|日/.test(word) ? 24 : 1);
  const english = /小时|时|天|日/.test(word) ? "Hours" : word.startsWith("分") ? "Minutes" : "Seconds";
  return `${hours} ${isCard ? "GPU-" : ""}${english}`;
}

/**
 * Tags as these providers write them into one cell: `key1:value1;key2:value2`, `key:K value:V; key:K2 value:V2`, `k=v|k2=v2`. null where
 * the text is none of them.
 */
export function tagPairs(text: string): Map<string, unknown> | null {
  const tags = new Map<string, unknown>();
  if (/^\s*key\s*:/i.test(text) && /\svalue\s*:/i.test(text)) {
    for (const match of text.matchAll(/key\s*:\s*(.*?)\s+value\s*:\s*(.*?)\s*(?=[;,；]\s*key\s*:|[;；]?\s*$)/gi)) if ((match[1] ?? "") !== "") tags.set(match[1] ?? "", match[2] ?? "");
    return tags.size === 0 ? null : tags;
  }
  const separator = /[;；]/.test(text) ? /[;；]/ : /[|]/.test(text) ? /[|]/ : /,/;
  for (const pair of text.split(separator)) {
    if (pair.trim() === "") continue;
    const match = /^\s*([^:=：]+?)\s*[:=：]\s*(.*?)\s*$/.exec(pair);
    if (match === null) return null;
    tags.set(match[1] ?? "", match[2] ?? "");
  }
  return tags.size === 0 ? null : tags;
}
