/** Memory of the hours of one host's devices of a model that had about the same 95th percentile: shares of the card, and seconds × cards with a reading. */
export interface MemoryLevel {
  readonly gpuModel: string | null;
  readonly host: string;
  readonly seconds: number;
  /** To a hundredth of a percent. */
  readonly p95: number | null;
  /** The highest reading of a day with such an hour. */
  readonly peak: number | null;
}
