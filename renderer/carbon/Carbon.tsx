import { useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import type { Block } from "../../shared/contract/report.ts";
import { ReportPage } from "../reports/ReportPage.tsx";
import { inPairs } from "../reports/arrange.ts";
import { BlockView } from "../reports/standard/BlockView.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { CarbonSettingsForm } from "./CarbonSettingsForm.tsx";
import { CarbonActions } from "./CarbonActions.tsx";
import { CleanerRegions } from "./CleanerRegions.tsx";
import { EsgIssues, EsgPackButton } from "./EsgPack.tsx";
import { OwnFactors } from "./OwnFactors.tsx";
import { ProviderReports } from "./ProviderReports.tsx";

/** What did it emit, and how sure are we? Figures, their parts, what they rest on; then the provider's own figures and what is handed in. */
export function Carbon({ status }: { readonly status: LedgerStatus }) {
  const { say } = useSpeech();
  const [isSetting, setSetting] = useState(false);
  return (
    <ReportPage
      report="carbon"
      status={status}
      actions={
        <>
          {!status.isReadOnly && <button type="button" className="link" onClick={() => setSetting(true)}>{say("carbon-page.settings")}</button>}
          <EsgPackButton status={status} />
        </>
      }
    >
      {(document) => (
        <>
          <CarbonBlocks blocks={document.blocks} />
          {document.blocks.length > 0 && (
            <div className="carbon-work">
              <CarbonActions period={document.request.period} currency={document.currency} isReadOnly={status.isReadOnly} />
              <CleanerRegions period={document.request.period} scope={document.request.scope} />
              <ProviderReports request={document.request} isReadOnly={status.isReadOnly} />
              <OwnFactors isReadOnly={status.isReadOnly} />
              <EsgIssues period={document.request.period} />
            </div>
          )}
          {isSetting && <CarbonSettingsForm period={document.request.period} onClose={() => setSetting(false)} />}
        </>
      )}
    </ReportPage>
  );
}

/** Tables that are read beside each other; the others follow two by two where they fit. */
const beside: readonly (readonly string[])[] = [["scopes", "quality"], ["ranges", "intensity"]];
/** Narrow, and with nothing to stand beside it. */
const halves = ["price"];

export function CarbonBlocks({ blocks }: { readonly blocks: readonly Block[] }) {
  const of = (id: string): Block | undefined => blocks.find((block) => block.id === id);
  const paired = new Set([...beside.flat(), ...halves]);
  const figures = blocks.filter(({ kind }) => kind === "figures");
  const notes = blocks.filter(({ kind }) => kind === "notes");
  const others = blocks.filter(({ id, kind }) => kind !== "figures" && kind !== "notes" && !paired.has(id));
  const splits = others.filter(({ id }) => id.startsWith("by-"));
  const rest = others.filter((block) => !splits.includes(block));
  const rows = (list: readonly Block[]) => inPairs(list).map((pair) => (
    <div key={pair.map(({ id }) => id).join()} className={pair.length === 1 ? "pair alone" : "pair"}>
      {pair.map((block) => <BlockView key={block.id} block={block} />)}
    </div>
  ));
  return (
    <div className="carbon-blocks">
      {figures.map((block) => <BlockView key={block.id} block={block} />)}
      {rows(splits)}
      {beside.map((ids) => {
        const pair = ids.flatMap((id) => of(id) ?? []);
        return pair.length === 0 ? null : (
          <div key={ids.join()} className={pair.length === 1 ? "pair alone" : "pair"}>
            {pair.map((block) => <BlockView key={block.id} block={block} />)}
          </div>
        );
      })}
      {halves.flatMap((id) => of(id) ?? []).map((block) => <div key={block.id} className="pair"><BlockView block={block} /></div>)}
      {rows(rest)}
      {notes.map((block) => <BlockView key={block.id} block={block} />)}
    </div>
  );
}
