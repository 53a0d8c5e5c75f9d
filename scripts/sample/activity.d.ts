import { type Work } from "./company.ts";
export declare const slotCount: number;
export interface Activity {
    readonly load: Float32Array;
    readonly memory: Float32Array;
}
/** The load of one card of a machine. Cards that work together share their draws; people at notebooks do not. */
export declare function activityOf(work: Work, node: string, card: number, isOn: Uint8Array): Activity;
/** Slots in which a log wrote nothing: the whole of December, when the collector was replaced, and shorter failures of each machine. */
export declare function outagesOf(node: string): Uint8Array;
/** The wall clock of nvidia-smi at an instant of the sample up to its milliseconds, `2026/09/07 18:03:20.`; the hosts' clocks run in UTC. */
export declare function wallClock(ms: number): string;
