import { create } from "zustand";
import { defaultNeed, type Need, needSchema, type PriceMode } from "../../shared/contract/offers.ts";

/** Ways of buying that a need may be narrowed to. */
export const modeChoices = { firm: ["on-demand", "commit-1y", "commit-3y", "savings-1y", "savings-3y", "subscription-1m", "subscription-1y"], all: ["on-demand", "spot", "commit-1y", "commit-3y", "savings-1y", "savings-3y", "subscription-1m", "subscription-1y"], "on-demand": ["on-demand"], spot: ["spot"] } as const satisfies Readonly<Record<string, readonly PriceMode[]>>;
export type ModeChoice = keyof typeof modeChoices;

/** The need as it is typed: percentages and million tokens as people say them. */
export interface NeedDraft {
  readonly task: Need["task"];
  readonly workload: string;
  readonly unit: string;
  readonly precision: Need["precision"];
  readonly parameters: string;
  readonly tflop: string;
  readonly units: string;
  readonly mfu: string;
  readonly gpus: string;
  readonly memory: string;
  readonly "total-memory": string;
  readonly bandwidth: string;
  readonly link: Need["link"] | "any";
  readonly providers: string;
  readonly regions: string;
  readonly countries: string;
  readonly confidential: boolean;
  readonly carbon: string;
  readonly deadline: string;
  readonly budget: string;
  readonly currency: string;
  readonly modes: ModeChoice;
  readonly basis: Need["basis"];
  readonly loss: string;
  readonly age: string;
}
export const firstDraft: NeedDraft = {
  task: "inference", workload: "", unit: "token", precision: "bf16", parameters: "70", tflop: "", units: "50000", mfu: "10", gpus: "", memory: "", "total-memory": "160", bandwidth: "", link: "any", providers: "", regions: "", countries: "",
  confidential: false, carbon: "", deadline: "", budget: "", currency: "USD", modes: "firm", basis: "measured", loss: "", age: "",
};

const fieldOf: Readonly<Partial<Record<keyof Need, keyof NeedDraft>>> = {
  billionParameters: "parameters", tflopPerUnit: "tflop", units: "units", mfu: "mfu", gpus: "gpus", memoryGb: "memory", totalMemoryGb: "total-memory", bandwidthTbs: "bandwidth", countries: "countries", maximumGrams: "carbon",
  deadlineHours: "deadline", budget: "budget", currency: "currency", virtualizationLoss: "loss", maximumAgeDays: "age", unit: "unit",
};

/** The need that a draft means, or the field that is not understood. */
export function needOf(draft: NeedDraft): { readonly need: Need; readonly wrong: null } | { readonly need: null; readonly wrong: keyof NeedDraft } {
  const optional = (text: string): string | null => (text.trim() === "" ? null : plain(text));
  const list = (text: string): string[] => text.split(/[\s,;，、]+/).filter((part) => part !== "");
  const isToken = draft.task !== "other";
  const count = (text: string): number | null => (text.trim() === "" ? null : Number(plain(text)));
  const checked = needSchema.safeParse({
    ...defaultNeed,
    task: draft.task,
    workload: draft.workload,
    unit: isToken ? "token" : draft.unit.trim(),
    precision: draft.precision,
    billionParameters: isToken ? optional(draft.parameters) : null,
    tflopPerUnit: isToken ? null : optional(draft.tflop),
    units: isToken ? shifted(plain(draft.units), 6) : plain(draft.units),
    mfu: shifted(plain(draft.mfu), -2),
    gpus: count(draft.gpus),
    memoryGb: optional(draft.memory),
    totalMemoryGb: optional(draft["total-memory"]),
    bandwidthTbs: optional(draft.bandwidth),
    link: draft.link === "any" ? null : draft.link,
    providers: list(draft.providers),
    regions: list(draft.regions),
    countries: list(draft.countries).map((code) => code.toUpperCase()),
    confidential: draft.confidential,
    maximumGrams: optional(draft.carbon),
    deadlineHours: optional(draft.deadline),
    budget: optional(draft.budget),
    currency: draft.currency.trim().toUpperCase(),
    modes: [...modeChoices[draft.modes]],
    basis: draft.basis,
    virtualizationLoss: draft.loss.trim() === "" ? "0" : shifted(plain(draft.loss), -2),
    maximumAgeDays: count(draft.age),
  });
  if (checked.success) return { need: checked.data, wrong: null };
  const field = checked.error.issues[0]?.path[0] as keyof Need | undefined;
  return { need: null, wrong: (field === undefined ? undefined : fieldOf[field]) ?? "units" };
}

/** Grouped digits as people type them, without their commas and spaces. */
function plain(text: string): string {
  return text.replace(/[\s,\u202f\u00a0]/g, "");
}

/** Exact decimal text × 10^places; text that is no decimal stays as it is, for the schema to refuse. */
export function shifted(text: string, places: number): string {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return text;
  const [, whole = "", fraction = ""] = match;
  const digits = places >= 0 ? whole + fraction.padEnd(places, "0") : whole.padStart(1 - places, "0") + fraction;
  const point = places >= 0 ? whole.length + places : Math.max(whole.length, 1 - places) + places;
  const [before, after] = [digits.slice(0, point).replace(/^0+(?=\d)/, ""), digits.slice(point).replace(/0+$/, "")];
  return after === "" ? before : `${before}.${after}`;
}

interface OffersStore {
  readonly tab: string;
  readonly draft: NeedDraft;
  readonly hasAllFields: boolean;
  /** Ids of offers to stand side by side, five at most; the first is what the others are measured by. */
  readonly chosen: readonly string[];
  readonly show: (tab: string) => void;
  readonly type: (change: Partial<NeedDraft>) => void;
  readonly toggleFields: () => void;
  readonly choose: (id: string) => void;
  readonly clear: () => void;
}

export const MOST_SIDE_BY_SIDE = 5;

/** What the person asks of offers; it stays while they look at other screens. */
export const useOffers = create<OffersStore>()((set) => ({
  tab: "find",
  draft: firstDraft,
  hasAllFields: false,
  chosen: [],
  show: (tab) => set({ tab }),
  type: (change) => set((before) => ({ draft: { ...before.draft, ...change } })),
  toggleFields: () => set((before) => ({ hasAllFields: !before.hasAllFields })),
  choose: (id) => set((before) => ({ chosen: before.chosen.includes(id) ? before.chosen.filter((other) => other !== id) : before.chosen.length < MOST_SIDE_BY_SIDE ? [...before.chosen, id] : before.chosen })),
  clear: () => set({ chosen: [] }),
}));
