import type { connect as en } from "../en/connect.ts";

export const connect: Record<keyof typeof en, string> = {
};
