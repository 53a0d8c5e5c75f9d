import { Fragment } from "react";
import type { Block, Message, NotesBlock, ReportDocument } from "../../shared/contract/report.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { Notes, PrintTable, Tiles } from "./blocks.tsx";
import { Heat } from "./Heat.tsx";
import { sentences } from "../../shared/contract/words.ts";

export interface PaperProps {
  readonly document: ReportDocument;
  readonly words: Words;
  /** SHA-256 of the figures shown, in hex. */
  readonly hash: string;
}

/** Heights of rows, from roomy to dense. */
export const densities = [20, 19, 18, 17, 16, 15] as const;
export type Density = (typeof densities)[number];

export function isOnePage({ report }: Pick<ReportDocument, "report">): boolean {
  return report === "monthly" || report === "review";
}

/** The month on one sheet: sentence, figures, why it changed, movers, teams, closing lines, decisions, foot. */
export function OnePage({ document, words, hash, density }: PaperProps & { readonly density: Density }) {
  const closing = document.blocks.filter((block) => block.kind === "notes" && block.id !== "foot") as readonly NotesBlock[];
  const notes: NotesBlock = { kind: "notes", id: "closing", notes: closing.flatMap((block) => block.notes) };
  const firstNotes = document.blocks.findIndex(({ kind }) => kind === "notes");
  const before = document.blocks.filter((block, index) => block.kind !== "notes" && (firstNotes === -1 || index < firstNotes));
  const after = document.blocks.filter((block, index) => block.kind !== "notes" && firstNotes !== -1 && index > firstNotes);
  return (
    <main className={density < 18 ? "sheet dense" : "sheet"}>
      <Head document={document} words={words} />
      <div className="sheet-body">
        <div className="content">
          <Answer document={document} words={words} />
          {before.map((block) => <AnyBlock key={block.id} block={block} words={words} rowHeight={density} />)}
          {notes.notes.length > 0 && <Notes block={notes} words={words} />}
          {after.map((block) => <AnyBlock key={block.id} block={block} words={words} rowHeight={density} />)}
        </div>
      </div>
      <Foot document={document} words={words} hash={hash} place={words.say("print.one-page")} />
    </main>
  );
}

/** Any other report: its blocks one after another, over as many pages as they take. */
export function FlowingPages({ document, words, hash }: PaperProps) {
  return (
    <main className="flow">
      <Head document={document} words={words} />
      <Answer document={document} words={words} />
      {document.blocks.map((block) => <AnyBlock key={block.id} block={block} words={words} rowHeight={19} />)}
      <Foot document={document} words={words} hash={hash} place={null} />
    </main>
  );
}

function AnyBlock({ block, words, rowHeight }: { readonly block: Block; readonly words: Words; readonly rowHeight: number }) {
  switch (block.kind) {
    case "figures":
      return <Tiles block={block} words={words} />;
    case "table":
      return <PrintTable block={block} words={words} rowHeight={rowHeight} />;
    case "notes":
      return block.id === "foot" ? null : <Notes block={block} words={words} />;
    case "heat":
      return <Heat block={block} words={words} />;
  }
}

function Head({ document, words }: Pick<PaperProps, "document" | "words">) {
  const { provenance, currency, request } = document;
  const basis = words.say(`basis.${request.basis}`);
  return (
    <header className="paper-head">
      <b>{provenance.isSample ? words.say("print.sample") : provenance.ledgerName}</b>
      <span>{words.text(document.title)}</span>
      <span className="aside">{currency === null ? basis : words.say("print.basis-currency", { basis, currency })}</span>
    </header>
  );
}

function Answer({ document, words }: Pick<PaperProps, "document" | "words">) {
  return (
    <>
      <h1>{words.parts(document.answer).map(({ text, strong }, index) => (strong ? <b key={index}>{text}</b> : <Fragment key={index}>{text}</Fragment>))}</h1>
      {document.context.length > 0 && <p className="context">{sentences(document.context.map((message) => words.text(message)), words.language)}</p>}
    </>
  );
}

/** Until when the data are whole, on what basis, from which files; the hash at the right. */
function Foot({ document, words, hash, place }: PaperProps & { readonly place: string | null }) {
  const own = document.blocks.find((block) => block.kind === "notes" && block.id === "foot");
  const stated: readonly Message[] = own?.kind === "notes" ? own.notes.flatMap(({ lines }) => lines) : [];
  const lines = stated.filter(({ key }) => key !== "monthly.foot.hash" && !key.startsWith("basis.")).map((message) => words.text(message));
  const { provenance } = document;
  const said = [
    ...(stated.length > 0 ? [] : [provenance.completeUntil === null ? words.say("print.no-bill") : words.say("print.complete-until", { until: words.instant(provenance.completeUntil, "minute") })]),
    ...lines,
    provenance.telemetryCoverage === null ? words.say("print.no-gpu-hours") : words.say("print.telemetry-coverage", { share: words.ratio(provenance.telemetryCoverage) }),
    ...(provenance.rowsSetAside > 0 ? [words.say("print.set-aside", { count: provenance.rowsSetAside })] : []),
    ...document.otherCurrencies.map((currency) => words.say("print.other-currency", { currency })),
    words.say("print.basis", { basis: words.say(`basis.${document.request.basis}`), ledger: provenance.ledgerName }),
  ];
  return (
    <footer className="paper-foot">
      <p>{sentences(said, words.language)}</p>
      <p className="aside"><span className="mono">sha256 {hash.slice(0, 16)}</span>{place !== null && <><br />{place}</>}</p>
    </footer>
  );
}
