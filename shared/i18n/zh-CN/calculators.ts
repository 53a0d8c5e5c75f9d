import type { calculators as en } from "../en/calculators.ts";

export const calculators: Record<keyof typeof en, string> = {
};
