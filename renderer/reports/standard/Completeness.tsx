import { useId } from "react";
import type { Cell, TableBlock } from "../../../shared/contract/report.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { monthShort } from "../../parts/table.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

/**
 * Source by month. A cell is a figure of coverage: all of the month is full, a part of it half, nothing of it hatched;
 * "not applicable" is a month before the source began.
 */
export function Completeness({ block }: { readonly block: TableBlock }) {
  const { words, say } = useSpeech();
  const id = useId();
  const headOf = (columnId: string, label: string): string => (/^\d{4}-\d{2}$/.test(columnId) ? monthShort(columnId, words.language) : label);
  return (
    <section>
      <SectionHead id={id} title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)} />
      <table className="statement months" aria-labelledby={id}>
        <thead>
          <tr>
            {block.columns.map((column, index) => {
              const label = words.text(column.label);
              return label === "" ? <td key={column.id} /> : <th key={column.id} scope="col" title={index === 0 ? undefined : label}>{index === 0 ? label : headOf(column.id, label)}</th>;
            })}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row) => (
            <tr key={row.id}>
              {row.cells.map((cell, index) => {
                if (index === 0) return <th key={index} scope="row">{"text" in cell ? cell.text : "message" in cell && cell.message !== undefined ? words.text(cell.message) : ""}</th>;
                const state = monthState(cell);
                if (state === "text") return <td key={index}>{"text" in cell ? cell.text : ""}</td>;
                const share = "figure" in cell && typeof cell.figure.value === "number" ? words.figure(cell.figure) : null;
                const name = say(`complete.${state}`);
                return <td key={index} title={share === null ? name : `${name}, ${share}`}><i className={`month-cell ${state}`} aria-hidden="true" /><span className="for-readers">{share === null ? name : `${name}, ${share}`}</span></td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="months-key" aria-hidden="true">
        {(["final", "provisional", "missing"] as const).map((state) => (
          <span key={state}><i className={`month-cell ${state}`} />{say(`complete.${state}`)}</span>
        ))}
      </p>
    </section>
  );
}

function monthState(cell: Cell): "final" | "provisional" | "missing" | "none" | "text" {
  if ("absent" in cell) return cell.absent === "not-applicable" ? "none" : "missing";
  if (!("figure" in cell)) return "text";
  const { value } = cell.figure;
  if (value === null) return "missing";
  if (typeof value === "bigint") return "final";
  if (value <= 0) return "missing";
  return value >= 0.999 ? "final" : "provisional";
}
