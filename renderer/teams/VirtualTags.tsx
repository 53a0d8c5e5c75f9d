import { useState } from "react";
import type { AllocationState } from "../../shared/contract/teams.ts";
import type { VirtualTagRule } from "../../shared/domain/allocation.ts";
import { useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { conditionText } from "./conditions.ts";
import { RuleForm } from "./RuleForm.tsx";

/** Tags that no bill has, by rules; rules of allocation may ask for them. */
export function VirtualTags({ state, isReadOnly }: { readonly state: AllocationState; readonly isReadOnly: boolean }) {
  const { say } = useSpeech();
  const save = useTell("virtual-tags.save");
  const tell = useNotice((store) => store.tell);
  const [editing, setEditing] = useState<{ readonly at: number | null; readonly rule: VirtualTagRule } | null>(null);
  const { virtualTags } = state;
  const keep = async (rules: readonly VirtualTagRule[]): Promise<void> => {
    const result = await save.tell({ rules: [...rules], by: null });
    if (!result.ok) return;
    tell({ text: say("virtual.saved") });
    setEditing(null);
  };
  return (
    <section>
      <SectionHead title={say("virtual.title")} note={say("virtual.note")}>
        {!isReadOnly && <button type="button" className="link" onClick={() => setEditing({ at: null, rule: newRule })}>{say("virtual.add")}</button>}
      </SectionHead>
      {save.error !== null && <Refused error={save.error} />}
      {virtualTags.length === 0 ? <p className="note">{say("virtual.none")}</p> : (
        <table className="statement" aria-label={say("virtual.title")}>
          <thead><tr><th scope="col">{say("virtual.tag")}</th><th scope="col">{say("virtual.value")}</th><th scope="col">{say("allocate.rule.when")}</th><th scope="col"><span className="for-readers">{say("field.edit")}</span></th></tr></thead>
          <tbody>
            {virtualTags.map((rule, index) => (
              <tr key={index}>
                <th scope="row">{rule.tag}</th>
                <td>{rule.value}</td>
                <td className="reason" title={rule.conditions.map((condition) => conditionText(condition, say)).join("\n")}>{rule.conditions.map((condition) => conditionText(condition, say)).join(" · ")}</td>
                <td className="n">
                  {!isReadOnly && (
                    <span className="row-actions">
                      <button type="button" className="link" aria-label={`${say("field.edit")}: ${rule.tag} ${rule.value}`} onClick={() => setEditing({ at: index, rule })}>{say("field.edit")}</button>
                      <button type="button" className="link" aria-label={`${say("field.remove")}: ${rule.tag} ${rule.value}`} onClick={() => void keep(virtualTags.filter((_other, at) => at !== index))}>{say("field.remove")}</button>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {editing !== null && (
        <RuleForm
          rule={{ name: editing.rule.tag, team: editing.rule.value, conditions: editing.rule.conditions, fromMonth: null, toMonth: null }}
          teams={[...new Set(virtualTags.map(({ value }) => value))]}
          tagKeys={state.tagKeys}
          ofTag
          onClose={() => setEditing(null)}
          onKeep={({ name: tag, team: value, conditions }) => void keep(editing.at === null ? [...virtualTags, { tag, value, conditions }] : virtualTags.map((before, at) => (at === editing.at ? { tag, value, conditions } : before)))}
        />
      )}
    </section>
  );
}

const newRule: VirtualTagRule = { tag: "", value: "", conditions: [{ source: "column", key: "account", op: "equals", value: "" }] };
