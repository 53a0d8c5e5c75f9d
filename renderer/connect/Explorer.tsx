import { useId, useState } from "react";
import type { ExplorerAnswers, ExplorerMonth } from "../../shared/contract/connect.ts";
import { formatAttos } from "../../shared/domain/money.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { usePulls } from "../state/pulls.ts";
import { amountIn, differenceOf } from "../teams/amounts.ts";
import { useSpeech, type Speech } from "../words/WordsProvider.tsx";

/** What Cost Explorer said, beside the bills and never added to them. Nothing where nothing was asked. */
export function Explorer({ isReadOnly }: { readonly isReadOnly: boolean }) {
  const { say, error } = useSpeech();
  const id = useId();
  const open = usePulls((store) => store.open);
  const asked = useAsk("connect.read", {});
  const forget = useTell("connect.forget");
  const tell = useNotice((store) => store.tell);
  const [chosen, setChosen] = useState<string | null>(null);
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking") return null;
  const { months, commitments, recommendations, forecast, requestsSent, price } = asked.value;
  if (months.length + commitments.length + recommendations.length + forecast.length === 0) return null;
  const keyOf = ({ month, profile, currency }: ExplorerMonth): string => `${month} ${profile ?? ""} ${currency}`;
  const shown = months.find((month) => keyOf(month) === chosen) ?? months[0];
  const takeOut = async (): Promise<void> => {
    const result = await forget.tell({});
    tell(result.ok ? { text: say("connect.forgotten") } : { text: error(result.error).what, detail: error(result.error).todo });
  };
  return (
    <section className="explorer" aria-labelledby={id} aria-busy={asked.isOld}>
      <SectionHead id={id} title={say("connect.section")} note={say("connect.section.note", { count: requestsSent, price })}>
        {!isReadOnly && <span className="row-actions"><Act isBusy={forget.isBusy} onPress={() => void takeOut()}>{say("connect.forget")}</Act><button type="button" className="link" onClick={open}>{say("connect.again")}</button></span>}
      </SectionHead>
      {months.length > 0 && <Months id={id} months={months} keyOf={keyOf} shown={shown === undefined ? null : keyOf(shown)} onChoose={setChosen} />}
      <div className="pair">
        {shown !== undefined && <RecordTypes month={shown} />}
        {shown !== undefined && shown.machines.length > 0 && <Machines month={shown} />}
        {commitments.length > 0 && <Commitments commitments={commitments} currency={months[0]?.currency ?? "USD"} />}
        {forecast.length > 0 && <Forecast forecast={forecast} />}
      </div>
      {recommendations.length > 0 && <Recommendations recommendations={recommendations} />}
    </section>
  );
}

