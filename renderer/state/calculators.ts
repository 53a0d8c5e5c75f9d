import { create } from "zustand";
import { calculatorFields, calculatorIds, type CalculatorId } from "../../shared/contract/calculators.ts";
import type { ChosenFile } from "../ledger/client.ts";

export type Typed = Readonly<Record<string, string>>;

interface CalculatorsStore {
  readonly chosen: CalculatorId;
  /** As typed, by calculator; null: its example, which is nobody's own. */
  readonly typed: Readonly<Record<CalculatorId, Typed | null>>;
  readonly log: ChosenFile | null;
  readonly choose: (chosen: CalculatorId) => void;
  readonly type: (calculator: CalculatorId, typed: Typed | null) => void;
  readonly read: (log: ChosenFile | null) => void;
}

/** What the person typed into the calculators; it stays while they look at other screens. */
export const useCalculators = create<CalculatorsStore>()((set) => ({
  chosen: "batch",
  typed: Object.fromEntries(calculatorIds.map((id) => [id, null])) as Record<CalculatorId, Typed | null>,
  log: null,
  choose: (chosen) => set({ chosen }),
  type: (calculator, typed) => set((before) => ({ typed: { ...before.typed, [calculator]: typed } })),
  read: (log) => set({ log }),
}));

/** Numbers to start from. A model of the ledger stands in where a calculator works from nothing else. */
export function exampleOf(calculator: CalculatorId, models: readonly string[]): Typed {
  const example = calculatorFields[calculator].flatMap((field): readonly (readonly [string, string])[] => (field.example === undefined ? [] : [[field.id, field.example]]));
  const [model] = models;
  return Object.fromEntries(calculator === "granularity" && model !== undefined ? [...example, ["gpu-model", model]] : example);
}
