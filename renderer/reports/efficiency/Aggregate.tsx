import { useId, useState } from "react";
import type { ReportRequest } from "../../../shared/contract/report.ts";
import { minorDigits } from "../../../shared/domain/currency.ts";
import { shownParts } from "../../../shared/contract/table.ts";
import { formatFixed, parseAmount } from "../../../shared/domain/money.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { amountIn } from "../../teams/amounts.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

/** Bills without a log over logs without a bill, by GPU model, region and hour: an assumption, made only when the person asks for it. */
export function Aggregate({ request }: { readonly request: ReportRequest }) {
  const { say } = useSpeech();
  const id = useId();
  const [isAsked, ask] = useState(false);
  return (
    <section className="aggregate" aria-labelledby={id}>
      <SectionHead id={id} title={say("aggregate.title")} note={isAsked ? say("aggregate.note") : null}>
        <button type="button" className="link" aria-expanded={isAsked} onClick={() => ask(!isAsked)}>{say(isAsked ? "aggregate.hide" : "aggregate.ask")}</button>
      </SectionHead>
      {isAsked ? <Rows request={request} labelledBy={id} /> : <p className="note">{say("aggregate.text")}</p>}
    </section>
  );
}

function Rows({ request, labelledBy }: { readonly request: ReportRequest; readonly labelledBy: string }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const asked = useAsk("aggregate.read", { period: request.period, scope: request.scope, currency: request.currency });
  if (asked.state === "refused") return <Refused error={asked.error} />;
  if (asked.state === "asking") return <p className="note" aria-busy="true">…</p>;
  const { rows, currency } = asked.value;
  if (rows.length === 0) return <p className="note">{say("aggregate.none")}</p>;
  const hours = (value: number): string => words.number(value, { digits: 0 });
  const amount = (text: string): string => amountIn(speech, text, currency, { bare: true });
  return (
    <table className="statement" aria-labelledby={labelledBy} aria-busy={asked.isOld}>
      <thead>
        <tr>
          <th scope="col">{say("column.gpu")}</th>
          <th scope="col">{say("column.region")}</th>
          {(["aggregate.column.billed", "aggregate.column.seen", "aggregate.column.assigned", "column.cost", "metric.productive-cost.name", "metric.busy-inefficient-cost.name", "metric.held-idle-cost.name", "metric.dead-idle-cost.name", "metric.idle-memory-unknown-cost.name", "metric.unknown-cost.name"] as const).map((key) => <th key={key} scope="col" className="n">{say(key)}</th>)}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={JSON.stringify([row.gpuModel, row.region, row.isRegionUnknown])} data-tone={row.isRegionUnknown ? "unknown" : undefined}>
            <th scope="row">{row.gpuModel}</th>
            <td>{row.isRegionUnknown ? say("aggregate.region-unknown") : (row.region ?? say("region.none"))}</td>
            <td className="n">{hours(row.billedGpuHours)}</td><td className="n">{hours(row.seenGpuHours)}</td><td className="n">{hours(row.assignedGpuHours)}</td>
            {[row.cost, ...closing([row.productive, row.busyInefficient, row.heldIdle, row.deadIdle, row.idleMemoryUnknown, row.unknown], currency)].map((text, index) => <td key={index} className="n">{amount(text)}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The parts of a cost, rounded so that those shown add to the cost shown; what is unknown is its rest. */
function closing(parts: readonly string[], currency: string | null): readonly string[] {
  if (currency === null) return parts;
  const digits = minorDigits(currency);
  const shown = shownParts(parts.map((text, index) => ({ id: String(index), amount: parseAmount(text)?.value ?? 0n, isRest: index === parts.length - 1 })), currency);
  return parts.map((_, index) => formatFixed((shown.get(String(index)) ?? 0n) / 10n ** BigInt(18 - digits), digits));
}
