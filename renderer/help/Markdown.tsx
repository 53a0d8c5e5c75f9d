import { createElement } from "react";
import type { ReactNode } from "react";
import type { HelpBlock, Inline } from "./markdown.ts";

export interface MarkdownProps {
  readonly blocks: readonly HelpBlock[];
  /** Address of a page and section; a null page is this one. */
  readonly addressTo: (page: string | null, section: string | null) => string;
}

/** Draws the blocks of a help page. No HTML of the text reaches the page: every piece is a text of React's. */
export function Markdown({ blocks, addressTo }: MarkdownProps) {
  return <>{blocks.map((block, index) => <Block key={index} block={block} addressTo={addressTo} />)}</>;
}

function Block({ block, addressTo }: { readonly block: HelpBlock; readonly addressTo: MarkdownProps["addressTo"] }) {
  const inline = (content: readonly Inline[]): ReactNode => content.map((piece, index) => <Piece key={index} piece={piece} addressTo={addressTo} />);
  if (block.kind === "heading") return createElement(`h${block.level}`, block.id === null ? {} : { id: `help-${block.id}`, tabIndex: -1 }, inline(block.content));
  if (block.kind === "paragraph") return <p>{inline(block.content)}</p>;
  if (block.kind === "code") return <pre><code>{block.text}</code></pre>;
  if (block.kind === "list") return createElement(block.isOrdered ? "ol" : "ul", {}, block.items.map((item, index) => <li key={index}>{inline(item)}</li>));
  // The first column names its row, so it begins at the left even where it is a number.
  const side = (index: number): string | undefined => (index > 0 && block.isNumber[index] === true ? "n" : undefined);
  return (
    <table className="statement">
      <thead><tr>{block.head.map((cell, index) => <th key={index} scope="col" className={side(index)}>{inline(cell)}</th>)}</tr></thead>
      <tbody>
        {block.rows.map((cells, row) => (
          <tr key={row}>{cells.map((cell, index) => (index === 0 ? <th key={index} scope="row">{inline(cell)}</th> : <td key={index} className={side(index)}>{inline(cell)}</td>))}</tr>
        ))}
      </tbody>
    </table>
  );
}

function Piece({ piece, addressTo }: { readonly piece: Inline; readonly addressTo: MarkdownProps["addressTo"] }) {
  if (piece.kind === "code") return <code>{piece.text}</code>;
  if (piece.kind === "strong") return <strong>{piece.text}</strong>;
  if (piece.kind === "emphasis") return <em>{piece.text}</em>;
  if (piece.kind === "link") return <a className="help-link" href={addressTo(piece.page, piece.section)}>{piece.text}</a>;
  return piece.text;
}
