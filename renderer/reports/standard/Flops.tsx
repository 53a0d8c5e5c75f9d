import { useId, useMemo } from "react";
import type { TableBlock } from "../../../shared/contract/report.ts";
import { Chart } from "../../charts/Chart.tsx";
import { flopsBars, flopsOption } from "../../charts/flops.ts";
import { chartTokens } from "../../charts/tokens.ts";
import { useTheme } from "../../parts/media.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Statement } from "../../parts/Statement.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";

const rowHeight = 34;
const plotWidth = 80;

/** FLOPS per dollar of each GPU model: levels nested on one scale, the numbers beside them. */
export function Flops({ block }: { readonly block: TableBlock }) {
  const { words, say } = useSpeech();
  const id = useId();
  const tokens = chartTokens[useTheme()];
  const bars = useMemo(() => flopsBars(block), [block]);
  const option = useMemo(() => flopsOption(bars, { tokens, rowHeight }), [bars, tokens]);
  const details = useMemo(() => ({ columns: block.columns.flatMap(({ id: columnId }, index) => (columnId === "price" || columnId === "precision" ? [index] : [])), place: "under" as const }), [block]);
  const hasEffective = bars.some(({ effective }) => effective !== null);
  const hasAchieved = bars.some(({ achieved }) => achieved !== null);
  return (
    <section>
      <SectionHead id={id} title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)} />
      <div className="with-chart flops-frame">
        <Statement block={block} labelledBy={id} className="flops" plotAfter={0} plotWidth={plotWidth} inFirst={details} />
        {bars.length > 0 && (
          <div className="flops-plot" style={{ width: plotWidth }}>
            <Chart option={option} height={bars.length * rowHeight} summary={say("chart.flops.summary", { count: bars.length })} />
          </div>
        )}
      </div>
      <p className="flops-key" aria-hidden="true">
        <i />{say("flops-key.peak")}
        {hasEffective && <><i className="half" />{say("flops-key.effective")}</>}
        {hasAchieved && <><i className="full" />{say("flops-key.achieved")}</>}
      </p>
    </section>
  );
}
