import type { PivotDimension } from "../../shared/contract/pivot.ts";
import type { Speech } from "../words/WordsProvider.tsx";
import { sayCode } from "../words/code.ts";

/** What a group is called in the person's language; names of the source stay as it spells them. */
export function keyText(say: Speech["say"], words: Speech["words"], dimension: PivotDimension, key: string | null): string {
  if (key === null) return say("pivot.blank");
  if (dimension === "month") return words.period(key);
  if (dimension === "chargeClass") return sayCode(say, "pivot.class", key);
  if (dimension === "purchaseOption") return sayCode(say, "option", key);
  if (dimension === "day") return words.instant(`${key}T00:00:00Z`, "day");
  if (dimension === "hour") return words.instant(key, "minute");
  if (dimension === "batch") return words.count(Number(key));
  return key;
}
