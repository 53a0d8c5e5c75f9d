import { create } from "zustand";
import type { FigureRef } from "../../shared/contract/report.ts";

/** Which figure is being explained, from which button, and whether its rows are open. */
interface PanelStore {
  readonly explained: { readonly ref: FigureRef; readonly from: string } | null;
  readonly rowsOf: FigureRef | null;
  readonly explain: (ref: FigureRef, from: string) => void;
  readonly showRows: (ref: FigureRef) => void;
  readonly closeRows: () => void;
  readonly close: () => void;
}
export const usePanel = create<PanelStore>()((set) => ({
  explained: null,
  rowsOf: null,
  explain: (ref, from) => set({ explained: { ref, from }, rowsOf: null }),
  showRows: (ref) => set({ rowsOf: ref }),
  closeRows: () => set({ rowsOf: null }),
  close: () => set({ explained: null, rowsOf: null }),
}));
