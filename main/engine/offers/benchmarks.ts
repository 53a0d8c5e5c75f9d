/**
 * A person's own measurements. As CSV: `task` or `workload` (with `model` beside it, if there is one), `accelerator` (or `gpu`), `gpus`, `throughput`
 * (or `units_per_second`), and where they are known `unit`, `precision`, `machine`, `stack`, `date`.
 */
import { ledgerError } from "../../../shared/contract/errors.ts";
import { type Benchmark, type BenchmarkInput, precisions } from "../../../shared/contract/offers.ts";
import { isPositive, parseDecimal, toDecimal } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { acceleratorOf } from "../prices/own-sheet.ts";
import { BadPrice, dayText, openSheet, recordsOf, refuse } from "../prices/sheet.ts";
import type { Reference } from "../reference/catalog.ts";
import { prepared, query, readAll, type Db } from "../store/sql.ts";

/** Errors: those of a price sheet. Nothing is taken from a file of which one row is not understood. */
export async function readBenchmarks(path: string, reference: Reference, today: string): Promise<Result<readonly BenchmarkInput[]>> {
  const opened = openSheet(path);
  if (!opened.ok) return opened;
  const file = opened.value.name;
  if (opened.value.isJson) return err(ledgerError("import.column-missing", { file, format: "benchmark log", columns: "task, accelerator, gpus, throughput" }));
  const found: BenchmarkInput[] = [];
  let header: ReadonlyMap<string, number> | null = null;
  try {
    for await (const { cells, line } of recordsOf(opened.value)) {
      if (header === null) {
        const names = new Map(cells.map((name, index) => [name.trim().toLowerCase().replace(/[\s-]+/g, "_"), index]));
        const missing = needed.filter((either) => !either.some((name) => names.has(name))).map(([name]) => name);
        if (missing.length > 0) return err(ledgerError("import.column-missing", { file, format: "benchmark log", columns: missing.join(", ") }));
        header = names;
        continue;
      }
      const at = header;
      const cell = (...names: readonly string[]): string => names.map((name) => (cells[at.get(name) ?? -1] ?? "").trim()).find((text) => text !== "") ?? "";
      const needs = (column: string, text: string): string => text || refuse(file, line, column, "", "required");
      const named = needs("accelerator", cell("accelerator", "gpu", "gpu_model"));
      const acceleratorId = acceleratorOf(reference, named) ?? refuse(file, line, "accelerator", named, "accelerator");
      const gpus = Number(needs("gpus", cell("gpus")));
      if (!(gpus > 0) || gpus > 1_000_000) refuse(file, line, "gpus", cell("gpus"), "decimal");
      const throughput = parseDecimal(needs("throughput", cell("throughput", "units_per_second")));
      if (throughput === null || !isPositive(throughput)) refuse(file, line, "throughput", cell("throughput", "units_per_second"), "decimal");
      const precision = cell("precision").toLowerCase();
      const known = precision === "" ? null : (precisions.find((each) => each === precision) ?? refuse(file, line, "precision", precision, "precision"));
      found.push({
        id: null,
        workload: [needs("task", cell("workload", "task")), cell("model")].filter((part) => part !== "").join(" "),
        unit: cell("unit") || "token",
        acceleratorId, gpus,
        instanceType: cell("machine", "instance_type") || null,
        unitsPerSecond: toDecimal(throughput),
        precision: known,
        stack: cell("stack") || null,
        measuredOn: cell("date") === "" ? today : dayText(file, line, "date", cell("date")),
        source: line > 0 ? `${file}:${line}` : file,
      });
    }
  } catch (trouble) {
    if (trouble instanceof BadPrice) return err(trouble.trouble);
    throw trouble;
  }
  return found.length === 0 ? err(ledgerError("import.empty", { file })) : ok(found);
}

const needed = [["task", "workload"], ["accelerator", "gpu", "gpu_model"], ["gpus"], ["throughput", "units_per_second"]] as const;

export function benchmarksOf(db: Db): Benchmark[] {
  return readAll(db, query<Benchmark>("id", "workload", "unit", "acceleratorId", "instanceType", "gpus", "unitsPerSecond", "precision", "stack", "measuredOn", "source")`-- benchmarks.list
    SELECT
      BenchmarkId AS id, Workload AS workload, Unit AS unit, AcceleratorId AS acceleratorId, InstanceType AS instanceType, Gpus AS gpus, UnitsPerSecond AS unitsPerSecond,
      NumberFormat AS precision, Stack AS stack, MeasuredOn AS measuredOn, Source AS source
    FROM own_benchmark
    ORDER BY Workload, AcceleratorId, Gpus, BenchmarkId`);
}

/** What a benchmark is of: the same thing measured again on the same day replaces what stood there. */
export function benchmarkKey({ workload, unit, acceleratorId, instanceType, gpus, precision, stack, measuredOn }: BenchmarkInput): string {
  return JSON.stringify([workload.toLowerCase(), unit.toLowerCase(), acceleratorId, instanceType, gpus, precision, stack, measuredOn]);
}

export function keepBenchmark(db: Db, { id, workload, unit, acceleratorId, instanceType, gpus, unitsPerSecond, precision, stack, measuredOn, source }: BenchmarkInput): number {
  const values = [workload, unit, acceleratorId, instanceType, gpus, unitsPerSecond, precision, stack, measuredOn, source] as const;
  if (id !== null) {
    prepared(db, "UPDATE own_benchmark SET Workload = ?, Unit = ?, AcceleratorId = ?, InstanceType = ?, Gpus = ?, UnitsPerSecond = ?, NumberFormat = ?, Stack = ?, MeasuredOn = ?, Source = ? WHERE BenchmarkId = ?").run(...values, id);
    return id;
  }
  return Number(prepared(db, "INSERT INTO own_benchmark (Workload, Unit, AcceleratorId, InstanceType, Gpus, UnitsPerSecond, NumberFormat, Stack, MeasuredOn, Source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...values).lastInsertRowid);
}

export function removeBenchmark(db: Db, id: number): void {
  prepared(db, "DELETE FROM own_benchmark WHERE BenchmarkId = ?").run(id);
}
