/**
 * What the sample says, known before any importer reads it: sums of the rows as they were written. All money exact decimals, whole
 * GPU-seconds of states by their own arithmetic on the written samples.
 */
import { type Attos } from "./money.ts";
export declare const costNames: readonly ["BilledCost", "EffectiveCost", "ListCost", "ContractedCost"];
export type CostName = (typeof costNames)[number];
/** null where the row states no such cost. */
export type Costs = Readonly<Record<CostName, Attos | null>>;
export interface FileTruth {
    readonly path: string;
    readonly kind: "billing" | "telemetry";
    readonly provider: string | null;
    readonly month: string | null;
    readonly rowsRead: number;
    readonly rowsSetAside: number;
    /** A later file says the same anew. */
    readonly isRestated: boolean;
    readonly totals: Readonly<Record<CostName, string | null>> | null;
    readonly effectiveCorrection: string | null;
}
/** Sums of one group: null as long as no row stated the cost. */
export interface Sums {
    rows: number;
    BilledCost: Attos | null;
    EffectiveCost: Attos | null;
    ListCost: Attos | null;
    ContractedCost: Attos | null;
}
export declare function emptySums(): Sums;
export declare function addTo(sums: Sums, costs: Costs): void;
export declare function worded(sums: Sums): Readonly<Record<CostName, string | null>> & {
    readonly rows: number;
};
/** Groups by a key, in the order of their keys. */
export declare function groupedSums(): {
    add(key: string, costs: Costs): void;
    worded(): Record<string, ReturnType<typeof worded>>;
};
/** One machine's cards in one hour, in GPU-seconds. */
export interface ObservedHour {
    known: number;
    useful: number;
    active: number;
    activeUseful: number;
    held: number;
    dead: number;
}
/** A card's samples as written, ascending. */
export interface WrittenSamples {
    readonly count: number;
    readonly ms: Float64Array;
    readonly percent: Float32Array;
    readonly memoryMiB: Float32Array;
}
/**
 * Adds one card's time to the hours of its machine. A sample holds until the next, at most 15 minutes; idle begins at or under 5 %, ends at
 * or over 10 %, and counts from 15 minutes of known idle time on; idle with a tenth or more of the memory in use is held.
 */
export declare function observe(samples: WrittenSamples, memoryTotalMiB: number, firstMs: number, hours: Map<number, ObservedHour>): void;
