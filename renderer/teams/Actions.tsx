import { useId, useState } from "react";
import type { ActionInput, ActionLine, FindingLine } from "../../shared/contract/teams.ts";
import { actionStates } from "../../shared/contract/teams.ts";
import type { CostBasis } from "../../shared/domain/figure.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { amountIn, decimalOf, isDay, shortName } from "./amounts.ts";
import { FormDialog, NameField, TextLine } from "./fields.tsx";

interface ActionsProps {
  readonly period: string;
  readonly currency: string | null;
  readonly basis: CostBasis;
  readonly isReadOnly: boolean;
}

const firstShown = 8;

/** What to do next: actions that somebody took up, then what the data say and nobody took up, with owner, due day and state. */
export function Actions({ period, currency, basis, isReadOnly }: ActionsProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const asked = useAsk("actions.read", { period, currency, basis });
  const [editing, setEditing] = useState<ActionInput | null>(null);
  const [isAll, setAll] = useState(false);
  if (asked.state === "refused") return asked.error.code === "report.no-data" ? null : <Refused error={asked.error} />;
  // A large fleet's logs are replayed for some seconds when a period is first looked at.
  if (asked.state === "asking") return <section className="work-actions" aria-labelledby={id} aria-busy={true}><SectionHead id={id} title={say("act.title")} note={null} /><p className="note" role="status">{say("act.replaying")}</p></section>;
  const { actions, findings, identified, realised, currency: own } = asked.value;
  const note = own === null ? null : say(realised === null ? "act.note" : "act.note.realised", { currency: own, identified: amountIn(speech, identified, own), ...(realised === null ? {} : { realised: amountIn(speech, realised, own) }) });
  const shown = isAll ? findings : findings.slice(0, Math.max(0, firstShown - actions.length));
  return (
    <section className="work-actions" aria-labelledby={id} aria-busy={asked.isOld}>
      <SectionHead id={id} title={say("act.title")} note={note}>
        {findings.length > shown.length || isAll ? <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: actions.length + findings.length })}</button> : null}
        {!isReadOnly && <button type="button" className="link" onClick={() => setEditing({ ...ownAction, currency: own })}>{say("act.add")}</button>}
      </SectionHead>
      {actions.length + findings.length === 0 ? <p className="note">{say("act.none")}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("act.what")}</th><th scope="col">{say("column.team")}</th><th scope="col" className="n">{say("column.saving-a-month")}</th><th scope="col" className="n">{say("column.idle-a-month")}</th><th scope="col">{say("column.owner")}</th><th scope="col">{say("column.due")}</th><th scope="col">{say("column.state")}</th><th scope="col"><span className="for-readers">{say("field.edit")}</span></th></tr></thead>
          <tbody>
            {actions.map((action) => (
              <tr key={action.id}>
                <th scope="row" className="clip" title={action.note ?? action.subject}>{action.subject}</th>
                <td>{action.team}</td>
                <td className="n">{amountIn(speech, action.realised ?? action.expected, action.currency, { bare: action.currency === own })}</td>
                <td />
                <td>{action.owner ?? <span className="muted">{say("field.nobody")}</span>}</td>
                <td>{action.dueOn === null ? "" : words.instant(`${action.dueOn}T00:00:00Z`, "day")}</td>
                <td>{say(`action.state.${action.state}`)}</td>
                <td className="n">{!isReadOnly && <button type="button" className="link" aria-label={`${say("field.edit")}: ${action.subject}`} onClick={() => setEditing(inputOf(action))}>{say("field.edit")}</button>}</td>
              </tr>
            ))}
            {shown.map((finding) => {
              const subject = subjectOf(finding, speech);
              return (
                <tr key={finding.key}>
                  <th scope="row" className="clip" title={finding.resource ?? subject}>{subject}</th>
                  <td>{finding.team}</td>
                  <td className="n">{finding.expected === null ? <WhyNoSaving finding={finding} /> : amountIn(speech, finding.expected, own, { bare: true })}</td>
                  <td className="n">{finding.idleCost === null ? "" : amountIn(speech, finding.idleCost, own, { bare: true })}</td>
                  <td>{finding.owner ?? <span className="muted">{say("field.nobody")}</span>}</td>
                  <td />
                  <td>{say("action.state.new")}</td>
                  <td className="n">{!isReadOnly && <button type="button" className="link" aria-label={`${say("act.take")}: ${subject}`} onClick={() => setEditing({ ...ownAction, findingKey: finding.key, kind: finding.kind, subject, resource: finding.resource, team: finding.team, owner: finding.owner, currency: own, expected: finding.expected })}>{say("act.take")}</button>}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {editing !== null && <ActionForm key={editing.id ?? editing.findingKey} action={editing} measured={actions.find(({ id: known }) => known === editing.id)?.measured ?? null} onClose={() => setEditing(null)} />}
    </section>
  );
}

/** A saving that is not known, and why: which of the machine's GPUs logs show. */
function WhyNoSaving({ finding: { notReplayed } }: { readonly finding: FindingLine }) {
  const { say, words } = useSpeech();
  if (notReplayed === null) return <span className="unknown">—</span>;
  return <span className="unknown" title={say("act.not-replayed")}>{say(`act.why.${notReplayed.why}`, { seen: words.number(notReplayed.gpusSeen), billed: words.number(notReplayed.gpusBilled) })}</span>;
}

const ownAction: ActionInput = { id: null, findingKey: null, kind: "other", subject: "", resource: null, team: null, owner: null, dueOn: null, state: "open", currency: null, expected: null, realised: null, note: null };

function inputOf({ madeAt: _madeAt, doneAt: _doneAt, measured: _measured, ...action }: ActionLine): ActionInput {
  return action;
}

function subjectOf({ kind, resourceName, resource, about, since }: FindingLine, { say, words }: Pick<Speech, "say" | "words">): string {
  return say(`finding.${kind}`, { resource: resourceName ?? (resource === null ? (about ?? "") : shortName(resource)), about: about ?? "", since: since === null ? "" : words.instant(`${since}T00:00:00Z`, "day") });
}

function ActionForm({ action, measured, onClose }: { readonly action: ActionInput; readonly measured: string | null; readonly onClose: () => void }) {
  const speech = useSpeech();
  const { say } = speech;
  const scopes = useAsk("scope.values", {});
  const save = useTell("action.save");
  const remove = useTell("action.remove");
  const tell = useNotice((store) => store.tell);
  const [fields, setFields] = useState({
    subject: action.subject, owner: action.owner ?? "", dueOn: action.dueOn ?? "", team: action.team ?? "", state: action.state, note: action.note ?? "",
    expected: action.expected ?? "", realised: action.realised ?? (action.state === "done" ? (measured ?? "") : ""),
  });
  const [isTried, setTried] = useState(false);
  const [isSure, setSure] = useState(false);
  const put = (change: Partial<typeof fields>): void => setFields((before) => ({ ...before, ...change }));
  const amounts = [fields.expected, fields.realised].map((text) => (text.trim() === "" ? null : (decimalOf(text) ?? undefined)));
  const isDue = fields.dueOn === "" || isDay(fields.dueOn);
  const isWrong = fields.subject.trim() === "" || amounts.includes(undefined) || !isDue;
  const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  const submit = async (): Promise<void> => {
    setTried(true);
    if (isWrong) return;
    const [expected = null, realised = null] = amounts;
    const result = await save.tell({ action: { ...action, subject: fields.subject.trim(), owner: orNull(fields.owner), dueOn: orNull(fields.dueOn), team: orNull(fields.team), state: fields.state, note: orNull(fields.note), expected, realised }, by: null });
    if (!result.ok) return;
    tell({ text: say("act.saved") });
    onClose();
  };
  const throwAway = async (): Promise<void> => {
    if (action.id === null) return;
    if (!isSure) return setSure(true);
    const result = await remove.tell({ id: action.id, by: null });
    if (!result.ok) return;
    tell({ text: say("act.removed") });
    onClose();
  };
  return (
    <FormDialog title={say("act.form")} onClose={onClose} onSave={() => void submit()} isBusy={save.isBusy} error={save.error ?? remove.error} wrong={isTried && isWrong ? say("act.wrong") : null} aside={action.id === null ? null : <button type="button" className="link" onClick={() => void throwAway()}>{say(isSure ? "field.remove-sure" : "field.remove")}</button>}>
      <TextLine label={say("act.subject")} value={fields.subject} onChange={(subject) => put({ subject })} isInvalid={isTried && fields.subject.trim() === ""} isFirst />
      <div className="form-grid">
        <TextLine label={say("column.owner")} value={fields.owner} onChange={(owner) => put({ owner })} />
        <NameField label={say("column.team")} value={fields.team} names={(scopes.state === "answered" ? scopes.value.team : []).filter((team) => team !== null)} onChange={(team) => put({ team })} />
        <TextLine label={say("act.due")} value={fields.dueOn} onChange={(dueOn) => put({ dueOn })} isInvalid={isTried && !isDue} />
        <Choice label={say("act.state")} value={fields.state} choices={actionStates.map((id) => ({ id, text: say(`action.state.${id}`) }))} onChoose={(state) => put({ state })} />
        <TextLine label={`${say("act.expected")}${action.currency === null ? "" : ` (${action.currency})`}`} value={fields.expected} onChange={(expected) => put({ expected })} isInvalid={isTried && amounts[0] === undefined} isDisabled={action.currency === null} />
        <TextLine label={`${say("act.realised")}${action.currency === null ? "" : ` (${action.currency})`}`} value={fields.realised} onChange={(realised) => put({ realised })} isInvalid={isTried && amounts[1] === undefined} isDisabled={action.currency === null} />
      </div>
      {measured !== null && action.currency !== null && <p className="note">{say("act.measured", { amount: amountIn(speech, measured, action.currency) })}</p>}
      <TextLine label={say("act.comment")} value={fields.note} onChange={(note) => put({ note })} isLong />
    </FormDialog>
  );
}
