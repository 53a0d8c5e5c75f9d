/** Bills as CSV: rows of named cells beside what the row is known to cost. */
import type { Node, Team } from "./company.ts";
import { type Attos } from "./money.ts";
import type { Costs } from "./truth.ts";
export interface BillRow {
    /** Cells by column; those not named are empty. */
    readonly cells: Readonly<Record<string, string>>;
    /** What the row says, by the rules of its format. */
    readonly costs: Costs;
    readonly team: Team | null;
    /** Machine time that it bought: from which hour, over how many hours it is spread, and how many machine-hours. */
    readonly gpu: {
        readonly node: Node;
        readonly hour: number;
        readonly span: number;
        readonly machineHours: number;
    } | null;
    /** It cannot be read, and no reader may guess: it counts in no total. */
    readonly isBad: boolean;
    /** What a rule of ours takes off its effective cost: a purchase that spreads nothing must carry none. */
    readonly effectiveCorrection: Attos;
}
export interface Bill {
    readonly path: string;
    readonly provider: "AWS" | "Microsoft" | "Google Cloud";
    readonly month: string;
    readonly isRestated: boolean;
    readonly columns: readonly string[];
    readonly rows: () => Iterable<BillRow>;
}
export declare function billRow(cells: BillRow["cells"], costs: Costs, more?: Partial<Pick<BillRow, "team" | "gpu" | "isBad" | "effectiveCorrection">>): BillRow;
export declare function csvLine(values: readonly string[], lineEnd: string): string;
export declare function lineOf(columns: readonly string[], cells: Readonly<Record<string, string>>, lineEnd: string): string;
/** Money as AWS prints it: ten decimals. */
export declare function tenDecimals(attos: Attos): string;
