import { useId } from "react";
import type { Block, FiguresBlock, NotesBlock, TableBlock } from "../../../shared/contract/report.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Said } from "../../parts/Sentence.tsx";
import { Statement } from "../../parts/Statement.tsx";
import { Tile } from "../../parts/Tile.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";
import { Bridge } from "./Bridge.tsx";
import { Completeness } from "./Completeness.tsx";
import { Fleet } from "./Fleet.tsx";
import { Flops } from "./Flops.tsx";
import { FourWay } from "./FourWay.tsx";

/** Draws any block of a report by its kind. */
export function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "figures":
      return <Tiles block={block} />;
    case "notes":
      return <Notes block={block} />;
    case "heat":
      return <Fleet block={block} />;
    case "table":
      return <TableView block={block} />;
  }
}

export function TableView({ block, className }: { readonly block: TableBlock; readonly className?: string }) {
  switch (block.chart) {
    case "bridge":
      return <Bridge block={block} />;
    case "four-way":
      return <FourWay block={block} />;
    case "flops":
      return <Flops block={block} />;
    case "completeness":
      return <Completeness block={block} />;
    case "bars":
    case "level":
    case "exit":
    case null:
      return <PlainTable block={block} className={className} />;
  }
}

/** A mover is named by its team, and after it by the line of the bill. */
const besideTeam = { columns: [1], place: "after" } as const;

function PlainTable({ block, className }: { readonly block: TableBlock; readonly className?: string | undefined }) {
  const { words } = useSpeech();
  const id = useId();
  return (
    <section>
      <SectionHead id={id} title={words.text(block.title)} note={block.note === null ? null : words.text(block.note)} />
      <Statement block={block} labelledBy={id} className={className} inFirst={block.id === "movers" ? besideTeam : undefined} />
    </section>
  );
}

function Tiles({ block }: { readonly block: FiguresBlock }) {
  const { words, say } = useSpeech();
  return (
    <section className="tiles" aria-label={block.title === null ? say("page.figures") : words.text(block.title)}>
      {block.tiles.map((tile) => (
        <Tile key={tile.id} tile={tile} />
      ))}
    </section>
  );
}

export function Notes({ block, isStacked = false }: { readonly block: NotesBlock; readonly isStacked?: boolean }) {
  const { words } = useSpeech();
  return (
    <div className={isStacked ? "notes stacked" : "notes"}>
      {block.notes.map((note) => (
        <div key={note.id}>
          <h2 data-tone={note.tone}>{words.text(note.title)}</h2>
          {note.lines.map((line, index) => (
            <p key={index}><Said message={line} /></p>
          ))}
        </div>
      ))}
    </div>
  );
}
