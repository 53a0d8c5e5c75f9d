import type { RuleCondition } from "../../shared/domain/allocation.ts";
import type { Speech } from "../words/WordsProvider.tsx";

/** A condition in a few words: what is looked at, how, and the value. */
export function conditionText(condition: RuleCondition, say: Speech["say"]): string {
  const subject = condition.source === "tag" ? `${say("allocate.source.tag")} ${condition.key}` : say(`allocate.source.${condition.key}`);
  const value = condition.op === "exists" ? "" : condition.op === "in" ? condition.values.join(", ") : condition.value;
  return `${subject} ${say(`allocate.op.${condition.op}`)} ${value}`.trim();
}
