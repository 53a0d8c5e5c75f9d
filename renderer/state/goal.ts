import { create } from "zustand";

/** A part of a screen to go to as soon as it stands there: the id of its section, told where a link leads across screens. */
interface GoalStore {
  readonly goal: string | null;
  readonly aim: (goal: string | null) => void;
}
export const useGoal = create<GoalStore>()((set) => ({ goal: null, aim: (goal) => set({ goal }) }));
