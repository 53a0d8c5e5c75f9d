import { useId, useState } from "react";
import type { CommitmentLine, CommitmentTerm, PlanAnswer } from "../../shared/contract/plan.ts";
import { paymentKinds } from "../../shared/contract/plan.ts";
import { useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { monthShort } from "../parts/table.ts";
import { Choice } from "../settings/selects.tsx";
import { decimalOf, isDay } from "../teams/amounts.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { WorkedBy } from "./Worked.tsx";

const CALENDAR_DAYS = 365;

/** What is held: how much of it is used, what is not, and when it ends, with the days on which to look at it. */
export function Portfolio({ plan, isReadOnly }: { readonly plan: PlanAnswer; readonly isReadOnly: boolean }) {
  const { say, words } = useSpeech();
  const id = useId();
  const [edited, setEdited] = useState<CommitmentLine | null>(null);
  const { commitments, portfolio, currency, period, baseline } = plan;
  const start = Date.parse(`${baseline.endDay}T00:00:00Z`);
  const place = (at: number): number => ((at - start) / 86_400_000 / CALENDAR_DAYS) * 100;
  const ticks = Array.from({ length: 6 }, (_, index) => {
    const month = new Date(start);
    month.setUTCMonth(month.getUTCMonth() + index * 2, 1);
    return { at: place(month.getTime()), label: monthShort(month.toISOString().slice(0, 7), words.language) };
  }).filter(({ at }) => at >= 0 && at < 95);
  return (
    <section aria-labelledby={id} className="portfolio">
      <SectionHead id={id} title={say("commit.portfolio.title")} note={say("commit.portfolio.note", { currency, period: words.period(period) })} />
      {commitments.length === 0 ? <p className="note">{say("commit.portfolio.none")}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{say("commit.column.commitment")}</th>
              <th scope="col" className="n">{say("commit.column.utilization")}</th>
              <th scope="col" className="n">{say("commit.column.unused")}</th>
              <th scope="col" className="calendar"><span className="for-readers">{say("commit.column.ends")}</span><span aria-hidden="true" className="calendar-head">{ticks.map(({ at, label }) => <i key={at} style={{ left: `${at}%` }}>{label}</i>)}</span></th>
              <th scope="col" className="n">{say("commit.column.renewal")}</th>
            </tr>
          </thead>
          <tbody>
            {commitments.map((line) => (
              <tr key={line.id}>
                <th scope="row">
                  {isReadOnly ? nameOf(line) : <button type="button" className="row-toggle" title={line.id} onClick={() => setEdited(line)}>{nameOf(line)}</button>}
                  <br /><span className="first-note">{termText(line)}</span>{line.termSource !== null && <><br /><span className="first-note">{say("commit.term.contract", { file: line.termSource.file, line: String(line.termSource.line) })}</span></>}
                </th>
                <td className="n"><WorkedBy title={say("commit.figure.utilization")} of={nameOf(line)} formula={say("commit.formula.held-utilization")} inputs={heldInputs(line)} result={line.utilization}>{words.figure(line.utilization, { bare: true })}</WorkedBy></td>
                <td className="n"><WorkedBy title={say("commit.column.unused")} of={nameOf(line)} what={say("commit.what.unused")} formula={say("commit.formula.held-unused")} inputs={heldInputs(line).slice(0, 1)} result={line.unused}>{words.figure(line.unused, { bare: true })}</WorkedBy></td>
                <td className="calendar"><Bar line={line} place={place} ticks={ticks.map(({ at }) => at)} endText={endText(line)} /></td>
                <td className="n renewal">{renewalText(line)}</td>
              </tr>
            ))}
            <tr className="total">
              <th scope="row">{say("commit.portfolio.all")}</th>
              <td className="n">{all("utilization", "commit.figure.utilization", "commit.formula.all-utilization")}</td>
              <td className="n">{all("unused", "commit.column.unused", "commit.formula.all-unused")}</td>
              <td colSpan={2} className="n renewal">{all("coverage", "commit.portfolio.covered", "commit.formula.all-coverage")} {all("savingsRate", "commit.portfolio.saved", "commit.formula.all-savings")}</td>
            </tr>
          </tbody>
        </table>
      )}
      {edited !== null && <TermForm line={edited} onClose={() => setEdited(null)} />}
    </section>
  );

  /** Of all commitments together; what is covered and saved stand in words, as they have no column of their own. */
  function all(figure: keyof PlanAnswer["portfolio"], title: "commit.figure.utilization" | "commit.column.unused" | "commit.portfolio.covered" | "commit.portfolio.saved", formula: `commit.formula.all-${"utilization" | "unused" | "coverage" | "savings"}`) {
    const result = portfolio[figure];
    const inputs = figure === "utilization" || figure === "unused" ? commitments.map((line) => ({ label: nameOf(line), figure: figure === "unused" ? line.unused : line.cost })) : [];
    const isNamed = figure === "coverage" || figure === "savingsRate";
    return <WorkedBy title={say(title)} of={say("commit.portfolio.all")} formula={say(formula)} inputs={inputs} result={result}>{isNamed ? `${say(title)} ${words.figure(result)}` : words.figure(result, { bare: true })}</WorkedBy>;
  }

  function heldInputs({ cost, unused }: CommitmentLine) {
    return [{ label: say("commit.column.cost"), figure: cost }, { label: say("commit.column.unused"), figure: unused }];
  }

  function nameOf({ provider, gpuModel, gpus, name }: CommitmentLine): string {
    return gpuModel === null ? name : say("commit.portfolio.name", { provider: provider ?? "", gpu: gpuModel, gpus: gpus.value === null ? "—" : words.figure(gpus) });
  }

  function termText({ term, type, price }: CommitmentLine): string {
    const months = term?.termMonths ?? null;
    const parts = [
      months === null ? type : months % 12 === 0 ? say("commit.years", { count: months / 12 }) : say("commit.months", { count: months }),
      term === null || term.payment === null ? null : say(`commit.payment.${term.payment}`),
      price.value === null ? null : say("commit.portfolio.rate", { price: words.figure(price) }),
    ];
    return parts.filter((part) => part !== null).join(say("commit.list-comma"));
  }

  function endText({ term, daysLeft }: CommitmentLine): string {
    if (term === null || term.endsOn === null || daysLeft === null) return say("commit.end-unknown");
    const day = words.instant(`${term.endsOn}T00:00:00Z`, "day");
    return daysLeft <= 0 ? say("commit.ended", { day }) : say("commit.ends-on", { day, count: daysLeft });
  }

  function renewalText({ renewal, window, daysLeft }: CommitmentLine) {
    if (renewal === null && window !== null && daysLeft !== null) return <span className="due">{say("commit.check-due", { count: daysLeft })}</span>;
    if (renewal === null || window === null) return <span className="muted">{daysLeft === null ? "—" : say("commit.renewal.not-due")}</span>;
    if (renewal.purchase.value === null) return <span className="due">{say("commit.renewal.no-quote")}</span>;
    return <span className="due">{say("commit.renewal.prices", { renewal: words.figure(renewal.renewal, { bare: true }), purchase: words.figure(renewal.purchase, { bare: true }) })}</span>;
  }
}

