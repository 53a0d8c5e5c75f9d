import { useId, useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { StoppedMachine, StopReplay, StopRule, StopTool, StopTrigger } from "../../../shared/contract/findings.ts";
import { clockTime, defaultStopRule, stopTools, stopTriggers } from "../../../shared/contract/findings.ts";
import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import type { ReportRequest } from "../../../shared/contract/report.ts";
import { useAsk, useTell } from "../../ledger/useAsk.ts";
import { Act } from "../../parts/Act.tsx";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { Choice } from "../../settings/selects.tsx";
import { useNotice } from "../../state/notice.ts";
import { amountIn, shortName } from "../../teams/amounts.ts";
import { TextLine } from "../../teams/fields.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { RuleNumber } from "./RuleNumber.tsx";
import { sentences } from "../../../shared/contract/words.ts";

const firstShown = 8;

/** When machines would be stopped: the rule, what it would have done in the period, and its plan as a script. The app stops nothing. */
export function StopRules({ request, status }: { readonly request: ReportRequest; readonly status: LedgerStatus }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  // null: the rule that the ledger keeps.
  const [tried, setTried] = useState<StopRule | null>(null);
  const [draft, setDraft] = useState<StopRule | null>(null);
  const asked = useAsk("stops.replay", { period: request.period, scope: request.scope, currency: request.currency, rule: tried });
  if (asked.state === "asking") return <section aria-labelledby={id} aria-busy="true"><SectionHead id={id} title={say("stops.title")} note={say("stops.note")} /></section>;
  if (asked.state === "refused") {
    return (
      <section aria-labelledby={id}>
        <SectionHead id={id} title={say("stops.title")} note={say("stops.note")} />
        <Refused error={asked.error}><button type="button" className="link" onClick={() => setTried(null)}>{say("action.revert")}</button></Refused>
      </section>
    );
  }
  const replay = asked.value;
  const rule = draft ?? replay.rule;
  const { totals, currency, coverage, notReplayed } = replay;
  const pin = (machine: StoppedMachine): void => {
    const pinned = machine.worth === "pinned" ? replay.rule.pinned.filter((resource) => resource.toLowerCase() !== machine.resource.toLowerCase()) : [...replay.rule.pinned, machine.resource];
    setTried({ ...replay.rule, pinned });
    setDraft((before) => (before === null ? null : { ...before, pinned }));
  };
  return (
    <div className="pair stop-rules" aria-busy={asked.isOld}>
      <section aria-labelledby={id}>
        <SectionHead id={id} title={say("stops.title")} note={say("stops.note")}>
          <ScriptMenu request={request} replay={replay} />
        </SectionHead>
        <p className="stops-answer" role="status">
          {say("stops.answer", { count: totals.machines, hours: words.number(totals.hours, { digits: 1 }), saved: amountIn(speech, totals.saved, currency), falseStops: words.count(totals.falseStops), stops: words.count(totals.stops) })}
        </p>
        <p className="context">
          {sentences([
            totals.sunk === "0" ? null : say("stops.worth", { sunk: amountIn(speech, totals.sunk, currency) }),
            totals.unclear === "0" ? null : say("stops.unclear", { unclear: amountIn(speech, totals.unclear, currency) }),
            totals.workHours === 0 ? null : say(totals.heldHours === 0 ? "stops.cut" : "stops.cut.held", { hours: words.number(totals.workHours, { digits: 1 }), held: words.number(totals.heldHours, { digits: 1 }) }),
            coverage === null ? null : say("stops.coverage", { share: words.ratio(coverage) }),
            notReplayed.length === 0 ? null : say("stops.not-replayed", { count: notReplayed.length, machines: notReplayed.slice(0, 3).map(({ resource }) => shortName(resource)).join(", ") }),
          ].filter((sentence) => sentence !== null), words.language)}
        </p>
        <Machines replay={replay} onPin={pin} />
      </section>
      <RuleForm
        key={JSON.stringify(replay.rule)}
        rule={rule}
        replay={replay}
        isReadOnly={status.isReadOnly}
        onChange={setDraft}
        onTry={() => { const written = withClock(rule); setDraft(written); setTried(written); }}
        onRevert={() => {
          setTried(null);
          setDraft(null);
        }}
      />
    </div>
  );
}

function Machines({ replay, onPin }: { readonly replay: StopReplay; readonly onPin: (machine: StoppedMachine) => void }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const [isAll, setAll] = useState(false);
  const [opened, open] = useState<string | null>(null);
  const { machines, currency } = replay;
  if (machines.length === 0) return <p className="note">{say(replay.replayed === 0 ? "stops.none-replayed" : "stops.none")}</p>;
  const shown = isAll ? machines : machines.slice(0, firstShown);
  return (
    <>
      <table className="statement" aria-label={say("stops.machines")}>
        <thead>
          <tr>
            <th scope="col">{say("column.machine")}</th><th scope="col">{say("column.team")}</th><th scope="col" className="n">{say("stops.column.hours")}</th><th scope="col" className="n">{say("stops.column.saved")}</th>
            <th scope="col" className="n">{say("stops.column.stops")}</th><th scope="col" className="n">{say("stops.column.false")}</th><th scope="col">{say("stops.column.worth")}</th><th scope="col">{say("stops.column.now")}</th>
            <th scope="col"><span className="for-readers">{say("stops.pin")}</span></th>
          </tr>
        </thead>
        <tbody>
          {shown.map((machine) => {
            const name = machine.hosts[0] ?? shortName(machine.resource);
            return [
              <tr key={machine.resource} data-tone={machine.worth === "committed" ? "committed" : machine.worth === "pinned" ? "muted" : undefined}>
                <th scope="row" className="mono" title={machine.resource}><button type="button" className="row-toggle" aria-expanded={opened === machine.resource} onClick={() => open(opened === machine.resource ? null : machine.resource)}>{name}</button></th>
                <td>{machine.team ?? say("team.none")}</td>
                <td className="n">{words.number(machine.hours, { digits: 1 })}</td>
                <td className="n">{machine.worth === "pinned" ? "—" : amountIn(speech, machine.saved, currency, { bare: true })}</td>
                <td className="n">{words.count(machine.stops)}</td>
                <td className="n">{words.count(machine.falseStops)}</td>
                <td>{say(`stops.worth.${machine.worth}`)}</td>
                <td>{machine.idleSince === null ? say("stops.now.work") : say("stops.now.idle", { since: words.instant(machine.idleSince, "minute") })}</td>
                <td className="n"><button type="button" className="link" aria-label={`${say(machine.worth === "pinned" ? "stops.unpin" : "stops.pin")}: ${name}`} onClick={() => onPin(machine)}>{say(machine.worth === "pinned" ? "stops.unpin" : "stops.pin")}</button></td>
              </tr>,
              opened === machine.resource && (
                <tr key={`${machine.resource} detail`} className="detail">
                  <td colSpan={9}>
                    <ul className="stops-list">
                      {machine.list.map(({ at, until, hours, workHours, endedBy, isFalse }) => (
                        <li key={at}>{say(workHours > 0 ? "stops.stop.cut" : isFalse ? "stops.stop.false" : `stops.stop.${endedBy}`, { from: words.instant(at, "minute"), until: words.instant(until, "minute"), hours: words.number(workHours > 0 ? workHours : hours, { digits: 1 }) })}</li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ),
            ];
          })}
        </tbody>
      </table>
      {machines.length > firstShown && <p className="actions"><button type="button" className="link" onClick={() => setAll(!isAll)}>{say(isAll ? "action.fewer" : "action.all", { count: machines.length })}</button></p>}
    </>
  );
}

interface RuleFormProps {
  readonly rule: StopRule;
  readonly replay: StopReplay;
  readonly isReadOnly: boolean;
  readonly onChange: (rule: StopRule) => void;
  readonly onTry: () => void;
  readonly onRevert: () => void;
}

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const workdays = [1, 2, 3, 4, 5];

function RuleForm({ rule, replay, isReadOnly, onChange, onTry, onRevert }: RuleFormProps) {
  const { say } = useSpeech();
  const id = useId();
  const save = useTell("stop-rule.save");
  const tell = useNotice((store) => store.tell);
  const put = (change: Partial<StopRule>): void => onChange({ ...rule, ...change });
  const isChanged = JSON.stringify(rule) !== JSON.stringify(replay.rule);
  const isDefault = JSON.stringify({ ...rule, pinned: [] }) === JSON.stringify({ ...defaultStopRule, pinned: [] });
  const isOrdered = rule.idleAtOrUnderPercent <= rule.busyAtOrOverPercent;
  const { keepOn } = rule;
  const isScheduled = rule.stopsBy === "schedule";
  const isClock = keepOn === null || (clockTime(keepOn.from, "from") !== null && clockTime(keepOn.to, "to") !== null);
  const isZone = keepOn === null || isTimeZone(keepOn.zone);
  const hours = keepOn === null ? "never" : keepOn.weekdays.length > 5 ? "daily" : "workdays";
  const submit = async (): Promise<void> => {
    const result = await save.tell({ rule: replay.rule });
    if (result.ok) {
      tell({ text: say("stops.saved") });
      onRevert();
    }
  };
  const hoursOn = (chosen: "never" | "workdays" | "daily"): StopRule["keepOn"] =>
    chosen === "never" ? null : { zone: keepOn?.zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone, from: keepOn?.from ?? "08:00", to: keepOn?.to ?? "20:00", weekdays: chosen === "daily" ? everyDay : workdays };
  const putHours = (chosen: "never" | "workdays" | "daily"): void => put({ keepOn: hoursOn(chosen) });
  // By the clock there must be a clock: nights and weekends off, until the person says otherwise.
  // A model in memory is no work: the clock stops it too, until the person says otherwise.
  const putTrigger = (stopsBy: StopTrigger): void => put({ stopsBy, stopsHeld: stopsBy === "schedule", keepOn: stopsBy === "schedule" && keepOn === null ? hoursOn("workdays") : keepOn });
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("stops.rule")} note={say(replay.isSaved ? "stops.rule.kept" : isUnsavedUsual(replay) ? "stops.rule.usual" : "stops.rule.tried")} />
      <form onSubmit={(event) => { event.preventDefault(); onTry(); }}>
        <div className="rules">
          <div className="choice"><Choice label={say("stops.by")} value={rule.stopsBy} choices={stopTriggers.map((each) => ({ id: each, text: say(`stops.by.${each}`) }))} onChoose={putTrigger} /></div>
          {!isScheduled && <RuleNumber label={say("stops.idle-for")} unit={say("unit.minutes")} value={rule.minimumSeconds} factor={60} min={1} max={10_080} onChange={(minimumSeconds) => put({ minimumSeconds })} />}
          <RuleNumber label={say("stops.idle-at")} unit={say("unit.percent")} value={rule.idleAtOrUnderPercent} factor={1} max={100} onChange={(idleAtOrUnderPercent) => put({ idleAtOrUnderPercent })} />
          <RuleNumber label={say("stops.busy-at")} unit={say("unit.percent")} value={rule.busyAtOrOverPercent} factor={1} max={100} onChange={(busyAtOrOverPercent) => put({ busyAtOrOverPercent })} />
          {!isScheduled && <RuleNumber label={say("stops.bridge")} unit={say("unit.minutes")} value={rule.bridgeSeconds} factor={60} max={1440} onChange={(bridgeSeconds) => put({ bridgeSeconds })} />}
          {!isScheduled && <RuleNumber label={say("stops.false-within")} unit={say("unit.minutes")} value={rule.falseStopSeconds} factor={60} max={1440} onChange={(falseStopSeconds) => put({ falseStopSeconds })} />}
          <RuleNumber label={say("stops.restart")} unit={say("unit.minutes")} value={rule.restartSeconds} factor={60} max={1440} onChange={(restartSeconds) => put({ restartSeconds })} />
          <div className="choice"><Choice label={say("stops.held")} value={rule.stopsHeld ? "stop" : "leave"} choices={[{ id: "leave", text: say("stops.held.leave") }, { id: "stop", text: say("stops.held.stop") }]} onChoose={(chosen) => put({ stopsHeld: chosen === "stop" })} /></div>
          <div className="choice"><Choice label={say("stops.keep-on")} value={hours} choices={(isScheduled ? (["workdays", "daily"] as const) : (["never", "workdays", "daily"] as const)).map((each) => ({ id: each, text: say(`stops.keep-on.${each}`) }))} onChoose={putHours} /></div>
        </div>
        {keepOn !== null && (
          <div className="form-grid stops-hours">
            <TextLine label={say("stops.from")} value={keepOn.from} onChange={(from) => put({ keepOn: { ...keepOn, from } })} isInvalid={clockTime(keepOn.from, "from") === null} />
            <TextLine label={say("stops.to")} value={keepOn.to} onChange={(to) => put({ keepOn: { ...keepOn, to } })} isInvalid={clockTime(keepOn.to, "to") === null} />
            <TextLine label={say("stops.zone")} value={keepOn.zone} onChange={(zone) => put({ keepOn: { ...keepOn, zone } })} isInvalid={!isZone} />
          </div>
        )}
        <p className="note">{!isOrdered ? say("idle-rules.order") : !isClock ? say("stops.wrong-time") : !isZone ? say("stops.wrong-zone") : say(isScheduled ? "stops.explained-schedule" : "stops.explained")}</p>
        {save.error !== null && <Refused error={save.error} />}
        <p className="actions after-rules">
          <button type="submit" className="link main" disabled={!isChanged || !isOrdered || !isClock || !isZone}>{say("stops.replay")}</button>
          {!isChanged && !replay.isSaved && !isReadOnly && <Act isBusy={save.isBusy} onPress={() => void submit()}>{say("stops.save")}</Act>}
          {(isChanged || !replay.isSaved) && !isUnsavedUsual(replay, rule) && <button type="button" className="link" onClick={onRevert}>{say("action.revert")}</button>}
          {!isDefault && !isChanged && <button type="button" className="link" onClick={() => onChange({ ...defaultStopRule, pinned: rule.pinned })}>{say("idle-rules.default")}</button>}
        </p>
      </form>
    </section>
  );
}

/** The usual rule, which nobody has kept yet. */
function isUnsavedUsual(replay: StopReplay, rule: StopRule = replay.rule): boolean {
  return !replay.isSaved && JSON.stringify(rule) === JSON.stringify(defaultStopRule);
}

/** With its times as the contract writes them. */
function withClock(rule: StopRule): StopRule {
  const { keepOn } = rule;
  return keepOn === null ? rule : { ...rule, keepOn: { ...keepOn, from: clockTime(keepOn.from, "from") ?? keepOn.from, to: clockTime(keepOn.to, "to") ?? keepOn.to } };
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** Writes the plan as a script to a file that the person names; they read it and run it themselves. */
function ScriptMenu({ request, replay }: { readonly request: ReportRequest; readonly replay: StopReplay }) {
  const { say, language, error } = useSpeech();
  const choose = useTell("files.choose");
  const write = useTell("stops.export");
  const tell = useNotice((store) => store.tell);
  const run = async (tool: StopTool): Promise<void> => {
    const chosen = await choose.tell({ kind: "export-save", suggestedName: `stop-plan-${tool}-${request.period}.sh` });
    const file = chosen.ok ? chosen.value[0] : undefined;
    if (!chosen.ok) return tell({ text: error(chosen.error).what, detail: error(chosen.error).todo });
    if (file === undefined) return;
    const written = await write.tell({ period: request.period, scope: request.scope, currency: request.currency, rule: replay.rule, tool, language, file: file.token });
    tell(written.ok ? { text: say("stops.written", { file: file.name, commands: written.value.commands, comments: written.value.comments }), detail: say("stop-script.read") } : { text: error(written.error).what, detail: error(written.error).todo });
  };
  return (
    <MenuTrigger>
      <Button className="link" isDisabled={write.isBusy || replay.machines.length === 0}>{say("stops.script")}</Button>
      <Popover className="popover" placement="bottom end">
        <Menu aria-label={say("stops.script")} onAction={(key) => void run(key as StopTool)}>
          {stopTools.map((tool) => <MenuItem key={tool} id={tool} className="option">{say(`stops.tool.${tool}`)}</MenuItem>)}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
