import type { reports as en } from "../en/reports.ts";

export const reports: Record<keyof typeof en, string> = {};
