import { useId } from "react";
import type { OffersAnswer } from "../../shared/contract/offers.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { comma, gpusText, modeText, moneyOf, providerText, unitText } from "./shown.ts";

/** What a budget a year buys of the offers that fit, in hours and in work. */
export function Tiers({ answer }: { readonly answer: OffersAnswer }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const { currency, per } = answer;
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("offers.tiers.title")} note={say("offers.tiers.note", { currency })} />
      <table className="statement dense tiers" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{say("offers.tiers.budget")}</th>
            <th scope="col">{say("offers.tiers.offer")}</th>
            <th scope="col" className="n">{say("offers.tiers.gpu-hours")}</th>
            <th scope="col" className="n">{say("offers.tiers.units", { unit: unitText(speech, answer) })}</th>
            <th scope="col" className="n">{say("offers.tiers.all-year")}</th>
          </tr>
        </thead>
        <tbody>
          {answer.tiers.flatMap(({ budget, picks }) =>
            picks.filter(({ kind }) => kind !== "any").map((pick, index) => {
              const line = answer.ranked.find(({ id: name }) => name === pick.offer);
              return (
                <tr key={`${budget} ${pick.kind}`}>
                  <th scope="row">{index === 0 ? moneyOf(speech, budget, currency, { bare: true, digits: 0 }) : <span className="for-readers">{moneyOf(speech, budget, currency)}</span>}</th>
                  {pick.offer === null ? (
                    <td colSpan={4} className="muted">{say(`offers.tier.${pick.kind}`)}{words.language === "zh-CN" ? "：" : ": "}{say("offers.tiers.none")}</td>
                  ) : (
                    <>
                      <td className="clip" title={pick.offer}>{line === undefined ? pick.offer : [`${gpusText(speech, line)} × ${line.accelerator}`, providerText(speech, line.provider), modeText(speech, line)].join(comma(speech))}</td>
                      <td className="n">{words.number(pick.gpuHours, { digits: 0 })}</td>
                      <td className="n">{words.number(pick.units / per, { digits: 0 })}</td>
                      <td className="n">{pick.allYear === 0 ? "—" : say("offers.tiers.sets", { count: pick.allYear })}</td>
                    </>
                  )}
                </tr>
              );
            }),
          )}
        </tbody>
      </table>
    </section>
  );
}

/** For inference: what an accelerator that is no GPU would save, and what it asks for. */
export function Asics({ answer }: { readonly answer: OffersAnswer }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("offers.asic.title")} note={say("offers.asic.note")} />
      {answer.asics.length === 0 ? <p className="context">{say("offers.asic.none")}</p> : (
        <table className="statement dense asics" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{say("offers.asic.kind")}</th>
              <th scope="col">{say("offers.asic.offer")}</th>
              <th scope="col" className="n">{say("offers.asic.saves")}</th>
              <th scope="col">{say("offers.asic.risk")}</th>
            </tr>
          </thead>
          <tbody>
            {answer.asics.map(({ kind, offer, savesAYear, savesShare }) => {
              const line = answer.ranked.find(({ id: name }) => name === offer);
              const isEstimated = line === undefined || (line.rateBasis !== "benchmark" && line.rateBasis !== "scaled");
              return (
                <tr key={kind}>
                  <th scope="row">{say(`offers.asic.${kind}`)}</th>
                  <td className="clip" title={offer}>{line === undefined ? offer : `${gpusText(speech, line)} × ${line.accelerator}${comma(speech)}${line.instanceType}`}</td>
                  <td className="n">{savesAYear === null ? <span className="unknown">—</span> : moneyOf(speech, savesAYear, answer.currency, { digits: 0 })}{savesShare !== null && <span className="muted small"> {words.ratio(savesShare, { digits: 0 })}</span>}</td>
                  <td className="said">{say(`offers.asic.${kind}.risk`)}{isEstimated && ` ${say("offers.asic.measure")}`}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
