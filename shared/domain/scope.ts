/** What a view is narrowed to. An absent dimension is everything. A null inside a list stands for rows without that value. */
export interface Scope {
  readonly provider?: readonly (string | null)[];
  readonly account?: readonly (string | null)[];
  readonly team?: readonly (string | null)[];
  readonly service?: readonly (string | null)[];
  readonly region?: readonly (string | null)[];
  readonly gpuModel?: readonly (string | null)[];
  readonly resource?: readonly (string | null)[];
}

export const scopeDimensions = ["provider", "account", "team", "service", "region", "gpuModel", "resource"] as const;
export type ScopeDimension = (typeof scopeDimensions)[number];
