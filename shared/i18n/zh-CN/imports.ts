import type { imports as en } from "../en/imports.ts";

export const imports: Record<keyof typeof en, string> = {};