/** Days to the end as a bar, with a gap at each day on which to look at it. */
function Bar({ line, place, ticks, endText }: { readonly line: CommitmentLine; readonly place: (at: number) => number; readonly ticks: readonly number[]; readonly endText: string }) {
  const end = line.term === null || line.term.endsOn === null ? null : Date.parse(`${line.term.endsOn}T00:00:00Z`);
  const width = end === null ? null : Math.min(100, Math.max(0, place(end)));
  const isBeyond = end !== null && place(end) > 100;
  const isLate = width !== null && width > 52;
  return (
    <span className="expiry">
      {ticks.map((at) => <i key={at} className="tick" style={{ left: `${at}%` }} />)}
      {width === null ? <i className="bar unknown" /> : <i className={isBeyond ? "bar beyond" : "bar"} style={{ width: `${width}%` }} />}
      {end !== null && line.checks.filter(({ isPast }) => !isPast).map(({ day }) => { const at = place(Date.parse(`${day}T00:00:00Z`)); return at > 0 && at < 100 ? <i key={day} className="check" style={{ left: `${at}%` }} /> : null; })}
      <span className="end" style={width === null ? { left: 6 } : isLate ? { right: `${Math.max(0, 100 - width)}%`, top: 14 } : { left: `calc(${width}% + 6px)` }}>{endText}</span>
    </span>
  );
}

