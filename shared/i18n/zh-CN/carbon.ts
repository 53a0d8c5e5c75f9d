import type { carbon as en } from "../en/carbon.ts";

export const carbon: Record<keyof typeof en, string> = {
};