function Months({ id, months, keyOf, shown, onChoose }: { readonly id: string; readonly months: readonly ExplorerMonth[]; readonly keyOf: (month: ExplorerMonth) => string; readonly shown: string | null; readonly onChoose: (key: string) => void }) {
  const speech = useSpeech();
  const { say, words } = speech;
  return (
    <table className="statement" aria-labelledby={id}>
      <thead>
        <tr><th scope="col">{say("terminal.month")}</th><th scope="col" className="n">{say("connect.unblended")}</th><th scope="col" className="n">{say("connect.billed")}</th><th scope="col" className="n">{say("connect.difference")}</th><th scope="col" className="n">{say("connect.amortized")}</th><th scope="col" className="n">{say("connect.effective")}</th><th scope="col" className="n">{say("connect.difference")}</th></tr>
      </thead>
      <tbody>
        {months.map((month) => {
          const key = keyOf(month);
          const amount = (text: string | null): string => amountIn(speech, text, month.currency);
          return (
            <tr key={key} aria-selected={key === shown}>
              <th scope="row"><button type="button" className="link" aria-pressed={key === shown} onClick={() => onChoose(key)}>{words.period(month.month)}</button>{month.profile !== null && <small> {month.profile}</small>}{month.isEstimated && <small> {say("connect.estimated")}</small>}</th>
              <td className="n">{amount(month.unblended)}</td><td className="n">{amount(month.billed)}</td><td className="n">{difference(month.billed, month.unblended, month.currency, speech)}</td>
              <td className="n">{amount(month.amortized)}</td><td className="n">{amount(month.effective)}</td><td className="n">{difference(month.effective, month.amortized, month.currency, speech)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function difference(bill: string | null, explorer: string | null, currency: string, speech: Speech): string {
  const attos = differenceOf(bill, explorer);
  return amountIn(speech, attos === null ? null : formatAttos(attos), currency, { signed: true });
}

function RecordTypes({ month }: { readonly month: ExplorerMonth }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  return (
    <div>
      <SectionHead id={id} title={say("connect.record-types")} note={`${words.period(month.month)}, ${month.currency}`} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("connect.record-type")}</th><th scope="col" className="n">{say("connect.unblended")}</th><th scope="col" className="n">{say("connect.amortized")}</th></tr></thead>
        <tbody>
          {month.recordTypes.map(({ recordType, unblended, amortized }) => (
            <tr key={recordType}><th scope="row">{recordType}</th><td className="n">{amountIn(speech, unblended, month.currency, { bare: true })}</td><td className="n">{amountIn(speech, amortized, month.currency, { bare: true })}</td></tr>
          ))}
        </tbody>
        <tfoot><tr className="total"><th scope="row">{say("print.total")}</th><td className="n">{amountIn(speech, month.unblended, month.currency, { bare: true })}</td><td className="n">{amountIn(speech, month.amortized, month.currency, { bare: true })}</td></tr></tfoot>
      </table>
    </div>
  );
}

function Machines({ month }: { readonly month: ExplorerMonth }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  return (
    <div>
      <SectionHead id={id} title={say("connect.machines")} note={`${words.period(month.month)}, ${month.currency}`} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("connect.machine")}</th><th scope="col">{say("connect.purchase")}</th><th scope="col" className="n">{say("connect.hours")}</th><th scope="col" className="n">{say("connect.amortized")}</th></tr></thead>
        <tbody>
          {month.machines.map(({ instanceType, purchaseType, hours, amortized, gpuModel }) => (
            <tr key={`${instanceType} ${purchaseType}`}><th scope="row">{instanceType} <small>{gpuModel}</small></th><td>{purchaseType}</td><td className="n">{words.number(Number(hours), { digits: 1 })}</td><td className="n">{amountIn(speech, amortized, month.currency, { bare: true })}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Commitments({ commitments, currency }: { readonly commitments: ExplorerAnswers["commitments"]; readonly currency: string }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const percent = (text: string | null): string => (text === null ? "—" : words.ratio(Number(text) / 100));
  return (
    <div>
      <SectionHead id={id} title={say("connect.commitments")} note={say("connect.as-aws-states")} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("terminal.month")}</th><th scope="col">{say("connect.kind")}</th><th scope="col" className="n">{say("connect.utilization")}</th><th scope="col" className="n">{say("connect.coverage")}</th><th scope="col" className="n">{say("connect.unused")}</th></tr></thead>
        <tbody>
          {commitments.map(({ month, kind, profile, utilizationPercent, coveragePercent, unused }) => (
            <tr key={`${month} ${kind} ${profile ?? ""}`}><th scope="row">{words.period(month)}</th><td>{say(`connect.kind.${kind}`)}</td><td className="n">{percent(utilizationPercent)}</td><td className="n">{percent(coveragePercent)}</td><td className="n">{amountIn(speech, unused, currency)}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Forecast({ forecast }: { readonly forecast: ExplorerAnswers["forecast"] }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  return (
    <div>
      <SectionHead id={id} title={say("connect.forecast")} note={say("connect.forecast.note")} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("terminal.month")}</th><th scope="col" className="n">{say("connect.mean")}</th><th scope="col" className="n">{say("connect.low")}</th><th scope="col" className="n">{say("connect.high")}</th></tr></thead>
        <tbody>
          {forecast.map(({ month, currency, mean, low, high, profile }) => (
            <tr key={`${month} ${profile ?? ""}`}><th scope="row">{words.period(month)}</th><td className="n">{amountIn(speech, mean, currency)}</td><td className="n">{amountIn(speech, low, currency)}</td><td className="n">{amountIn(speech, high, currency)}</td></tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Recommendations({ recommendations }: { readonly recommendations: ExplorerAnswers["recommendations"] }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const percent = (text: string | null): string => (text === null ? "—" : words.ratio(Number(text) / 100));
  return (
    <div>
      <SectionHead id={id} title={say("connect.recommendations")} note={say("connect.as-aws-states")} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("connect.what")}</th><th scope="col">{say("connect.terms")}</th><th scope="col" className="n">{say("connect.buy")}</th><th scope="col" className="n">{say("connect.upfront")}</th><th scope="col" className="n">{say("connect.savings")}</th><th scope="col" className="n">{say("connect.savings-percent")}</th></tr></thead>
        <tbody>
          {recommendations.map((line, index) => (
            <tr key={index}>
              <th scope="row">{line.instanceType ?? line.instanceFamily ?? line.product} <small>{say(`connect.kind.${line.kind}`)}{line.region === null ? "" : `, ${line.region}`}</small></th>
              <td>{say("connect.terms.of", { count: line.termYears, payment: paymentText(line.payment, speech), days: line.lookbackDays })}</td>
              <td className="n">{line.hourlyCommitment === null ? say("connect.instances", { count: Number(line.instances ?? 0) }) : say("connect.an-hour", { amount: amountIn(speech, line.hourlyCommitment, line.currency) })}</td>
              <td className="n">{amountIn(speech, line.upfront, line.currency)}</td>
              <td className="n">{amountIn(speech, line.monthlySavings, line.currency)}</td>
              <td className="n">{percent(line.savingsPercent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function paymentText(payment: string, { say }: Speech): string {
  return payment === "NO_UPFRONT" || payment === "ALL_UPFRONT" || payment === "PARTIAL_UPFRONT" ? say(`connect.payment.${payment}`) : payment;
}
