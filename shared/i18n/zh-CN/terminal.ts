import type { terminal as en } from "../en/terminal.ts";

export const terminal: Record<keyof typeof en, string> = {};
