import { useId } from "react";
import { useAsk } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Refused } from "../parts/states.tsx";
import { amountIn } from "../teams/amounts.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** What the bills of a month say that may not be right, and what that does to figures. Nothing where nothing was found. */
export function Quality({ month }: { readonly month: string }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const asked = useAsk("quality.read", { period: month });
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking" || asked.value.findings.length === 0) return null;
  return (
    <section className="quality" aria-labelledby={id} aria-busy={asked.isOld}>
      <SectionHead id={id} title={say("quality.title")} note={say("quality.note", { period: words.period(month) })} />
      <table className="statement" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("quality.check")}</th><th scope="col">{say("scope.provider")}</th><th scope="col" className="n">{say("terminal.rows")}</th><th scope="col" className="n">{say("quality.amount")}</th><th scope="col">{say("quality.means")}</th></tr></thead>
        <tbody>
          {asked.value.findings.map(({ check, provider, currency, rows, amount }) => (
            <tr key={`${check} ${provider ?? ""} ${currency ?? ""}`}>
              <th scope="row">{say(`quality.${check}`)}</th>
              <td>{provider ?? say("scope.without")}</td>
              <td className="n">{words.count(rows)}</td>
              <td className="n">{amountIn(speech, amount, currency)}</td>
              <td className="wrap">{say(`quality.${check}.means`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
