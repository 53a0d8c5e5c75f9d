import type { Tile as TileData } from "../../shared/contract/report.ts";
import { useNarrow } from "./media.ts";
import { FigureButton, LargeFigure } from "./FigureButton.tsx";
import { Sparkline } from "./Sparkline.tsx";
import { monthShort } from "./table.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** One large figure, what it is compared with, and its months. */
export function Tile({ tile }: { readonly tile: TileData }) {
  const { words, say } = useSpeech();
  const isNarrow = useNarrow();
  const label = words.text(tile.label);
  const text = words.figure(tile.figure);
  const first = tile.series[0];
  const last = tile.series.at(-1);
  return (
    <div className="tile">
      <div className="tile-label">{label}</div>
      <div className="tile-value">
        <FigureButton figure={tile.figure} explain={tile.explain} label={say("figure.named", { label, value: text })}>
          <LargeFigure text={text} />
        </FigureButton>
      </div>
      <div className="tile-note">{tile.note === null ? (tile.figure.why === undefined ? "" : words.unknown(tile.figure.why)) : words.text(tile.note)}</div>
      {tile.series.length > 1 && first !== undefined && last !== undefined && (
        <div className="tile-spark">
          <Sparkline
            values={tile.series.map(({ value }) => value)}
            width={isNarrow ? 64 : 120}
            summary={say("spark.summary", { label, first: words.period(first.at), last: words.period(last.at), unknown: tile.series.filter(({ value }) => value === null).length })}
          />
          {!isNarrow && <span aria-hidden="true">{monthShort(first.at, words.language)}</span>}
          {!isNarrow && <span aria-hidden="true">{monthShort(last.at, words.language)}</span>}
        </div>
      )}
    </div>
  );
}
