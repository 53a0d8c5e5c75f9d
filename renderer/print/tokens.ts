import type { ChartTokens } from "../charts/tokens.ts";
import { chartTokens } from "../charts/tokens.ts";

/** The light colours on white paper. */
export const paperTokens: ChartTokens = { ...chartTokens.light, ground: "#ffffff" };
