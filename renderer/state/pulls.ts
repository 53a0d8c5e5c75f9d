import { create } from "zustand";
import type { EventPayloads } from "../../shared/contract/events.ts";

export type PullProgress = EventPayloads["connect.progress"];

/** The pull from AWS that the person has open or under way. */
interface PullStore {
  readonly isOpen: boolean;
  readonly progress: PullProgress | null;
  readonly open: () => void;
  readonly close: () => void;
  readonly hear: (progress: PullProgress) => void;
  readonly rest: () => void;
}
export const usePulls = create<PullStore>()((set) => ({
  isOpen: false,
  progress: null,
  open: () => set({ isOpen: true }),
  close: () => set({ isOpen: false, progress: null }),
  hear: (progress) => set({ progress }),
  rest: () => set({ progress: null }),
}));
