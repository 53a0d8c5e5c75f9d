/** Chance from a seed: sfc32 over whole numbers, so that every machine draws the same. */
export interface Random {
    /** At least 0, less than 1. */
    next(): number;
    /** At least `low`, less than `high`. */
    between(low: number, high: number): number;
    /** A whole number, both ends included. */
    whole(low: number, high: number): number;
    chance(probability: number): boolean;
    /** So many lower-case hexadecimal digits. */
    hex(digits: number): string;
}
export declare function randomOf(seed: string): Random;
