import type { PriceSource } from "../../shared/contract/plan.ts";
import type { Speech } from "../words/WordsProvider.tsx";

/** Where a price is from, and how old it is. */
export function sourceText({ kind, date, ageDays }: PriceSource, { words, say }: Pick<Speech, "words" | "say">): string {
  const day = date === null ? "" : words.instant(`${date}T00:00:00Z`, "day");
  if (kind === "list") return say("commit.source.list", { day, count: ageDays ?? 0 });
  if (kind === "quote") return date === null ? say("commit.source.quote") : say("commit.source.quote-dated", { day, count: ageDays ?? 0 });
  return say(`commit.source.${kind}`);
}
