import { useEffect, useMemo, useRef, useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { AllocationInbox, AllocationPreview, AllocationState, InboxLine } from "../../shared/contract/teams.ts";
import { shownUnder } from "../../shared/contract/table.ts";
import type { AllocationRule, RuleCondition, SharedPoolRule } from "../../shared/domain/allocation.ts";
import { askedAlike } from "../../shared/domain/currency.ts";
import { formatAttos, parseAmount, sumAttos } from "../../shared/domain/money.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { periodOf } from "../reports/useReport.ts";
import { useGoal } from "../state/goal.ts";
import { useNotice } from "../state/notice.ts";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import type { Speech } from "../words/WordsProvider.tsx";
import { amountIn, shortName } from "./amounts.ts";
import { conditionText } from "./conditions.ts";
import { RuleForm } from "./RuleForm.tsx";
import { VirtualTags } from "./VirtualTags.tsx";

/** Whose the spend is: what has no team yet, the rules in their order, what a draft of them would move, and shared costs. */
export function Allocation({ status }: { readonly status: LedgerStatus }) {
  const { say } = useSpeech();
  const view = useView();
  const period = periodOf(view, status);
  const state = useAsk("allocation.read", {});
  const inbox = useAsk("allocation.inbox", period === null ? null : { period, currency: view.currency });
  const place = useRef<HTMLElement>(null);
  const goal = useGoal((store) => store.goal);
  const aim = useGoal((store) => store.aim);
  const isThere = state.state === "answered" && inbox.state === "answered";
  useEffect(() => {
    if (goal !== "allocation" || !isThere) return;
    place.current?.scrollIntoView({ block: "start" });
    place.current?.focus();
    aim(null);
  }, [goal, isThere, aim]);
  if (state.state === "refused") return <Refused error={state.error} />;
  if (inbox.state === "refused") return <Refused error={inbox.error} />;
  if (state.state === "asking" || inbox.state === "asking" || period === null) return null;
  return (
    <section className="allocation" aria-label={say("allocate.title")} ref={place} tabIndex={-1}>
      <Desk key={JSON.stringify(state.value.rules)} state={state.value} inbox={inbox.value} period={period} isReadOnly={status.isReadOnly} />
    </section>
  );
}

interface DeskProps {
  readonly state: AllocationState;
  readonly inbox: AllocationInbox;
  readonly period: string;
  readonly isReadOnly: boolean;
}

/** Starts anew with other stored rules. */
function Desk({ state, inbox, period, isReadOnly }: DeskProps) {
  const { say, words } = useSpeech();
  const stored = useMemo(() => state.rules.map(withoutId), [state.rules]);
  const [draft, setDraft] = useState<readonly AllocationRule[]>(stored);
  const [editing, setEditing] = useState<{ readonly at: number | null; readonly rule: AllocationRule } | null>(null);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  const choice = useView((view) => view.currency);
  const preview = useAsk("allocation.preview", isChanged ? { rules: [...draft], period, currency: askedAlike(choice, inbox.currency) } : null);
  const save = useTell("allocation.save");
  const share = useTell("shared-costs.save");
  const tell = useNotice((store) => store.tell);
  const add = (rule: AllocationRule): void => setDraft((before) => [...before, rule]);
  const move = (from: number, to: number): void => setDraft((before) => { const next = [...before]; const [rule] = next.splice(from, 1); if (rule !== undefined) next.splice(to, 0, rule); return next; });
  const keep = async (): Promise<void> => {
    const result = await save.tell({ rules: [...draft], by: null });
    if (result.ok) tell({ text: say("allocate.saved") });
  };
  const savePools = async (pools: readonly SharedPoolRule[], name: string | null): Promise<void> => {
    const result = await share.tell({ pools: [...pools], by: null });
    if (result.ok && name !== null) tell({ text: say("allocate.shared-saved", { name }) });
  };
  return (
    <>
      <Inbox
        inbox={inbox}
        isReadOnly={isReadOnly}
        isTaken={(rule) => draft.some(({ name }) => name === rule.name)}
        pools={state.pools}
        onRule={add}
        onWrite={(rule) => setEditing({ at: null, rule })}
        onShare={(pool) => void savePools([...state.pools, pool], pool.name)}
      />
      <div className={isChanged ? "pair wide-first" : "pair alone"}>
        <div>
          <SectionHead title={say("allocate.rules")} note={say("allocate.rules.note")}>
            {!isReadOnly && <button type="button" className="link" onClick={() => setEditing({ at: null, rule: newRule })}>{say("allocate.rule.add")}</button>}
          </SectionHead>
          {draft.length === 0 ? <p className="note">{say("allocate.rules.none")}</p> : (
            <Rules draft={draft} preview={preview.state === "answered" ? preview.value : null} isReadOnly={isReadOnly} onMove={move} onEdit={(at) => { const rule = draft[at]; if (rule !== undefined) setEditing({ at, rule }); }} onRemove={(at) => setDraft(draft.filter((_rule, index) => index !== at))} />
          )}
          {save.error !== null && <Refused error={save.error} />}
          {share.error !== null && <Refused error={share.error} />}
          {isChanged && !isReadOnly && (
            <p className="actions after-rules">
              <Act className="link main" isBusy={save.isBusy} onPress={() => void keep()}>{say(save.isBusy ? "field.saving" : "allocate.save")}</Act>
              <button type="button" className="link" onClick={() => setDraft(stored)}>{say("action.revert")}</button>
            </p>
          )}
        </div>
        {isChanged && preview.state === "refused" && <Refused error={preview.error} />}
        {isChanged && preview.state === "answered" && <Preview preview={preview.value} isOld={preview.isOld} />}
      </div>
      {state.pools.length > 0 && (
        <section>
          <SectionHead title={say("allocate.pools")} note={say("allocate.pools.note")} />
          <table className="statement" aria-label={say("allocate.pools")}>
            <thead><tr><th scope="col">{say("allocate.rule.name")}</th><th scope="col">{say("allocate.pools.source")}</th><th scope="col">{say("allocate.pools.method")}</th><th scope="col"><span className="for-readers">{say("field.edit")}</span></th></tr></thead>
            <tbody>
              {state.pools.map((pool) => (
                <tr key={pool.name}>
                  <th scope="row">{pool.name}</th>
                  <td>{sourceText(pool, say)}</td>
                  <td>{say(`allocate.method.${pool.method}`)}{pool.method === "fixed" && `: ${pool.shares.map(({ team, percent }) => `${team} ${words.ratio(Number(percent) / 100)}`).join(" · ")}`}</td>
                  <td className="n">{!isReadOnly && <button type="button" className="link" aria-label={say("allocate.pool.remove", { name: pool.name })} onClick={() => void savePools(state.pools.filter((other) => other !== pool), null)}>{say("field.remove")}</button>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <VirtualTags state={state} isReadOnly={isReadOnly} />
      {editing !== null && (
        <RuleForm
          rule={editing.rule}
          teams={state.teams}
          tagKeys={state.tagKeys}
          onClose={() => setEditing(null)}
          onKeep={(rule) => { setDraft(editing.at === null ? [...draft, rule] : draft.map((before, index) => (index === editing.at ? rule : before))); setEditing(null); }}
        />
      )}
    </>
  );
}

interface InboxProps {
  readonly inbox: AllocationInbox;
  readonly pools: readonly SharedPoolRule[];
  readonly isReadOnly: boolean;
  readonly isTaken: (rule: AllocationRule) => boolean;
  readonly onRule: (rule: AllocationRule) => void;
  readonly onWrite: (rule: AllocationRule) => void;
  readonly onShare: (pool: SharedPoolRule) => void;
}

/** Spend of nobody by size, each line with a way to a team. The lines and the smaller ones add up to what is not allocated. */
function Inbox({ inbox, pools, isReadOnly, isTaken, onRule, onWrite, onShare }: InboxProps) {
  const speech = useSpeech();
  const { say, words } = speech;
  const { period, currency, lines, more } = inbox;
  const [isAll, setAll] = useState(false);
  if (lines.length === 0 || currency === null) return <section><SectionHead title={say("allocate.inbox")} /><p className="note">{say("allocate.inbox.none", { period: words.period(period) })}</p></section>;
  const shown = isAll ? lines : lines.slice(0, 8);
  const hidden = lines.slice(shown.length);
  const restCount = hidden.length + more.lines;
  const rest = sumOf([...hidden.map(({ amount }) => amount), more.amount]);
  const cents = shownUnder([...shown.map(({ amount }, index) => ({ id: String(index), amount: attosOf(amount) })), { id: "rest", amount: attosOf(rest), isRest: true }], attosOf(inbox.unallocatedShown), currency);
  const cell = (id: string): string => words.money(cents.get(id) ?? 0n, currency, { bare: true });
  const facts = { amount: amountIn(speech, inbox.unallocatedShown, currency), total: amountIn(speech, inbox.total, currency), period: words.period(period), currency, share: inbox.allocatedShare === null ? "—" : words.ratio(inbox.allocatedShare) };
  return (
    <section>
      <SectionHead title={say("allocate.inbox")} note={say("allocate.inbox.note", facts)}>
        {lines.length > 8 && <button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: lines.length })}</button>}
      </SectionHead>
      <table className="statement" aria-label={say("allocate.inbox")}>
        <thead><tr><th scope="col">{say("allocate.what")}</th><th scope="col">{say("scope.provider")}</th><th scope="col">{say("allocate.where")}</th><th scope="col" className="n">{say("allocate.amount")}</th><th scope="col">{say("allocate.suggestion")}</th><th scope="col"><span className="for-readers">{say("field.edit")}</span></th></tr></thead>
        <tbody>
          {shown.map((line, index) => (
            <tr key={index}>
              <th scope="row" className="clip" title={[line.resource, ...line.tags].filter((part) => part !== null).join("\n")}>{lineName(line)}</th>
              <td>{line.provider}</td>
              <td>{line.accountName ?? line.account}</td>
              <td className="n">{cell(String(index))}</td>
              <td>{line.suggestion === null ? null : line.suggestion.kind === "share" ? say("allocate.shared") : say("allocate.to-team", { team: line.suggestion.rule.team, because: say(`allocate.because.${line.suggestion.because}`) })}</td>
              <td className="n">
                {isReadOnly ? null : line.suggestion?.kind === "rule" ? <LineButton line={line} isDisabled={isTaken(line.suggestion.rule)} text={say("allocate.use-rule")} onPress={() => { if (line.suggestion?.kind === "rule") onRule(line.suggestion.rule); }} />
                : line.suggestion?.kind === "share" ? <LineButton line={line} isDisabled={pools.some(({ name }) => line.suggestion?.kind === "share" && name === line.suggestion.pool.name)} text={say("allocate.share-out")} onPress={() => { if (line.suggestion?.kind === "share") onShare(line.suggestion.pool); }} />
                : <LineButton line={line} isDisabled={false} text={say("allocate.write-rule")} onPress={() => onWrite(ruleFor(line))} />}
              </td>
            </tr>
          ))}
          {restCount > 0 && <tr><th scope="row">{say("allocate.more", { count: restCount })}</th><td /><td /><td className="n">{cell("rest")}</td><td /><td /></tr>}
          <tr className="total"><th scope="row" colSpan={3}>{say("allocate.inbox")}</th><td className="n">{amountIn(speech, inbox.unallocatedShown, currency, { bare: true })}</td><td /><td /></tr>
        </tbody>
      </table>
      {parseAmount(inbox.shared)?.value !== 0n && <p className="note">{say("allocate.inbox.shared", { amount: amountIn(speech, inbox.shared, currency) })}</p>}
    </section>
  );
}

function LineButton({ line, text, isDisabled, onPress }: { readonly line: InboxLine; readonly text: string; readonly isDisabled: boolean; readonly onPress: () => void }) {
  return <button type="button" className="link" disabled={isDisabled} aria-label={`${text}: ${lineName(line)}`} onClick={onPress}>{text}</button>;
}

interface RulesProps {
  readonly draft: readonly AllocationRule[];
  readonly preview: AllocationPreview | null;
  readonly isReadOnly: boolean;
  readonly onMove: (from: number, to: number) => void;
  readonly onEdit: (at: number) => void;
  readonly onRemove: (at: number) => void;
}

function Rules({ draft, preview, isReadOnly, onMove, onEdit, onRemove }: RulesProps) {
  const speech = useSpeech();
  const { say } = speech;
  return (
    <table className="statement" aria-label={say("allocate.rules")}>
      <thead><tr><th scope="col">{say("allocate.rule.name")}</th><th scope="col">{say("allocate.rule.when")}</th><th scope="col">{say("column.team")}</th><th scope="col">{say("allocate.rule.months")}</th>{preview !== null && <th scope="col" className="n">{say("allocate.rule.takes")}</th>}<th scope="col"><span className="for-readers">{say("field.edit")}</span></th></tr></thead>
      <tbody>
        {draft.map((rule, index) => (
          <tr key={`${index} ${rule.name}`}>
            <th scope="row" className="clip" title={rule.name}>{rule.name}</th>
            <td className="reason" title={rule.conditions.map((condition) => conditionText(condition, say)).join("\n")}>{rule.conditions.map((condition) => conditionText(condition, say)).join(" · ")}</td>
            <td>{rule.team}</td>
            <td>{monthsText(rule, say)}</td>
            {preview !== null && <td className="n">{amountIn(speech, preview.byRule[index]?.amount ?? null, preview.currency, { bare: true })}</td>}
            <td className="n">
              {!isReadOnly && (
                <span className="row-actions">
                  <button type="button" className="link" disabled={index === 0} aria-label={say("allocate.rule.up", { name: rule.name })} onClick={() => onMove(index, index - 1)}>↑</button>
                  <button type="button" className="link" disabled={index === draft.length - 1} aria-label={say("allocate.rule.down", { name: rule.name })} onClick={() => onMove(index, index + 1)}>↓</button>
                  <button type="button" className="link" aria-label={say("allocate.rule.edit", { name: rule.name })} onClick={() => onEdit(index)}>{say("field.edit")}</button>
                  <button type="button" className="link" aria-label={say("allocate.rule.remove", { name: rule.name })} onClick={() => onRemove(index)}>{say("field.remove")}</button>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Money that changes hands; the moves add up to what is moved in all. */
function Preview({ preview, isOld }: { readonly preview: AllocationPreview; readonly isOld: boolean }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const share = (value: number | null): string => (value === null ? "—" : words.ratio(value));
  if (preview.currency === null || preview.moves.length === 0) return <section aria-busy={isOld}><SectionHead title={say("allocate.preview")} /><p className="note">{say("allocate.preview.none", { period: words.period(preview.period) })}</p></section>;
  return (
    <section aria-busy={isOld}>
      <SectionHead title={say("allocate.preview")} />
      <table className="statement" aria-label={say("allocate.preview")}>
        <thead><tr><th scope="col">{say("allocate.preview.from")}</th><th scope="col">{say("allocate.preview.to")}</th><th scope="col" className="n">{say("allocate.amount")}</th></tr></thead>
        <tbody>
          {preview.moves.map((move, index) => (
            <tr key={index}><th scope="row">{move.from ?? <span className="muted">{say("field.nobody")}</span>}</th><td>{move.to ?? <span className="muted">{say("field.nobody")}</span>}</td><td className="n">{amountIn(speech, move.amount, preview.currency, { bare: true })}</td></tr>
          ))}
          <tr className="total"><th scope="row" colSpan={2}>{say("allocate.preview.total")}</th><td className="n">{amountIn(speech, preview.moved, preview.currency, { bare: true })}</td></tr>
        </tbody>
      </table>
      <p className="note" role="status">{say("allocate.preview.note", { amount: amountIn(speech, preview.total, preview.currency), period: words.period(preview.period), currency: preview.currency, before: share(preview.allocatedShareBefore), after: share(preview.allocatedShareAfter) })}</p>
    </section>
  );
}

const newRule: AllocationRule = { name: "", team: "", conditions: [{ source: "column", key: "account", op: "equals", value: "" }], fromMonth: null, toMonth: null };

/** A rule begun from a charge of nobody: by its resource, else its account, else its service. */
function ruleFor(line: InboxLine): AllocationRule {
  const condition: RuleCondition =
    line.resource !== null ? { source: "column", key: "resource", op: "equals", value: line.resource }
    : line.account !== null ? { source: "column", key: "account", op: "equals", value: line.account }
    : { source: "column", key: "service", op: "equals", value: line.service ?? "" };
  const more: readonly RuleCondition[] = line.resource === null && line.account !== null && line.service !== null ? [{ source: "column", key: "service", op: "equals", value: line.service }] : [];
  return { name: lineName(line), team: "", conditions: [condition, ...more], fromMonth: null, toMonth: null };
}

function lineName({ resourceName, resource, service, chargeClass }: InboxLine): string {
  return resourceName ?? (resource === null ? (service ?? chargeClass) : shortName(resource));
}

function attosOf(amount: string): bigint {
  return parseAmount(amount)?.value ?? 0n;
}

function sumOf(amounts: readonly string[]): string {
  return formatAttos(sumAttos(amounts.map((text) => parseAmount(text)?.value).filter((value) => value !== undefined)));
}

function withoutId({ name, team, conditions, fromMonth, toMonth }: AllocationRule): AllocationRule {
  return { name, team, conditions, fromMonth, toMonth };
}

function monthsText({ fromMonth, toMonth }: AllocationRule, say: Speech["say"]): string {
  if (fromMonth !== null && toMonth !== null) return say("allocate.between", { from: fromMonth, to: toMonth });
  if (fromMonth !== null) return say("allocate.from", { month: fromMonth });
  return toMonth === null ? say("allocate.always") : say("allocate.until", { month: toMonth });
}

function sourceText({ source }: SharedPoolRule, say: Speech["say"]): string {
  switch (source.kind) {
    case "team":
      return say("allocate.pool.team", { team: source.team });
    case "class":
      return say(`allocate.pool.class.${source.chargeClass}`);
    case "service":
      return say("allocate.pool.service", { service: source.service });
    case "rest":
      return say("allocate.pool.rest");
  }
}
