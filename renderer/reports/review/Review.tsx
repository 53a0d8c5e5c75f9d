import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import type { Block } from "../../../shared/contract/report.ts";
import { ReportPage } from "../ReportPage.tsx";
import { BlockView, Notes } from "../standard/BlockView.tsx";
import { inPairs } from "../arrange.ts";

/** What the month cost, why, and who: figures, then the bridge beside the movers, then the teams, then the closing lines. */
export function Review({ status }: { readonly status: LedgerStatus }) {
  return (
    <ReportPage report="review" status={status}>
      {(document) => <ReviewBlocks blocks={document.blocks} />}
    </ReportPage>
  );
}

export function ReviewBlocks({ blocks }: { readonly blocks: readonly Block[] }) {
  const figures = blocks.filter(({ kind }) => kind === "figures");
  const notes = blocks.filter((block) => block.kind === "notes");
  const tables = blocks.filter((block) => block.kind === "table" || block.kind === "heat");
  const bridge = tables.find((block) => block.kind === "table" && block.chart === "bridge");
  const others = tables.filter((block) => block !== bridge);
  const beside = bridge === undefined ? undefined : others[0];
  const rest = bridge === undefined ? others : others.slice(1);
  return (
    <>
      {figures.map((block) => <BlockView key={block.id} block={block} />)}
      {bridge !== undefined && (
        <div className={beside === undefined ? "pair alone" : "pair bridge-first"}>
          <BlockView block={bridge} />
          {beside !== undefined && <BlockView block={beside} />}
        </div>
      )}
      {rest.length === 1 && notes.length === 1 ? (
        <div className="pair wide-first">
          {rest.map((block) => <BlockView key={block.id} block={block} />)}
          {notes.map((block) => <Notes key={block.id} block={block} isStacked />)}
        </div>
      ) : inPairs(rest).map((pair) => (
        <div key={pair.map(({ id }) => id).join()} className={pair.length === 1 ? "pair alone" : "pair wide-first"}>
          {pair.map((block) => <BlockView key={block.id} block={block} />)}
        </div>
      ))}
      {(rest.length !== 1 || notes.length !== 1) && notes.map((block) => <BlockView key={block.id} block={block} />)}
    </>
  );
}
