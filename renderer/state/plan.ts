import { create } from "zustand";
import type { PlanInputs } from "../../shared/contract/plan.ts";
import { defaultPlanInputs } from "../../shared/contract/plan.ts";

interface PlanStore {
  readonly inputs: PlanInputs;
  /** Where the slider stands, in GPUs; null: at the level that was worked out. Only what draws it listens to it. */
  readonly moved: number | null;
  readonly move: (gpus: number | null) => void;
  readonly change: (changes: Partial<PlanInputs>) => void;
  readonly open: (inputs: PlanInputs) => void;
}

/** What the plan of commitments is asked with; kept while the person looks elsewhere. */
export const usePlan = create<PlanStore>()((set) => ({
  inputs: defaultPlanInputs,
  moved: null,
  move: (moved) => set({ moved }),
  change: (changes) => set(({ inputs }) => ({ inputs: { ...inputs, ...changes }, moved: null })),
  open: (inputs) => set({ inputs, moved: null }),
}));
