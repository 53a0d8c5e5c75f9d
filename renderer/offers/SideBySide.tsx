import { useId } from "react";
import type { ReactNode } from "react";
import { type OfferLine, type OffersAnswer, precisions } from "../../shared/contract/offers.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useOffers } from "../state/offers.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { comma, gpusText, modeText, moneyOf, placeText, providerText, speedText, statedText, unitText } from "./shown.ts";

/** Up to five offers beside each other, measured by the first. */
export function SideBySide({ answer }: { readonly answer: OffersAnswer }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const { chosen, clear } = useOffers();
  const lines = chosen.flatMap((name) => answer.ranked.find((line) => line.id === name) ?? []);
  const [first] = lines;
  if (first === undefined) return null;
  const { currency } = answer;
  const unknown = <span className="unknown">—</span>;
  const number = (value: number | null, digits = 0): ReactNode => (value === null ? unknown : words.number(value, { digits }));
  const times = (value: number): ReactNode => `×${speedText(speech, value)}`;
  const known = precisions.filter((precision) => lines.some(({ tflopsPerMoney }) => tflopsPerMoney[precision] !== undefined));
  const rows: readonly (readonly [string, (line: OfferLine) => ReactNode])[] = [
    [say("offers.side.price"), ({ pricePerHour }) => moneyOf(speech, pricePerHour, currency)],
    [say("offers.side.cost", { unit: unitText(speech, answer) }), ({ costPer }) => moneyOf(speech, costPer, currency)],
    [say("offers.side.year"), ({ cost }) => moneyOf(speech, cost, currency, { digits: 0 })],
    [say("offers.side.hours"), ({ hours }) => number(hours)],
    [say("offers.side.used"), ({ utilization }) => words.ratio(utilization)],
    [say("offers.side.must"), (line) => (line === first ? "" : times(line.breakEvenSpeedUp / first.breakEvenSpeedUp))],
    [say("offers.side.is"), (line) => (line === first ? "" : times(line.speedUp / first.speedUp))],
    [say("offers.side.rate"), ({ unitsPerSecond, rateBasis }) => say("offers.side.units-per-second", { rate: words.number(unitsPerSecond, { digits: unitsPerSecond < 10 ? 2 : 0 }), basis: say(`offers.rate.${rateBasis}`) })],
    [say("offers.side.gpus"), (line) => gpusText(speech, line)],
    [say("offers.side.memory"), ({ memoryGb, totalMemoryGb }) => (memoryGb === null ? unknown : `${words.number(memoryGb, { digits: memoryGb < 10 ? 1 : 0 })} · ${totalMemoryGb === null ? "—" : words.number(totalMemoryGb, { digits: 0 })} GB`)],
    [say("offers.side.bandwidth"), ({ bandwidthTbs }) => (bandwidthTbs === null ? unknown : `${words.number(bandwidthTbs, { digits: 2 })} TB/s`)],
    [say("offers.side.link"), ({ link, hasRdma }) => `${link === null ? "—" : say(`offers.link.${link}`)} · ${say(hasRdma ? "offers.side.yes" : "offers.side.no")}`],
    [say("offers.side.confidential"), ({ isConfidential }) => say(isConfidential ? "offers.side.yes" : "offers.side.no")],
    ...known.map((precision): readonly [string, (line: OfferLine) => ReactNode] => [say("offers.side.flops", { precision, currency }), ({ tflopsPerMoney }) => number(tflopsPerMoney[precision] ?? null)]),
    [say("offers.side.gb", { currency }), ({ gbPerMoney }) => number(gbPerMoney, 1)],
    [say("offers.side.gbs", { currency }), ({ gbsPerMoney }) => number(gbsPerMoney)],
    [say("offers.side.carbon"), ({ carbonKg }) => (carbonKg === null ? unknown : say("offers.kilograms", { kilograms: words.number(carbonKg, { digits: 0 }) }))],
    [say("offers.side.grid"), ({ gridGrams, gridYear, pue }) => (gridGrams === null ? unknown : say("offers.side.grid-year", { grams: words.number(gridGrams, { digits: 0 }), year: String(gridYear ?? "—"), pue: pue === null ? "—" : words.number(pue, { digits: 2 }) }))],
    ...(lines.some(({ stated }) => stated !== null) ? [[say("offers.side.stated"), (line: OfferLine) => statedText(speech, line) ?? "—"] as const] : []),
    [say("offers.side.source"), ({ priceOrigin, priceSource, priceDate, discountPercent }) => <span title={words.reference(priceSource)}>{say(`prices.origin.${priceOrigin}`)}{comma(speech)}{words.instant(`${priceDate}T00:00:00Z`, "day")}{discountPercent === null ? "" : ` −${discountPercent} %`}</span>],
  ];
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("offers.side.title")} note={say("offers.side.note")}>
        <button type="button" className="link" onClick={clear}>{say("offers.side.clear")}</button>
      </SectionHead>
      <table className="statement dense side-by-side" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col"><span className="for-readers">{say("offers.side.title")}</span></th>
            {lines.map((line) => (
              <th key={line.id} scope="col" className="n"><b>{gpusText(speech, line)} × {line.accelerator}</b><br />{providerText(speech, line.provider)} {line.instanceType}<br />{placeText(speech, line)}{comma(speech)}{modeText(speech, line)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, cell]) => <tr key={label}><th scope="row">{label}</th>{lines.map((line) => <td key={line.id} className="n">{cell(line)}</td>)}</tr>)}
        </tbody>
      </table>
    </section>
  );
}
