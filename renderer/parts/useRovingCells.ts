import { useLayoutEffect, type FocusEvent, type KeyboardEvent, type RefObject } from "react";

const rowsOf = (grid: HTMLElement): HTMLElement[] => [...grid.querySelectorAll<HTMLElement>(".pivot-row")].sort((one, other) => placeOf(one) - placeOf(other));
const placeOf = (row: HTMLElement): number => Number(row.getAttribute("aria-rowindex"));
const buttonsOf = (within: HTMLElement): HTMLButtonElement[] => [...within.querySelectorAll("button")];
const rowAround = (target: EventTarget): HTMLElement | null => (target instanceof HTMLButtonElement ? target.closest<HTMLElement>(".pivot-row") : null);

/**
 * Rows that come in sight as one scrolls are one stop of the Tab key, however many they are: arrows go from cell to cell within them. Without it
 * Tab brings ever more rows in sight and never leaves. `scroll` holds the rows (`.pivot-row`, each with its `aria-rowindex`).
 */
export function useRovingCells(scroll: RefObject<HTMLElement | null>): { readonly onFocus: (event: FocusEvent) => void; readonly onKeyDown: (event: KeyboardEvent) => void } {
  // Every time rows came in sight or went.
  useLayoutEffect(() => {
    const buttons = scroll.current === null ? [] : rowsOf(scroll.current).flatMap(buttonsOf);
    const stop = buttons.find((button) => button === document.activeElement) ?? buttons.find((button) => button.dataset["stop"] === "") ?? buttons[0];
    for (const button of buttons) put(button, button === stop);
  });
  return {
    onFocus({ target }) {
      if (scroll.current === null || rowAround(target) === null) return;
      for (const button of rowsOf(scroll.current).flatMap(buttonsOf)) put(button, button === target);
    },
    onKeyDown(event) {
      const step = steps[event.key];
      const row = rowAround(event.target);
      if (step === undefined || row === null || scroll.current === null) return;
      event.preventDefault();
      const rows = rowsOf(scroll.current);
      const wanted = rows[rows.indexOf(row) + step.down];
      const place = buttonsOf(row).indexOf(event.target as HTMLButtonElement) + step.along;
      const buttons = wanted === undefined ? [] : buttonsOf(wanted);
      buttons[Math.max(0, Math.min(buttons.length - 1, place))]?.focus();
    },
  };
}

const steps: Readonly<Record<string, { readonly down: number; readonly along: number }>> = {
  ArrowDown: { down: 1, along: 0 }, ArrowUp: { down: -1, along: 0 }, ArrowRight: { down: 0, along: 1 }, ArrowLeft: { down: 0, along: -1 },
};

function put(button: HTMLButtonElement, isStop: boolean): void {
  button.tabIndex = isStop ? 0 : -1;
  if (isStop) button.dataset["stop"] = "";
  else delete button.dataset["stop"];
}
