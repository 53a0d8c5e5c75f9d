import { useState } from "react";
import type { AllocationRule, RuleColumn, RuleCondition } from "../../shared/domain/allocation.ts";
import { ruleColumns } from "../../shared/domain/allocation.ts";
import { Choice } from "../settings/selects.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { isMonth } from "./amounts.ts";
import { FormDialog, NameField, TextLine } from "./fields.tsx";

type Op = RuleCondition["op"];
const ops: readonly Op[] = ["equals", "equals-ignoring-case", "prefix", "pattern", "in", "exists"];

/** A condition as it is being typed; a list of values has commas between. */
interface Typed {
  readonly source: "tag" | RuleColumn;
  readonly key: string;
  readonly op: Op;
  readonly value: string;
}

interface RuleFormProps {
  readonly rule: AllocationRule;
  readonly teams: readonly string[];
  readonly tagKeys: readonly string[];
  /** Of a virtual tag: its name and value stand where a rule has its name and team, and it has no months. */
  readonly ofTag?: boolean;
  readonly onKeep: (rule: AllocationRule) => void;
  readonly onClose: () => void;
}

/** One rule of allocation: what a charge must look like, whose it is then, and in which months. */
export function RuleForm({ rule, teams, tagKeys, ofTag = false, onKeep, onClose }: RuleFormProps) {
  const { say } = useSpeech();
  const [name, setName] = useState(rule.name);
  const [team, setTeam] = useState(rule.team);
  const [fromMonth, setFrom] = useState(rule.fromMonth ?? "");
  const [toMonth, setTo] = useState(rule.toMonth ?? "");
  const [conditions, setConditions] = useState<readonly Typed[]>(rule.conditions.map(typedOf));
  const [isTried, setTried] = useState(false);
  const read = conditions.map(conditionOf);
  const areMonths = [fromMonth, toMonth].every((month) => month === "" || isMonth(month)) && (fromMonth === "" || toMonth === "" || fromMonth <= toMonth);
  const isWrong = name.trim() === "" || team.trim() === "" || read.includes(null) || !areMonths;
  const keep = (): void => {
    setTried(true);
    if (isWrong) return;
    onKeep({ name: name.trim(), team: team.trim(), conditions: read.filter((condition) => condition !== null), fromMonth: fromMonth === "" ? null : fromMonth, toMonth: toMonth === "" ? null : toMonth });
  };
  const put = (at: number, change: Partial<Typed>): void => setConditions((before) => before.map((condition, index) => (index === at ? { ...condition, ...change } : condition)));
  return (
    <FormDialog title={say(ofTag ? "virtual.form" : "allocate.rule.form")} isWide onClose={onClose} onSave={keep} saveLabel={say(ofTag ? "field.save" : "allocate.keep")} wrong={isTried && isWrong ? say(ofTag ? "virtual.wrong" : "allocate.rule.wrong") : null}>
      <div className="form-grid">
        <TextLine label={say(ofTag ? "virtual.tag" : "allocate.rule.name")} value={name} onChange={setName} isInvalid={isTried && name.trim() === ""} isFirst />
        <NameField label={say(ofTag ? "virtual.value" : "allocate.rule.team")} value={team} names={teams} onChange={setTeam} />
        {!ofTag && (
          <>
            <TextLine label={say("allocate.rule.from")} value={fromMonth} onChange={setFrom} hint={say("allocate.rule.month-hint")} isInvalid={isTried && !areMonths} />
            <TextLine label={say("allocate.rule.to")} value={toMonth} onChange={setTo} hint={say("allocate.rule.month-hint")} isInvalid={isTried && !areMonths} />
          </>
        )}
      </div>
      <fieldset className="form-months">
        <legend>{say("allocate.rule.conditions")}</legend>
        {conditions.map((condition, index) => (
          <div className="form-condition" key={index}>
            <Choice label={say("allocate.rule.look-at")} value={condition.source} choices={(["tag", ...ruleColumns] as const).map((id) => ({ id, text: say(`allocate.source.${id}`) }))} onChoose={(source) => put(index, { source })} />
            {condition.source === "tag" && <NameField label={say("allocate.rule.tag-key")} value={condition.key} names={tagKeys} onChange={(key) => put(index, { key })} />}
            <Choice label={say("allocate.rule.test")} value={condition.op} choices={ops.map((id) => ({ id, text: say(`allocate.op.${id}`) }))} onChoose={(op) => put(index, { op })} />
            {condition.op !== "exists" && <TextLine label={say("allocate.rule.value")} value={condition.value} onChange={(value) => put(index, { value })} isInvalid={isTried && read[index] === null} />}
            {conditions.length > 1 && <button type="button" className="link" onClick={() => setConditions(conditions.filter((_condition, at) => at !== index))}>{say("allocate.rule.remove-condition")}</button>}
          </div>
        ))}
        <p className="actions"><button type="button" className="link" onClick={() => setConditions([...conditions, { source: "service", key: "", op: "equals", value: "" }])}>{say("allocate.rule.add-condition")}</button></p>
      </fieldset>
    </FormDialog>
  );
}

function typedOf(condition: RuleCondition): Typed {
  const value = condition.op === "exists" ? "" : condition.op === "in" ? condition.values.join(", ") : condition.value;
  return condition.source === "tag" ? { source: "tag", key: condition.key, op: condition.op, value } : { source: condition.key, key: "", op: condition.op, value };
}

/** null: something is missing. */
function conditionOf({ source, key, op, value }: Typed): RuleCondition | null {
  const subject = source === "tag" ? ({ source: "tag", key: key.trim() } as const) : ({ source: "column", key: source } as const);
  if (subject.key === "") return null;
  if (op === "exists") return { ...subject, op };
  if (op !== "in") return value === "" ? null : { ...subject, op, value };
  const values = value.split(",").map((part) => part.trim()).filter((part) => part !== "");
  return values.length === 0 ? null : { ...subject, op, values };
}
