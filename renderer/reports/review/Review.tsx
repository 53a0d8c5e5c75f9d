import type { LedgerStatus } from "../../../shared/contract/methods.ts";
import type { Block, ReportDocument } from "../../../shared/contract/report.ts";
import { askedAlike } from "../../../shared/domain/currency.ts";
import { Converted } from "./Converted.tsx";
import { ReportPage } from "../ReportPage.tsx";
import { BlockView, Notes } from "../standard/BlockView.tsx";
import { inPairs } from "../arrange.ts";
import { useGoal } from "../../state/goal.ts";
import { useView } from "../../state/view.ts";
import { Actions } from "../../teams/Actions.tsx";
import { Anomalies } from "../../teams/Anomalies.tsx";
import { CloseMonth } from "../../teams/CloseMonth.tsx";
import { Indicators } from "./Indicators.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";

/** What the month cost, why, and who: figures, then the bridge beside the movers, then the teams, then the closing lines. */
export function Review({ status }: { readonly status: LedgerStatus }) {
  return (
    <ReportPage report="review" status={status}>
      {(document) => (
        <>
          <ReviewBlocks blocks={document.blocks} />
          <Converted request={document.request} status={status} />
          <ReviewWork document={document} isReadOnly={status.isReadOnly} />
        </>
      )}
    </ReportPage>
  );
}

/** What is to be done about the month: actions beside what nobody expected, the costs without a team, and the close. */
function ReviewWork({ document, isReadOnly }: { readonly document: ReportDocument; readonly isReadOnly: boolean }) {
  const { say } = useSpeech();
  const look = useView((view) => view.look);
  const aim = useGoal((store) => store.aim);
  const { request, currency } = document;
  const { period, basis } = request;
  const asked = askedAlike(request.currency, currency);
  const teams = document.blocks.find(({ id }) => id === "teams");
  const hasUnallocated = teams?.kind === "table" && teams.rows.some(({ id }) => id === "not-allocated");
  if (currency === null) return null;
  return (
    <div className="review-work">
      {hasUnallocated && <p className="allocate-link"><button type="button" className="link" onClick={() => { aim("allocation"); look({ screen: "budgets" }); }}>{say("allocate.link")}</button></p>}
      <Indicators request={request} />
      <Actions period={period} currency={asked} basis={basis} isReadOnly={isReadOnly} />
      <Anomalies period={period} currency={asked} basis={basis} isReadOnly={isReadOnly} />
      {/^\d{4}-\d{2}$/.test(period) && <CloseMonth month={period} isReadOnly={isReadOnly} />}
    </div>
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
