import type { findings as en } from "../en/findings.ts";

export const findings: Record<keyof typeof en, string> = {
};