/** What the bill does not say of a commitment: when it ends, and what renewing would cost. */
function TermForm({ line, onClose }: { readonly line: CommitmentLine; readonly onClose: () => void }) {
  const { say, words } = useSpeech();
  const { tell, isBusy, error } = useTell("commitment.save");
  const lookUp = useTell("commitment.look-up");
  const [found, setFound] = useState<string | null>(null);
  const known = line.term;
  const [starts, setStarts] = useState(known?.startsOn ?? "");
  const [ends, setEnds] = useState(known?.endsOn ?? "");
  const [months, setMonths] = useState(known?.termMonths === null || known === null ? "" : String(known.termMonths));
  const [payment, setPayment] = useState<"none" | NonNullable<CommitmentTerm["payment"]>>(known?.payment ?? "none");
  const [gpus, setGpus] = useState(known?.gpus ?? "");
  const [renewal, setRenewal] = useState(known?.renewalHourly ?? "");
  const dayOr = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  const wrongDay = [starts, ends].some((text) => text.trim() !== "" && !isDay(text.trim()));
  const wrongNumber = [gpus, renewal].some((text) => text.trim() !== "" && decimalOf(text) === null) || (months.trim() !== "" && !/^\d{1,3}$/.test(months.trim()));
  // Its button stays enabled while the bill is read: a disabled one would drop the focus, and Escape with it.
  const look = async (): Promise<void> => {
    const answered = await lookUp.tell({ commitment: line.id });
    if (!answered.ok) return;
    const { term, missing } = answered.value;
    if (term === null || term.endsOn === null) return setFound(missing.length > 0 ? say("commit.term.file-missing") : say("commit.term.not-stated"));
    setFound(say("commit.term.found", { file: term.file, line: String(term.line) }));
    setStarts(term.startsOn ?? starts);
    setEnds(term.endsOn);
    if (term.termMonths !== null) setMonths(String(term.termMonths));
    if (term.payment !== null) setPayment(term.payment);
  };
  const save = async (): Promise<void> => {
    const done = await tell({
      term: {
        commitment: line.id, startsOn: dayOr(starts), endsOn: dayOr(ends), termMonths: months.trim() === "" ? null : Number(months), payment: payment === "none" ? null : payment,
        gpus: gpus.trim() === "" ? null : decimalOf(gpus), isConvertible: known?.isConvertible ?? null, renewalHourly: renewal.trim() === "" ? null : decimalOf(renewal), note: known?.note ?? null,
      },
      by: null,
    });
    if (done.ok) onClose();
  };
  return (
    <FormDialog title={say("commit.term.title", { name: line.name })} onClose={onClose} onSave={() => void save()} isBusy={isBusy} error={error ?? lookUp.error} aside={<Act isBusy={lookUp.isBusy} onPress={() => void look()}>{say("commit.term.look-up")}</Act>} isDisabled={wrongDay || wrongNumber} wrong={wrongDay ? say("commit.form.wrong-day") : wrongNumber ? say("commit.form.wrong-number") : null}>
      <p className="prose">{say("commit.term.why")}</p>
      {line.decision !== null && <p className="prose">{say(`commit.keeping.${line.decision}`, { keeping: words.figure(line.keeping), obligation: words.figure(line.obligation) })}</p>}
      {found !== null && <p className="prose" role="status">{found}</p>}
      <div className="form-condition">
        <TextLine label={say("commit.term.starts")} value={starts} onChange={setStarts} hint="2026-01-01" isFirst />
        <TextLine label={say("commit.term.ends")} value={ends} onChange={setEnds} hint="2027-01-01" />
        <TextLine label={say("commit.form.months")} value={months} onChange={setMonths} hint="12" />
        <Choice label={say("commit.form.payment")} value={payment} choices={(["none", ...paymentKinds] as const).map((id) => ({ id, text: id === "none" ? say("commit.form.not-said") : say(`commit.payment.${id}`) }))} onChoose={setPayment} />
        <TextLine label={say("commit.term.gpus")} value={gpus} onChange={setGpus} hint={say("commit.term.from-bill")} />
        <TextLine label={say("commit.term.renewal")} value={renewal} onChange={setRenewal} hint={say("commit.term.as-today")} />
      </div>
    </FormDialog>
  );
}
