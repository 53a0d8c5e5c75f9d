import type { DecodedArray } from "hyparquet";
import { SourceError } from "./failure.ts";
import type { Leaf } from "./parquet-values.ts";

/**
 * What a column's chunk says of its numbers is held against them: one beyond the least or the greatest means that a bit has turned, and a
 * total with it in would be wrong in silence. Numbers of floating point alone, whose order no writer takes for another.
 */
export function holdToStatistics({ chunk }: Leaf, raw: DecodedArray): void {
  if (!(raw instanceof Float64Array || raw instanceof Float32Array)) return;
  const { min_value: least, max_value: greatest } = chunk.statistics ?? {};
  if (typeof least !== "number" || typeof greatest !== "number" || !(least <= greatest)) return;
  for (let index = 0; index < raw.length; index += 1) {
    const value = raw[index] as number;
    // What is no number has no order.
    if (value < least || value > greatest) throw new SourceError("unreadable");
  }
}
