import { basename } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { BenchmarkList } from "../../../shared/contract/offers.ts";
import { compareIds } from "../../../shared/domain/money.ts";
import { err, ok } from "../../../shared/result.ts";
import { benchmarkKey, benchmarksOf, keepBenchmark, readBenchmarks, removeBenchmark } from "../offers/benchmarks.ts";
import { candidatesOf } from "../offers/candidates.ts";
import { inCurrency } from "../offers/converted.ts";
import { chooseOffers, scalingOf } from "../planning/offers.ts";
import { dayOf } from "../prices/store.ts";
import type { Reference } from "../reference/catalog.ts";
import { noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

export const offerHandlers: HandlersOf<"offers.find" | "benchmarks.list" | "benchmarks.import" | "benchmark.save" | "benchmark.remove"> = {
  "offers.find"(context, { need, tiers, limit, rejectedLimit }) {
    const candidates = candidatesOf(context, null);
    if (!candidates.ok) return candidates;
    const opened = context.open();
    const benchmarks = opened.ok ? benchmarksOf(opened.value.ledger.db) : [];
    return ok(chooseOffers({ need, candidates: inCurrency(candidates.value, need.currency, opened.ok ? opened.value.ledger.db : null), benchmarks, tiers, limit, rejectedLimit }));
  },

  "benchmarks.list"(context) {
    const reference = context.reference();
    if (!reference.ok) return reference;
    const opened = context.open();
    const benchmarks = opened.ok ? benchmarksOf(opened.value.ledger.db) : [];
    const workloads = new Map(benchmarks.map(({ workload, unit }) => [`${workload.toLowerCase()}\n${unit}`, { workload, unit }]));
    const list: BenchmarkList = {
      benchmarks,
      workloads: [...workloads.values()].sort((a, b) => compareIds(a.workload, b.workload)),
      scaling: scalingOf(benchmarks, (id) => labelOf(reference.value, id)),
      accelerators: reference.value.accelerators.map(({ id, label }) => ({ id, label })).sort((a, b) => compareIds(a.label, b.label)),
    };
    return ok(list);
  },

  async "benchmarks.import"(context, { file, isPreview, by }) {
    const reference = context.reference();
    if (!reference.ok) return reference;
    const opened = isPreview ? context.open() : context.writable();
    if (!opened.ok) return opened;
    const read = await readBenchmarks(file, reference.value, dayOf(context.now()));
    if (!read.ok) return read;
    const { ledger } = opened.value;
    const known = new Map(benchmarksOf(ledger.db).map((benchmark) => [benchmarkKey(benchmark), benchmark]));
    const lines = read.value.map((benchmark) => ({ benchmark, before: known.get(benchmarkKey(benchmark)) ?? null }));
    const changed = lines.filter(({ benchmark, before }) => before !== null && before.unitsPerSecond !== benchmark.unitsPerSecond);
    const added = lines.filter(({ before }) => before === null);
    const said = { file: basename(file), added: added.length, changed: changed.length, same: lines.length - added.length - changed.length, workloads: [...new Set(read.value.map(({ workload }) => workload))].sort(compareIds) };
    if (isPreview) return ok({ ...said, revision: ledger.revision() });
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      for (const { benchmark, before } of [...added, ...changed]) keepBenchmark(db, { ...benchmark, id: before?.id ?? null });
      noteChange(db, author, "prices", "imported", said.file, null, { added: said.added, changed: said.changed });
    });
    return done.ok ? ok({ ...said, revision: done.value.revision }) : done;
  },

  async "benchmark.save"(context, { benchmark, by }) {
    const reference = context.reference();
    if (!reference.ok) return reference;
    if (!reference.value.lookups.acceleratorById.has(benchmark.acceleratorId)) return err(ledgerError("contract.invalid", { question: "benchmark.save", path: "benchmark.acceleratorId" }));
    const opened = context.open();
    if (!opened.ok) return opened;
    const before = benchmarksOf(opened.value.ledger.db).find(({ id }) => id === benchmark.id) ?? null;
    if (benchmark.id !== null && before === null) return err(ledgerError("prices.not-found", { id: benchmark.id }));
    let id = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      id = keepBenchmark(db, benchmark);
      noteChange(db, author, "prices", before === null ? "added" : "changed", `${benchmark.workload}, ${labelOf(reference.value, benchmark.acceleratorId)}`, before, { ...benchmark, id });
    });
    return done.ok ? ok({ ...done.value, id }) : done;
  },

  async "benchmark.remove"(context, { id, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const found = benchmarksOf(opened.value.ledger.db).find((benchmark) => benchmark.id === id);
    if (found === undefined) return err(ledgerError("prices.not-found", { id }));
    return change(context, by, ({ ledger: { db } }, author) => {
      removeBenchmark(db, id);
      noteChange(db, author, "prices", "removed", found.workload, found, null);
    });
  },
};

function labelOf(reference: Reference, acceleratorId: string): string {
  return reference.lookups.acceleratorById.get(acceleratorId)?.label ?? acceleratorId;
}
