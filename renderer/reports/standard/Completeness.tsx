import { useId } from "react";
import type { Cell, TableBlock } from "../../../shared/contract/report.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { monthShort } from "../../parts/table.ts";
import { useSpeech } from "../../words/WordsProvider.tsx";

/** Source by month: all of the month is full, a part of it half, nothing of it hatched; before the source began there is nothing to miss. */
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
                const name = "message" in cell && cell.message !== undefined ? words.text(cell.message) : say(`complete.${state}`);
                return <td key={index} title={name}><i className={`month-cell ${state}`} aria-hidden="true" /><span className="for-readers">{name}</span></td>;
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

type MonthState = "final" | "provisional" | "missing" | "none";

/** How much of a month a cell says there is: by its message `completeness.<state>`. */
function monthState(cell: Cell): MonthState {
  const key = "message" in cell && cell.message !== undefined ? cell.message.key : "";
  if (key.endsWith(".complete")) return "final";
  if (key.endsWith(".partial")) return "provisional";
  return key.endsWith(".none") || ("absent" in cell && cell.absent === "not-applicable") ? "none" : "missing";
}
