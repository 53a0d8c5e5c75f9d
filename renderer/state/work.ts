import { create } from "zustand";
import type { EventPayloads } from "../../shared/contract/events.ts";

export type ImportProgress = EventPayloads["import.progress"];
export type WorkProgress = EventPayloads["work.progress"];

/** What goes on behind the window, as its events tell. */
interface WorkStore {
  readonly reading: ImportProgress | null;
  readonly working: WorkProgress | null;
  readonly hearReading: (progress: ImportProgress) => void;
  readonly hearWorking: (progress: WorkProgress) => void;
  readonly rest: () => void;
}
export const useWork = create<WorkStore>()((set) => ({
  reading: null,
  working: null,
  hearReading: (progress) => set({ reading: progress.stage === "done" && progress.fileIndex + 1 >= progress.fileCount ? null : progress }),
  hearWorking: (progress) => set({ working: progress.done >= progress.total ? null : progress }),
  rest: () => set({ reading: null, working: null }),
}));
