import { create } from "zustand";
import type { ImportOptions } from "../../shared/contract/methods.ts";
import type { ChosenFile } from "../ledger/client.ts";

/** The files on the desk of the Imports screen and how the person wants them read. `attempt` grows when they are to be read again. */
interface DeskStore {
  readonly files: readonly ChosenFile[];
  readonly options: ImportOptions;
  readonly attempt: number;
  /** Index of the file whose preview is shown. */
  readonly selected: number;
  readonly put: (files: readonly ChosenFile[]) => void;
  readonly answer: (options: ImportOptions) => void;
  readonly select: (index: number) => void;
  readonly again: () => void;
  readonly clear: () => void;
}
export const useDesk = create<DeskStore>()((set) => ({
  files: [],
  options: {},
  attempt: 0,
  selected: 0,
  put: (files) => set(({ attempt }) => ({ files, options: {}, attempt: attempt + 1, selected: 0 })),
  answer: (options) => set((desk) => ({ options: { ...desk.options, ...options }, attempt: desk.attempt + 1 })),
  select: (selected) => set({ selected }),
  again: () => set(({ attempt }) => ({ attempt: attempt + 1 })),
  clear: () => set(({ attempt }) => ({ files: [], options: {}, attempt: attempt + 1, selected: 0 })),
}));
