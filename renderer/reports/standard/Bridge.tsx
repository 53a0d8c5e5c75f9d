import { useId, useMemo } from "react";
import type { TableBlock } from "../../../shared/contract/report.ts";
import { bridgeBars, bridgeColumn, bridgeOption } from "../../charts/bridge.ts";
import { Chart } from "../../charts/Chart.tsx";
import { chartTokens } from "../../charts/tokens.ts";
import { useNarrow, useTheme } from "../../parts/media.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Statement } from "../../parts/Statement.tsx";
import { moneyOf } from "../../parts/table.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

const rowHeight = 24;
const totalHeight = 29;

/** Why an amount changed: one row a cause, and a bar beside each, as high as its row. */
export function Bridge({ block }: { readonly block: TableBlock }) {
  const { words, say } = useSpeech();
  const id = useId();
  const tokens = chartTokens[useTheme()];
  const isNarrow = useNarrow();
  const bars = useMemo(() => bridgeBars(block), [block]);
  const column = bridgeColumn(block);
  const opening = moneyOf(block.rows[0]?.cells[column]);
  const closing = moneyOf(block.total?.cells[column]);
  const isLevel = bars[0]?.kind === "opening";
  const sum = closing === null ? "" : words.money(isLevel && opening !== null ? closing.value - opening.value : closing.value, closing.currency, { bare: true, signed: true });
  const option = useMemo(() => bridgeOption(bars, { tokens, rowHeight, totalHeight, sum, font: '600 12px "Source Sans 3 Variable", sans-serif' }), [bars, tokens, sum]);
  const columns = useMemo(() => block.columns.map((entry, index) => (index === column ? { ...entry, signed: true } : entry)), [block, column]);
  const levelled = useMemo(() => ({ ...block, columns }), [block, columns]);
  const details = useMemo(() => ({ columns: block.columns.flatMap((entry, index) => (index > 0 && entry.kind === "text" ? [index] : [])), place: "after" as const }), [block]);
  return (
    <section>
      <SectionHead id={id} title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)} />
      <div className="bridge-frame">
        <Statement block={levelled} labelledBy={id} className="bridge" plotAfter={column} plotWidth={isNarrow ? 120 : 196} hideHead inFirst={details} />
        <div className="bridge-plot">
          <Chart option={option} height={block.rows.length * rowHeight + totalHeight} summary={say("chart.bridge.summary", { title: words.text(block.title), sum, count: block.rows.length })} />
        </div>
      </div>
    </section>
  );
}
