import { useId } from "react";
import { Checkbox } from "react-aria-components";
import type { OffersAnswer } from "../../shared/contract/offers.ts";
import { useNarrow } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { MOST_SIDE_BY_SIDE, useOffers } from "../state/offers.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { comma, gpusText, modeText, moneyOf, placeText, providerText, speedText, statedText, unitText } from "./shown.ts";

/** Offers from the least cost of the work. A dot marks those that none beats in cost, hours and carbon together. */
export function Ranked({ answer, limit, onMore }: { readonly answer: OffersAnswer; readonly limit: number; readonly onMore: () => void }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const isNarrow = useNarrow();
  const { chosen, choose } = useOffers();
  const { currency } = answer;
  const shown = answer.ranked.filter(({ rank }) => rank <= limit);
  const hasSpot = shown.some(({ mode }) => mode === "spot");
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("offers.ranked.title")} note={say("offers.ranked.note", { currency, total: words.count(answer.rankedTotal) })} />
      <table className="statement dense offers-table" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col"><span className="for-readers">{say("offers.column.compare")}</span></th>
            <th scope="col" className="n"><span className="for-readers">{say("offers.column.rank")}</span></th>
            <th scope="col">{say("offers.column.accelerator")}</th>
            <th scope="col">{say("offers.column.offer")}</th>
            <th scope="col">{say("offers.column.mode")}</th>
            <th scope="col" className="n">{say("offers.column.price")}</th>
            <th scope="col" className="n">{say("offers.side.cost", { unit: unitText(speech, answer) })}</th>
            <th scope="col" className="n">{say("offers.column.year")}</th>
            <th scope="col" className="n">{say("offers.column.hours")}</th>
            {!isNarrow && <th scope="col" className="n">{say("offers.column.carbon")}</th>}
            {!isNarrow && <th scope="col" className="n">{say("offers.column.speed")}</th>}
            <th scope="col">{say("offers.column.rate")}</th>
            {!isNarrow && <th scope="col">{say("offers.column.age")}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((line, index) => {
            const isChosen = chosen.includes(line.id);
            return (
              <tr key={line.id} aria-selected={isChosen} className={index === 0 ? "first-offer" : undefined}>
                <td><Checkbox className="check" isSelected={isChosen} isDisabled={!isChosen && chosen.length >= MOST_SIDE_BY_SIDE} onChange={() => choose(line.id)} aria-label={say("offers.choose", { offer: line.id })}><i aria-hidden="true" /></Checkbox></td>
                <td className="n">{line.isPareto && <span className="front-mark" title={say("offers.pareto")}>●<span className="for-readers">{say("offers.pareto")}</span></span>}{words.number(line.rank, { digits: 0 })}</td>
                <th scope="row">{gpusText(speech, line)} × {line.accelerator}</th>
                <td className="clip" title={`${line.instanceType} · ${line.region}${line.otherRegions.dearer > 0 ? ` · ${say("offers.other-regions", { count: line.otherRegions.dearer })}` : ""}`}>{providerText(speech, line.provider)} {line.instanceType}{comma(speech)}{placeText(speech, line)}</td>
                <td>{modeText(speech, line)}</td>
                <td className="n" title={statedText(speech, line) ?? undefined}>{line.stated !== null && <small className="muted">{say("offers.converted.mark")} </small>}{moneyOf(speech, line.pricePerHour, currency, { bare: true })}</td>
                <td className="n">{moneyOf(speech, line.costPer, currency, { bare: true })}</td>
                <td className="n">{moneyOf(speech, line.cost, currency, { bare: true, digits: 0 })}</td>
                <td className="n">{words.number(line.hours, { digits: 0 })}</td>
                {!isNarrow && <td className="n">{line.carbonKg === null ? <span className="unknown">—</span> : words.number(line.carbonKg, { digits: 0 })}</td>}
                {!isNarrow && <td className="n" title={say("offers.must-be.title", { must: speedText(speech, line.breakEvenSpeedUp), is: speedText(speech, line.speedUp) })}>{index === 0 ? "" : `×${speedText(speech, line.breakEvenSpeedUp)} / ×${speedText(speech, line.speedUp)}`}</td>}
                <td className={line.rateBasis === "benchmark" || line.rateBasis === "scaled" ? undefined : "muted"} title={line.benchmark === null ? undefined : `${line.benchmark.source}, ${line.benchmark.measuredOn}`}>{say(`offers.rate.${line.rateBasis}`)}</td>
                {!isNarrow && <td className={line.priceOrigin === "list" ? "muted" : undefined} title={`${say(`prices.origin.${line.priceOrigin}`)} ${words.reference(line.priceSource)}${comma(speech)}${line.priceDate}`}>{line.isSuperseded ? say("offers.superseded") : say("prices.age", { count: line.ageDays })}{line.priceOrigin !== "list" && ` · ${say(`prices.origin.${line.priceOrigin}`)}`}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="actions after-table">
        {answer.rankedTotal > limit && <button type="button" className="link" onClick={onMore}>{say("offers.ranked.more")}</button>}
        {hasSpot && <span className="muted small">{say("offers.spot.note")}</span>}
      </p>
    </section>
  );
}
