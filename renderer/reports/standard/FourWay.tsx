import { useId, useMemo } from "react";
import type { TableBlock } from "../../../shared/contract/report.ts";
import { Chart } from "../../charts/Chart.tsx";
import { fourWayOption, wayParts } from "../../charts/four-way.ts";
import { chartTokens } from "../../charts/tokens.ts";
import { FigureButton } from "../../parts/FigureButton.tsx";
import { useTheme } from "../../parts/media.ts";
import { displayedAmounts } from "../../parts/table.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

/** What the money did, as one bar; each part's name, amount and share stand above its left edge. */
export function FourWay({ block }: { readonly block: TableBlock }) {
  const { words, say } = useSpeech();
  const id = useId();
  const tokens = chartTokens[useTheme()];
  const parts = useMemo(() => wayParts(block), [block]);
  const option = useMemo(() => fourWayOption(parts, tokens), [parts, tokens]);
  const amounts = displayedAmounts(block);
  const shown = parts.flatMap((part) => {
    const row = block.rows.find(({ id: rowId }) => rowId === part.id);
    return row === undefined ? [] : [{ part, row }];
  });
  const nameOf = (cells: (typeof block.rows)[number]["cells"]): string => {
    const first = cells[0];
    if (first === undefined) return "";
    if ("text" in first) return first.text;
    return "message" in first ? words.text(first.message) : "";
  };
  return (
    <section className="ways" aria-labelledby={id}>
      <h2 id={id} className="for-readers">{words.text(block.title)}</h2>
      <dl className="ways-labels">
        {shown.map(({ part, row }) => (
          <div key={row.id} style={{ flexGrow: Math.max(0.0001, part.share) }}>
            <dt className={part.tone}>{nameOf(row.cells)}</dt>
            <dd>
              {row.cells.map((cell, index) => {
                if (!("figure" in cell)) return null;
                const amount = amounts.get(`${row.id}/${index}`);
                const isMoney = typeof cell.figure.value === "bigint";
                if (!isMoney && cell.figure.unit !== "ratio" && cell.figure.unit !== "percent") return null;
                const text = words.figure(amount === undefined ? cell.figure : { ...cell.figure, value: amount }, { bare: isMoney });
                return (
                  <FigureButton key={index} figure={cell.figure} explain={cell.explain} className={isMoney ? undefined : "small muted"} label={cell.explain === undefined ? undefined : say("figure.named", { label: nameOf(row.cells), value: text })}>
                    {text}
                  </FigureButton>
                );
              })}
            </dd>
          </div>
        ))}
      </dl>
      <Chart option={option} height={18} summary={null} />
    </section>
  );
}
