import type { metrics as en } from "../en/metrics.ts";

export const metrics: Record<keyof typeof en, string> = {};
