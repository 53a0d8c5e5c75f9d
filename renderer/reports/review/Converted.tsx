import { useId } from "react";
import type { ConvertedRow, ConvertedTotals } from "../../../shared/contract/rates.ts";
import type { ReportRequest } from "../../../shared/contract/report.ts";
import { converted, convertedTo } from "../../../shared/domain/currency.ts";
import { parseAmount } from "../../../shared/domain/money.ts";
import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { Choice } from "../../settings/selects.tsx";
import { useView } from "../../state/view.ts";
import { amountIn } from "../../teams/amounts.ts";
import { useSpeech, type Speech } from "../../words/WordsProvider.tsx";

/** The period in one currency, each day by its own rate, with the rates that were used. There once the person has rates. */
export function Converted({ request, status }: { readonly request: ReportRequest; readonly status: LedgerStatus }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const chosen = convertedTo(useView((view) => view.currency));
  const look = useView((view) => view.look);
  const rates = useAsk("rates.list", {});
  const targets = targetsOf(status, rates.state === "answered" ? rates.value.currencies : []);
  // Of several currencies the first one; a single one is looked at in the currency that the rates start from.
  const others = [...(rates.state === "answered" ? rates.value.pairs.map(({ base }) => base) : []), ...targets].filter((currency) => !status.currencies.includes(currency));
  const usual = status.currencies.length > 1 ? targets[0] : (others[0] ?? targets[0]);
  const target = chosen !== null && targets.includes(chosen) ? chosen : usual;
  const asked = useAsk("totals.converted", target === undefined ? null : { period: request.period, by: ["provider", "currency"], scope: request.scope, in: target });
  if (target === undefined) return null;
  return (
    <section className="in-one-currency" aria-labelledby={id}>
      <SectionHead id={id} title={say("converted.title")} note={say("converted.note", { basis: say(`pick.basis.${request.basis}`) })}>
        <Choice label={say("converted.choose")} value={target} choices={targets.map((currency) => ({ id: currency, text: currency }))} onChoose={(currency) => look({ currency: converted(currency) })} />
      </SectionHead>
      {asked.state === "refused" && <Refused error={asked.error} />}
      {asked.state === "answered" && (
        <div className="pair">
          <div aria-busy={asked.isOld}>
            <table className="statement" aria-labelledby={id}>
              <thead><tr><th scope="col">{say("scope.provider")}</th><th scope="col" className="n">{say("converted.stated")}</th><th scope="col" className="n">{say("converted.average")}</th><th scope="col" className="n">{say("converted.in", { currency: asked.value.in })}</th></tr></thead>
              <tbody>{asked.value.rows.map((row) => <Line key={`${row.provider ?? ""} ${row.currency ?? ""}`} row={row} basis={request.basis} target={asked.value.in} isWhole={!asked.value.missing.some(({ currency }) => currency === row.currency)} />)}</tbody>
              <tfoot><tr className="total"><th scope="row">{say("converted.whole")}</th><td /><td /><td className="n">{amountIn(speech, asked.value.whole[request.basis], asked.value.in)}</td></tr></tfoot>
            </table>
            {asked.value.coverage !== null && <p className="note">{say("converted.coverage", { share: words.ratio(asked.value.coverage) })}</p>}
            {asked.value.missing.map(({ currency, days, firstDay, lastDay, amount }) => (
              <p className="note" key={currency}><span aria-hidden="true" className="alert-mark">▲</span> {say("rates.missing", { count: days, currency, from: words.instant(`${firstDay}T00:00:00Z`, "day"), until: words.instant(`${lastDay}T00:00:00Z`, "day"), amount: amountIn(speech, amount, currency) })}</p>
            ))}
          </div>
          <RatesUsed totals={asked.value} />
        </div>
      )}
    </section>
  );
}

/** What a ledger can be converted into: its own currencies first, since in one of them most needs no rate. */
export function targetsOf({ currencies }: Pick<LedgerStatus, "currencies">, known: readonly string[]): readonly string[] {
  return [...currencies.filter((currency) => known.includes(currency)), ...known.filter((currency) => !currencies.includes(currency))];
}

/** Its average rate only where all of it was converted. */
function Line({ row, basis, target, isWhole }: { readonly row: ConvertedRow; readonly basis: ReportRequest["basis"]; readonly target: string; readonly isWhole: boolean }) {
  const speech = useSpeech();
  const stated = row.stated === null ? null : basis === "BilledCost" ? row.stated.BilledCost : basis === "EffectiveCost" ? row.stated.EffectiveCost : null;
  return (
    <tr>
      <th scope="row">{row.provider ?? speech.say("scope.without")} <small>{row.currency}</small></th>
      <td className="n">{amountIn(speech, stated, row.currency ?? null)}</td>
      <td className="n">{isWhole ? averageOf(row[basis], stated, speech) : "—"}</td>
      <td className="n">{amountIn(speech, row[basis], target)}</td>
    </tr>
  );
}

/** Converted ÷ stated, to six digits: for reading, never for reckoning. */
function averageOf(amount: string | null, stated: string | null, { words }: Speech): string {
  const [above, below] = [amount, stated].map((text) => (text === null ? 0n : (parseAmount(text)?.value ?? 0n)));
  return above === undefined || below === undefined || below === 0n || above === 0n ? "—" : words.number(Number((above * 10n ** 12n) / below) / 1e12, { digits: 6 });
}

function RatesUsed({ totals }: { readonly totals: ConvertedTotals }) {
  const { say, words } = useSpeech();
  const id = useId();
  if (totals.rates.length === 0) return null;
  return (
    <div>
      <SectionHead id={id} title={say("converted.rates")} />
      <div className="days-scroll">
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("rates.rate")}</th><th scope="col">{say("rates.day")}</th><th scope="col" className="n">{say("rates.days")}</th><th scope="col">{say("rates.source")}</th></tr></thead>
          <tbody>
            {totals.rates.map(({ base, quote, day, rate, daysUsed, source }) => (
              <tr key={`${base} ${quote} ${day}`}><th scope="row">{say("converted.rate-line", { base, quote, rate })}</th><td>{words.instant(`${day}T00:00:00Z`, "day")}</td><td className="n">{words.count(daysUsed)}</td><td>{source}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
