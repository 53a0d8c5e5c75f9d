import type { plan as en } from "../en/plan.ts";

export const plan: Record<keyof typeof en, string> = {
};
