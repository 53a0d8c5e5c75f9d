import { type Bill, type BillRow } from "./bill.ts";
import { type Logger } from "./logs.ts";
import { type FileTruth, type ObservedHour } from "./truth.ts";
/** What of the sample to write; the whole of it but in tests. */
export interface Slice {
    /** `2025-10` … ; the files of these months. */
    readonly months: readonly string[];
    readonly loggers: readonly Logger[];
}
export declare const wholeSample: Slice;
/** One file before compression. */
export interface WrittenFile {
    readonly path: string;
    readonly isCompressed: boolean;
    readonly chunks: readonly Buffer[];
}
/** Writes `files/…` and `truth.json` into a folder; the files that were there go. */
export declare function writeSample(folder: string, slice?: Slice): Promise<void>;
/** Hands every file of the slice to `take` and answers with the truth. */
export declare function generate(slice: Slice, take: (file: WrittenFile) => Promise<void>): Promise<SampleTruth>;
export type SampleTruth = {
    readonly note: string;
    readonly files: readonly FileTruth[];
} & ReturnType<ReturnType<typeof moneyTruth>["worded"]>;
/** Gathers what the bills that show say, and what the machines did in the hours that were paid for. */
declare function moneyTruth(): {
    add: ({ month, provider }: Bill, { costs, team, gpu, effectiveCorrection }: BillRow) => void;
    worded: (observed: ReadonlyMap<string, ReadonlyMap<number, ObservedHour>>) => {
        totals: {
            byMonth: Record<string, Readonly<Record<"BilledCost" | "EffectiveCost" | "ListCost" | "ContractedCost", string | null>> & {
                readonly rows: number;
            }>;
            byMonthAndProvider: Record<string, Readonly<Record<"BilledCost" | "EffectiveCost" | "ListCost" | "ContractedCost", string | null>> & {
                readonly rows: number;
            }>;
            byMonthAndTeam: Record<string, Readonly<Record<"BilledCost" | "EffectiveCost" | "ListCost" | "ContractedCost", string | null>> & {
                readonly rows: number;
            }>;
        };
        gpuHours: {
            [k: string]: number;
        };
        efficiency: {
            [k: string]: {
                utilization: number | null;
                billedGpuHours: number;
                knownGpuHours: number;
                usefulGpuHours: number;
                idleGpuHours: number;
                gpuCost: number;
                idleCost: number;
                heldIdleCost: number;
                deadIdleCost: number;
                unknownCost: number;
            };
        };
        states: Record<string, ObservedHour>;
    };
};
export {};
