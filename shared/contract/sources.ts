/** Copies of bills beside the ledger: how many megabytes of them are kept unless the person says otherwise, and what may be chosen. */
export const defaultKeptMegabytes = 2048;
export const keptMegabytes = [0, 512, 2048, 10_240] as const;

export interface SourcesState {
  readonly keptBytes: number;
  /** Files of posted bills without a copy. */
  readonly unkeptFiles: number;
  readonly mostMegabytes: number;
}
