import { useId, useState } from "react";
import type { CleanerRegion, RegionChoice, RegionNeed } from "../../shared/contract/cleaner-regions.ts";
import { regionNeeds } from "../../shared/contract/cleaner-regions.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import type { Scope } from "../../shared/domain/scope.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { Choice } from "../settings/selects.tsx";
import type { Words } from "../../shared/i18n/format.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { kilogramsText, listText } from "./amounts.ts";

/** Where the same machines would have emitted less. A hint: where data may lie is the person's to know. */
export function CleanerRegions({ period, scope }: { readonly period: string; readonly scope: Scope }) {
  const { say, words } = useSpeech();
  const id = useId();
  const [need, setNeed] = useState<RegionNeed>("anywhere");
  const asked = useAsk("carbon.regions", { period, scope, need });
  if (asked.state !== "answered" || asked.value.lines.length === 0) return null;
  const { lines } = asked.value;
  const better = lines.filter(({ best }) => best !== null);
  const saved = better.reduce((sum, { nowMicrograms, bestMicrograms }) => sum + nowMicrograms - (bestMicrograms ?? nowMicrograms), 0n);
  const unknown = [...new Set(lines.filter(({ known }) => known === 0).map(({ provider, gpuModel, now }) => `${provider} ${gpuModel ?? ""} ${now.region}`.trim()))];
  return (
    <section aria-labelledby={id} aria-busy={asked.isOld}>
      <SectionHead id={id} title={say("carbon-page.regions")} note={say("carbon-page.regions.note")}>
        <Choice label={say("carbon-page.regions.need")} isLabelHidden value={need} choices={regionNeeds.map((each) => ({ id: each, text: say(`carbon-page.regions.need.${each}`) }))} onChoose={setNeed} />
      </SectionHead>
      {better.length === 0 ? <p className="context">{say("carbon-page.regions.best-already")}</p> : (
        <table className="statement" aria-labelledby={id}>
          <thead><tr><th scope="col">{say("column.gpu")}</th><th scope="col">{say("column.provider")}</th><th scope="col">{say("carbon-page.regions.now")}</th><th scope="col" className="n">g/kWh</th><th scope="col">{say("carbon-page.regions.there")}</th><th scope="col" className="n">g/kWh</th><th scope="col" className="n">{say("carbon-page.regions.emitted")}</th><th scope="col" className="n">{say("carbon-page.regions.less")}</th><th scope="col" className="n">{say("carbon-page.regions.price")}</th></tr></thead>
          <tbody>
            {better.map((line) => <RegionRow key={`${line.provider} ${line.instanceType ?? ""} ${line.now.region} ${line.gpuModel ?? ""}`} line={line} />)}
          </tbody>
        </table>
      )}
      {better.length > 0 && <p className="note">{say("carbon-page.regions.sum", { saved: kilogramsText(saved, words) })}</p>}
      {unknown.length > 0 && <p className="note">{say("carbon-page.regions.unknown", { machines: listText(unknown, words) })}</p>}
    </section>
  );
}

function RegionRow({ line: { provider, gpuModel, instanceType, now, best, nowMicrograms, bestMicrograms } }: { readonly line: CleanerRegion }) {
  const { say, words } = useSpeech();
  if (best === null || bestMicrograms === null) return null;
  return (
    <tr>
      <th scope="row">{gpuModel ?? say("gpu.none")}{instanceType !== null && <> <span className="first-note">{instanceType}</span></>}</th>
      <td>{provider}</td>
      <td>{now.region}</td>
      <td className="n">{words.number(Number(now.gramsPerKwh), { digits: 0 })}</td>
      <td>{best.region}{best.country !== now.country && <> <span className="first-note">{best.country}</span></>}</td>
      <td className="n">{words.number(Number(best.gramsPerKwh), { digits: 0 })}</td>
      <td className="n">{kilogramsText(nowMicrograms, words)}</td>
      <td className="n useful-text">{kilogramsText(nowMicrograms - bestMicrograms, words)}</td>
      <td className="n">{priceText(now, best, words)}</td>
    </tr>
  );
}

/** How much dearer or cheaper an hour is there, by the lists; a dash where one of them has no price. */
function priceText(now: RegionChoice, best: RegionChoice, words: Words): string {
  if (now.pricePerHour === null || best.pricePerHour === null || now.currency !== best.currency) return "—";
  const [here, there] = [parseAmount(now.pricePerHour), parseAmount(best.pricePerHour)];
  if (here === null || there === null || here.value <= 0n) return "—";
  return words.ratio(Number(there.value - here.value) / Number(here.value), { signed: true });
}
