/** The sample's time: hours and twelve-minute slots since 2025-10-01T00:00Z, and its months. */
export declare const firstMs: number;
export declare const hourMs = 3600000;
export declare const slotMs = 720000;
export declare const slotsAnHour = 5;
export interface Month {
    /** `2025-10`. */
    readonly label: string;
    /** First hour, and one past the last. */
    readonly from: number;
    readonly to: number;
    readonly hours: number;
    readonly days: number;
}
export declare const months: readonly Month[];
export declare const hourCount = 8760;
/** The hour of an instant such as `2026-09-07T18` or `2026-09-07`. */
export declare function hourAt(instant: string): number;
/** `2026-09-07T18:00:00Z`. */
export declare function isoHour(hour: number): string;
export declare function hourOfDay(hour: number): number;
/** 0 is Monday; 1 October 2025 was a Wednesday. */
export declare function weekday(hour: number): number;
export declare function monthOf(hour: number): Month;
