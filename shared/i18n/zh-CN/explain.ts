import type { explain as en } from "../en/explain.ts";

export const explain: Record<keyof typeof en, string> = {};
