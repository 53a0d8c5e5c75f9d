import { type Card, type Dialect, type Work } from "./company.ts";
import { type ObservedHour } from "./truth.ts";
export interface Logger {
    /** The machine in our own words, and the name of its file. */
    readonly node: string;
    readonly host: string;
    readonly card: Card;
    readonly cards: number;
    readonly work: Work;
    readonly dialect: Dialect;
    readonly isOn: Uint8Array;
    /** The hour from which it is logged. */
    readonly from: number;
}
export declare const loggers: readonly Logger[];
export interface WrittenLog {
    readonly chunks: Buffer[];
    readonly rows: number;
    readonly hours: Map<number, ObservedHour>;
}
/** One machine's log between two hours. */
export declare function writeLog(logger: Logger, fromHour: number, toHour: number): WrittenLog;
