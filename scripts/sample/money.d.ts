/** Exact amounts of the sample, in attos (1e-18). Its own arithmetic: the truth of the sample must not rest on the code it tests. */
export type Attos = bigint;
/** `12.5`, `-0.08`, `7.2E-05`. */
export declare function amount(decimal: string): Attos;
/** With at least so many decimals, and as many more as it takes. */
export declare function text(attos: Attos, decimals?: number): string;
/** `attos × numerator ÷ denominator`, cut after so many decimals as a bill cuts them. */
export declare function part(attos: Attos, numerator: number, denominator: number, decimals?: number): Attos;
export declare function times(attos: Attos, count: number): Attos;
