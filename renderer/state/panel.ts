import { create } from "zustand";
import type { FigureRef } from "../../shared/contract/report.ts";
import type { Figure } from "../../shared/domain/figure.ts";

/** Which figure is being explained, from which button, and whether its rows are open. */
interface PanelStore {
  readonly explained: { readonly ref: FigureRef; readonly from: string; readonly figure: Figure } | null;
  readonly rowsOf: FigureRef | null;
  readonly explain: (ref: FigureRef, from: string, figure: Figure) => void;
  readonly showRows: (ref: FigureRef) => void;
  readonly closeRows: () => void;
  readonly close: () => void;
}
export const usePanel = create<PanelStore>()((set) => ({
  explained: null,
  rowsOf: null,
  explain: (ref, from, figure) => set({ explained: { ref, from, figure }, rowsOf: null }),
  showRows: (ref) => set({ rowsOf: ref }),
  closeRows: () => set({ rowsOf: null }),
  close: () => set({ explained: null, rowsOf: null }),
}));
