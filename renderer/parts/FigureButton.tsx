import { useId } from "react";
import type { ReactNode } from "react";
import type { Figure } from "../../shared/domain/figure.ts";
import type { FigureRef } from "../../shared/contract/report.ts";
import { usePanel } from "../state/panel.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

interface FigureButtonProps {
  readonly figure: Figure;
  /** Without it the figure is shown, but there is nothing to open. */
  readonly explain?: FigureRef | undefined;
  readonly className?: string | undefined;
  /** What the button is called where its text alone would not do. */
  readonly label?: string | undefined;
  readonly tabIndex?: number | undefined;
  /** The figure in words. */
  readonly children: ReactNode;
}

/** A figure that opens its explanation: by click, Enter or ?. A figure without a value says why. */
export function FigureButton({ figure, explain, className, label, tabIndex, children }: FigureButtonProps) {
  const id = useId();
  const { words } = useSpeech();
  const isExplained = usePanel(({ explained }) => explained?.from === id);
  const open = usePanel((panel) => panel.explain);
  const why = figure.value === null && figure.why !== undefined ? words.unknown(figure.why) : undefined;
  const shown = figure.value === null ? <span className="unknown">{children}</span> : children;
  if (explain === undefined) {
    return (
      <span className={className} title={why}>
        {shown}
        {why !== undefined && <span className="for-readers">, {why}</span>}
      </span>
    );
  }
  return (
    <button
      type="button"
      className={`figure ${className ?? ""}`}
      data-figure=""
      data-explained={isExplained || undefined}
      aria-haspopup="dialog"
      aria-label={label}
      title={why}
      tabIndex={tabIndex}
      onClick={() => open(explain, id, figure)}
      onKeyDown={(event) => {
        if (event.key !== "?") return;
        event.preventDefault();
        event.stopPropagation();
        open(explain, id, figure);
      }}
    >
      {shown}
      {why !== undefined && label === undefined && <span className="for-readers">, {why}</span>}
    </button>
  );
}

/** A large total with what stands below its decimal point set small; small amounts stay whole. */
export function LargeFigure({ text }: { readonly text: string }) {
  const match = /^(.*\d[.,\u202f]?\d{3})([.,]\d{1,2})(\D*)$/u.exec(text);
  const percent = /^(.*\d)(\s?%)$/u.exec(text);
  if (percent !== null) return <>{percent[1]}<small>{percent[2]}</small></>;
  if (match === null) return <>{text}</>;
  const [, whole, cents, rest] = match;
  return <>{whole}<small>{cents}{rest}</small></>;
}
