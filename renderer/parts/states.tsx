import type { ReactNode } from "react";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** What was refused, what to do about it, and its code for whoever helps. */
export function Refused({ error, children }: { readonly error: LedgerError; readonly children?: ReactNode }) {
  const speech = useSpeech();
  const { what, todo } = speech.error(error);
  return (
    <div className="refused" role="alert">
      <p className="refused-what"><span aria-hidden="true" className="alert-mark">▲</span> {what}</p>
      <p>{todo}</p>
      <p className="refused-code"><code>{error.code}</code></p>
      {children !== undefined && <p className="actions">{children}</p>}
    </div>
  );
}

/** Nothing to show, why, and the way out. */
export function EmptyState({ name, title, text, children }: { readonly name: string; readonly title: string; readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="empty-state">
      <h1>{name}</h1>
      <p className="answer">{title}</p>
      <p className="context">{text}</p>
      {children !== undefined && <p className="actions">{children}</p>}
    </div>
  );
}

/** The shape of a page whose answer is on its way; it holds still. */
export function Skeleton({ label }: { readonly label: string }) {
  return (
    <div className="skeleton" role="status" aria-busy="true">
      <span className="for-readers">{label}</span>
      <i className="line short" /><i className="line tall" /><i className="line" />
      <div className="skeleton-tiles"><i /><i /><i /><i /></div>
      <div className="skeleton-tables"><i /><i /></div>
    </div>
  );
}

export function ProgressBar({ label, value, total }: { readonly label: string; readonly value: number; readonly total: number }) {
  const share = total > 0 ? Math.min(1, Math.max(0, value / total)) : 0;
  return (
    <span className="progress" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={Math.round(share * 100)}>
      <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
    </span>
  );
}
