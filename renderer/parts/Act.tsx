import type { ReactNode } from "react";

interface ActProps {
  readonly onPress: () => void;
  /** It runs: nothing is begun a second time. The button stays where the focus is, which a button that is switched off would lose. */
  readonly isBusy: boolean;
  readonly className?: string;
  /** Where the text alone does not say what it acts on. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A button that works for a moment and is there again. */
export function Act({ onPress, isBusy, className = "link", label, children }: ActProps) {
  return (
    <button type="button" className={className} aria-disabled={isBusy} aria-busy={isBusy} {...(label === undefined ? {} : { "aria-label": label })} onClick={() => { if (!isBusy) onPress(); }}>
      {children}
    </button>
  );
}
