import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import type { Block } from "../../../shared/contract/report.ts";
import { inPairs } from "../arrange.ts";
import { ReportPage } from "../ReportPage.tsx";
import { BlockView } from "../standard/BlockView.tsx";
import { Aggregate } from "./Aggregate.tsx";
import { CounterChoice } from "./CounterChoice.tsx";
import { Findings } from "./Findings.tsx";
import { Jobs } from "./jobs/Jobs.tsx";
import { IdleRules } from "./IdleRules.tsx";
import { StopRules } from "./StopRules.tsx";

/** What work the money bought: the ways of the money, the fleet beside FLOPS and memory, idle episodes beside the rules. */
export function Efficiency({ status }: { readonly status: LedgerStatus }) {
  return (
    <ReportPage report="efficiency" status={status}>
      {(document) => (
        <>
          <EfficiencyBlocks blocks={document.blocks} status={status} />
          <Jobs request={document.request} />
          <Aggregate request={document.request} />
          <Findings request={document.request} />
          <StopRules key={`${document.request.period} ${JSON.stringify(document.request.scope)}`} request={document.request} status={status} />
        </>
      )}
    </ReportPage>
  );
}

export function EfficiencyBlocks({ blocks, status }: { readonly blocks: readonly Block[]; readonly status: LedgerStatus }) {
  const tables = blocks.filter((block) => block.kind === "table");
  const ways = tables.find(({ chart }) => chart === "four-way");
  const flops = tables.find(({ chart }) => chart === "flops");
  const fleet = blocks.find(({ kind }) => kind === "heat");
  const figures = blocks.filter(({ kind }) => kind === "figures");
  const notes = blocks.filter(({ kind }) => kind === "notes");
  const memory = tables.find(({ id }) => id === "memory");
  const episodes = tables.find(({ id }) => id === "episodes");
  const placed: readonly (Block | undefined)[] = [ways, flops, fleet, memory, episodes];
  const rest = tables.filter((block) => !placed.includes(block));
  return (
    <>
      {ways !== undefined && <BlockView block={ways} />}
      {figures.map((block) => <BlockView key={block.id} block={block} />)}
      <div className={fleet === undefined ? "pair" : "pair fleet-first"}>
        {fleet !== undefined && <BlockView block={fleet} />}
        <div className="stack">
          {flops !== undefined && <BlockView block={flops} />}
          {memory !== undefined && <BlockView block={memory} />}
        </div>
      </div>
      <div className={episodes === undefined ? "pair" : "pair episodes-first"}>
        {episodes !== undefined && <BlockView block={episodes} />}
        <IdleRules status={status} />
      </div>
      {inPairs(rest).map((pair) => (
        <div key={pair.map(({ id }) => id).join()} className={pair.length === 1 ? "pair alone" : "pair"}>
          {pair.map((block) => (block.kind === "table" && block.id === "counters" ? <div key={block.id}><BlockView block={block} /><CounterChoice block={block} status={status} /></div> : <BlockView key={block.id} block={block} />))}
        </div>
      ))}
      {notes.map((block) => <BlockView key={block.id} block={block} />)}
    </>
  );
}
