/**
 * Runs files of test vectors through the product's own functions. A vector names a function, its inputs and the expected
 * answer; an adapter translates both ways and holds no arithmetic of its own.
 */
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { allocationAdapters } from "./adapters/allocation.ts";
import { breakEvenAdapters } from "./adapters/break-even.ts";
import { budgetAdapters } from "./adapters/budgets.ts";
import { carbonAdapters } from "./adapters/carbon.ts";
import { commitmentAdapters } from "./adapters/commitment.ts";
import { moneyAdapters } from "./adapters/money.ts";
import { selectionAdapters } from "./adapters/selection.ts";
import { spotAdapters } from "./adapters/spot.ts";
import { utilizationAdapters } from "./adapters/utilization.ts";
import { workAdapters } from "./adapters/work.ts";
import { differences, isRecord } from "./compare.ts";
import type { Adapter, Fields } from "./fields.ts";

export interface VectorCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Runs every vector file (`*.json` with schema 1) of the folder and prints one line a failure, one a function that is not
 * known, and at the end `N passed, M failed, K skipped`. The answer is the exit code: 1 if any failed
 * or there is no such folder, else 0.
 */
export async function runVectors(folder: string, print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`)): Promise<number> {
  if (!existsSync(folder)) {
    print(`no such folder: ${folder}`);
    return 1;
  }
  const { passed, failed, skipped } = await countVectors(folder, print);
  print(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 ? 1 : 0;
}

export async function countVectors(folder: string, print: (line: string) => void): Promise<VectorCounts> {
  let [passed, failed, skipped] = [0, 0, 0];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  for (const name of names) {
    const vectors = await readVectorFile(join(folder, name));
    if (vectors === null) continue;
    const unknown = new Map<string, number>();
    for (const vector of vectors) {
      const adapter = Object.hasOwn(adapters, vector.fn) ? adapters[vector.fn] : undefined;
      if (adapter === undefined) {
        skipped += 1;
        unknown.set(vector.fn, (unknown.get(vector.fn) ?? 0) + 1);
        continue;
      }
      const found = outcome(adapter, vector);
      if (found.length === 0) passed += 1;
      else {
        failed += 1;
        print(`FAIL ${vector.id} ${vector.fn}: ${found.join("; ")}`);
      }
    }
    for (const [fn, count] of unknown) print(`SKIP ${fn} (${name}): not built yet, ${count} skipped`);
  }
  return { passed, failed, skipped };
}

interface Vector {
  readonly id: string;
  readonly fn: string;
  readonly input: Fields;
  readonly expected: unknown;
  readonly exact: readonly string[];
}

function outcome(adapter: Adapter, { input, expected, exact }: Vector): readonly string[] {
  try {
    return differences(adapter(input), expected, exact);
  } catch (cause) {
    return [`threw ${cause instanceof Error ? cause.message : String(cause)}`];
  }
}

/** Function names are unique over all models. */
const adapters: Readonly<Record<string, Adapter>> = {
  ...allocationAdapters,
  ...breakEvenAdapters,
  ...budgetAdapters,
  ...carbonAdapters,
  ...commitmentAdapters,
  ...moneyAdapters,
  ...selectionAdapters,
  ...spotAdapters,
  ...utilizationAdapters,
  ...workAdapters,
};

/** Null for JSON that is no vector file. */
async function readVectorFile(path: string): Promise<readonly Vector[] | null> {
  const content = parseJson(await readFile(path, "utf8"));
  if (!isRecord(content) || content["schema"] !== 1 || !Array.isArray(content["vectors"])) return null;
  return content["vectors"].filter(isRecord).map((vector) => ({
    id: String(vector["id"]),
    fn: String(vector["fn"]),
    input: isRecord(vector["in"]) ? vector["in"] : {},
    expected: vector["out"],
    exact: Array.isArray(vector["exact"]) ? vector["exact"].map(String) : [],
  }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
