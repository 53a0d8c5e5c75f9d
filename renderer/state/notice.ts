import { create } from "zustand";

/** One short line that says what was just done, with what it was done to. */
export interface Notice {
  readonly text: string;
  readonly detail?: string;
  /** Takes it back; offered beside the line. */
  readonly undo?: () => void;
}
interface NoticeStore {
  readonly notice: Notice | null;
  readonly tell: (notice: Notice | null) => void;
}
export const useNotice = create<NoticeStore>()((set) => ({ notice: null, tell: (notice) => set({ notice }) }));
