import { join } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { StopReplay, StopRule } from "../../../shared/contract/findings.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { hourOf } from "../../../shared/domain/period.ts";
import { idlePolicyOf, type EngineContext, type Opened } from "../context.ts";
import type { DeviceScan } from "../findings/scan.ts";
import { stopScript } from "../findings/stop-script.ts";
import { replayStopRule, saveStopRule, type ReplayAsked } from "../findings/stops.ts";
import { aggregateByType } from "../findings/aggregate.ts";
import { hostTimeline } from "../findings/timeline.ts";
import { telemetryFindings } from "../findings/telemetry.ts";
import { checkCuda, loadCudaTables } from "../reference/cuda.ts";
import { recognizeDevice } from "../reference/device.ts";
import { instantOf } from "../metrics/model/civil-time.ts";
import { writeWhole } from "../files.ts";
import { saveCounter } from "../reports/gather.ts";
import type { Db } from "../store/sql.ts";
import type { HandlersOf } from "./index.ts";
import { reportContext, scopeOf } from "./reports.ts";

export const findingHandlers: HandlersOf<"findings.read" | "aggregate.read" | "timeline.read" | "cuda.check" | "stops.replay" | "stops.export" | "stop-rule.save" | "counter.save"> = {
  async "findings.read"(context, { period, scope, currency }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const answer = await telemetryFindings(reading.value, { period, scope: scopeOf(scope), currency }, {
      scan: (days) => scanned(opened.value, days),
      replay: (input) => opened.value.jobs.run("replay-stops", input),
    });
    return answer === null ? err(ledgerError("period.invalid", { text: period })) : ok(answer);
  },

  "aggregate.read"(context, { period, scope, currency }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const answer = aggregateByType(reading.value, { period, scope: scopeOf(scope), currency });
    return answer === null ? err(ledgerError("period.invalid", { text: period })) : ok(answer);
  },

  "timeline.read"(context, { host, from, hours }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    if (Number.isNaN(Date.parse(from))) return err(ledgerError("contract.invalid", { question: "timeline.read", path: "from" }));
    const { db } = opened.value.ledger;
    return ok(hostTimeline(db, host, hourOf(from), hours, idlePolicyOf(db)));
  },

  "cuda.check"(context, { gpu, ...asked }) {
    const reference = context.reference();
    if (!reference.ok) return reference;
    const tables = loadCudaTables(join(context.options.resourcesFolder, "reference"));
    if (!tables.ok) return tables;
    const family = recognizeDevice(reference.value, { name: gpu, memoryTotalMiB: null }).model;
    const { capability, driverNeeded, toolkit, driver, build } = checkCuda(tables.value, { family, ...asked });
    return ok({
      gpu: family,
      capability: capability?.capability ?? null,
      architecture: capability?.architecture ?? null,
      firstToolkit: capability?.firstToolkit ?? null,
      lastToolkit: capability?.lastToolkit ?? null,
      leastDriver: driverNeeded === null ? null : asked.isWindows ? driverNeeded.windows : driverNeeded.linux,
      toolkit,
      driver,
      build,
      sources: [capability?.source, driverNeeded?.source].filter((source) => source !== undefined),
    });
  },

  "stops.replay": (context, input) => replay(context, "stops.replay", { ...input, scope: scopeOf(input.scope) }),

  async "stops.export"(context, { tool, language, file, ...asked }) {
    const replayed = await replay(context, "stops.export", { ...asked, scope: scopeOf(asked.scope) });
    if (!replayed.ok) return replayed;
    const { wordsOf } = context.options;
    if (wordsOf === undefined) throw new Error("a script needs its words");
    const { text, commands, comments } = stopScript(replayed.value, tool, await wordsOf(language), context.now().toISOString());
    const written = writeWhole(file, text);
    return written.ok ? ok({ ...written.value, commands, comments }) : written;
  },

  async "counter.save"(context, { counter }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    return context.exclusive(() => Promise.resolve(ok({ revision: kept(context, opened.value, (db) => saveCounter(db, counter)) })));
  },

  async "stop-rule.save"(context, { rule }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const trouble = troubleOf("stop-rule.save", rule);
    if (trouble !== null) return err(ledgerError("contract.invalid", trouble));
    return context.exclusive(() => Promise.resolve(ok({ revision: kept(context, opened.value, (db) => saveStopRule(db, rule)) })));
  },
};

/** Keeps a choice of the person with the ledger; returns the ledger's new revision. Inside `exclusive`. */
function kept(context: EngineContext, { ledger, jobs }: Opened, keep: (db: Db) => void): number {
  const revision = jobs.write(() =>
    ledger.db
      .transaction(() => {
        keep(ledger.db);
        return ledger.bump();
      })
      .immediate(),
  );
  context.emit({ name: "ledger.changed", payload: { revision } });
  return revision;
}

/** Traces are read once for as long as the ledger stays as it is: the reader takes seconds for a month of a big fleet. */
async function scanned(opened: Opened, days: { readonly firstDay: number; readonly endDay: number }): Promise<readonly DeviceScan[]> {
  const { ledger, jobs } = opened;
  const key = `${ledger.revision()} ${days.firstDay} ${days.endDay}`;
  const known = scans.get(opened);
  if (known?.key === key) return known.devices;
  const devices = await jobs.run("scan-devices", days);
  scans.set(opened, { key, devices });
  return devices;
}

const scans = new WeakMap<Opened, { readonly key: string; readonly devices: readonly DeviceScan[] }>();

async function replay(context: EngineContext, question: string, asked: ReplayAsked): Promise<Result<StopReplay>> {
  const trouble = asked.rule === null ? null : troubleOf(question, asked.rule);
  if (trouble !== null) return err(ledgerError("contract.invalid", trouble));
  const opened = context.open();
  if (!opened.ok) return opened;
  const reading = reportContext(context);
  if (!reading.ok) return reading;
  const replayed = await replayStopRule(reading.value, asked, (input) => opened.value.jobs.run("replay-stops", input));
  return replayed === null ? err(ledgerError("period.invalid", { text: asked.period })) : ok(replayed);
}

/** What a schema cannot say of a rule: the thresholds in order, and a time zone that exists. */
function troubleOf(question: string, rule: StopRule): { readonly question: string; readonly path: string } | null {
  if (rule.busyAtOrOverPercent < rule.idleAtOrUnderPercent) return { question, path: "rule.busyAtOrOverPercent" };
  if (rule.stopsBy === "schedule" && (rule.keepOn === null || rule.keepOn.weekdays.length === 0)) return { question, path: "rule.keepOn" };
  if (rule.keepOn !== null && instantOf("2026-01-01T00:00", rule.keepOn.zone) === null) return { question, path: "rule.keepOn.zone" };
  return null;
}
