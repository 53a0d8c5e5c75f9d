import { create } from "zustand";
import type { AnyMapping } from "../../shared/contract/mappings.ts";
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
  /** What the columns of the files with one header mean; said again, it is said anew. */
  readonly map: (mapping: AnyMapping) => void;
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
  map: (mapping) => set((desk) => ({ options: { ...desk.options, mappings: [mapping, ...(desk.options.mappings ?? []).filter(({ header }) => !hasSameNames(header, mapping.header))] }, attempt: desk.attempt + 1 })),
  select: (selected) => set({ selected }),
  again: () => set(({ attempt }) => ({ attempt: attempt + 1 })),
  clear: () => set(({ attempt }) => ({ files: [], options: {}, attempt: attempt + 1, selected: 0 })),
}));

/** Whether two headers have the same columns, in whatever order. */
export function hasSameNames(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}
