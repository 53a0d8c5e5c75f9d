import { breath } from "../import/control.ts";

const SORTED_A_TURN = 8000;
const MERGED_A_TURN = 60_000;

/** The numbers 0 to before `count` in order: sorted in runs, which are then merged by twos, with a breath now and then. `compare` never answers 0. */
export async function sortedPlaces(count: number, compare: (one: number, other: number) => number): Promise<Int32Array> {
  let runs: Int32Array[] = [];
  for (let from = 0; from < count; from += SORTED_A_TURN) {
    runs.push(Int32Array.from({ length: Math.min(SORTED_A_TURN, count - from) }, (_, at) => from + at).sort(compare));
    await breath();
  }
  while (runs.length > 1) {
    const merged: Int32Array[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one, other] = [runs[at] as Int32Array, runs[at + 1]];
      merged.push(other === undefined ? one : await mergedRuns(one, other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? new Int32Array(0);
}

async function mergedRuns(one: Int32Array, other: Int32Array, compare: (one: number, other: number) => number): Promise<Int32Array> {
  const merged = new Int32Array(one.length + other.length);
  let [a, b] = [0, 0];
  for (let at = 0; at < merged.length; at += 1) {
    const takesOne = b >= other.length || (a < one.length && compare(one[a] as number, other[b] as number) <= 0);
    merged[at] = (takesOne ? one[a++] : other[b++]) as number;
    if (at % MERGED_A_TURN === MERGED_A_TURN - 1) await breath();
  }
  await breath();
  return merged;
}
