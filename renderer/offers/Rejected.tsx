import { useId } from "react";
import type { OffersAnswer, RejectionReason } from "../../shared/contract/offers.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { comma, modeText, providerText } from "./shown.ts";

/** Every offer that does not fit has its reasons: how often each one, and offer by offer. */
export function Rejected({ answer }: { readonly answer: OffersAnswer }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const reasons = (Object.entries(answer.reasons) as [RejectionReason, number][]).sort((a, b) => b[1] - a[1]);
  const most = reasons[0]?.[1] ?? 0;
  if (answer.rejectedTotal === 0) return <section aria-labelledby={id}><SectionHead id={id} title={say("offers.rejected.title")} /><p className="context">{say("offers.rejected.none")}</p></section>;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("offers.rejected.title")} note={say("offers.rejected.note", { count: answer.rejectedTotal })} />
      <table className="statement dense" aria-labelledby={id}>
        <thead><tr><th scope="col">{say("offers.rejected.reason")}</th><th scope="col" className="n">{say("offers.rejected.count")}</th></tr></thead>
        <tbody>
          {reasons.map(([reason, count]) => (
            <tr key={reason}>
              <th scope="row">{say(`offers.reason.${reason}`)}</th>
              <td className="n"><span className="plan-bar" aria-hidden="true"><i style={{ width: `${Math.round((count / most) * 44)}px` }} /></span>{words.count(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <details className="rejected-list">
        <summary>{say("offers.rejected.list")}</summary>
        <ul>
          {answer.rejected.map((offer) => (
            <li key={offer.id}><b>{providerText(speech, offer.provider)} {offer.instanceType}</b> {offer.region === "*" ? say("prices.every-region") : offer.region}{comma(speech)}{modeText(speech, offer)}{words.language === "zh-CN" ? "：" : ": "}{offer.reasons.map((reason) => say(`offers.reason.${reason}`)).join(words.language === "zh-CN" ? "；" : "; ")}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}
