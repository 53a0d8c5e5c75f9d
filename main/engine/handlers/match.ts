import { ledgerError } from "../../../shared/contract/errors.ts";
import type { MatchList } from "../../../shared/contract/methods.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { startOfDay } from "../../../shared/domain/period.ts";
import { err, ok } from "../../../shared/result.ts";
import { idlePolicyOf, saveIdlePolicy, type EngineContext, type Opened } from "../context.ts";
import { matchHosts } from "../hours/match.ts";
import { gpuResources, hostMap } from "../hours/work-out.ts";
import { daysOfHost, showHours } from "../import/post.ts";
import { query, readAll, sumMoney, type Db } from "../store/sql.ts";
import { allocateNew } from "../teams/rules.ts";
import type { HandlersOf } from "./index.ts";

export const matchHandlers: HandlersOf<"match.list" | "match.save" | "policy.save"> = {
  "match.list"(context) {
    const opened = context.open();
    return opened.ok ? ok(matchList(opened.value.ledger.db)) : opened;
  },

  async "match.save"(context, { host, resource, validFrom, validTo }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const isPeriod = [validFrom, validTo].every((instant) => instant === null || isInstant(instant)) && (validFrom === null || validTo === null || Date.parse(validFrom) < Date.parse(validTo));
    if (!isPeriod) return err(ledgerError("match.invalid", { host, resource: resource ?? "" }));
    return context.exclusive(async () => {
      const { ledger, jobs } = opened.value;
      const days = daysOfHost(ledger.db, host);
      jobs.write(() => saveMapping(context, opened.value, { host, resource, validFrom, validTo }));
      await workOutAnew(context, opened.value, days);
      return ok({ revision: ledger.revision() });
    });
  },

  // The answer does not wait for history to be worked out anew; until then reports say which policy they show.
  "policy.save"(context, policy) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    if (policy.busyAtOrOverPercent < policy.idleAtOrUnderPercent) return err(ledgerError("contract.invalid", { question: "policy.save", path: "busyAtOrOverPercent" }));
    const { ledger, jobs } = opened.value;
    const revision = jobs.write(() =>
      ledger.db
        .transaction(() => {
          saveIdlePolicy(ledger.db, policy);
          return ledger.bump();
        })
        .immediate(),
    );
    context.emit({ name: "ledger.changed", payload: { revision } });
    context.behindTheScenes(() => workOutAnew(context, opened.value, null));
    return ok({ revision });
  },
};

/** Works out the hours of some days, or of all, under the policy set now, then lets them show. Inside `exclusive`. */
export async function workOutAnew(context: EngineContext, { ledger, jobs }: Opened, days: readonly number[] | null): Promise<void> {
  const hours = await jobs.run("work-out", { days, policy: idlePolicyOf(ledger.db) }, (progress) => {
    if (progress.kind === "work") context.emit({ name: "work.progress", payload: { kind: "hours", done: progress.done, total: progress.total } });
  });
  const revision = jobs.write(() =>
    ledger.db
      .transaction(() => {
        if (hours !== null) showHours(ledger.db, hours);
        return ledger.bump();
      })
      .immediate(),
  );
  context.emit({ name: "ledger.changed", payload: { revision } });
  context.behindTheScenes(() => jobs.run("sweep-after-flip", null));
}

interface Mapping {
  readonly host: string;
  readonly resource: string | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/**
 * The person's word for a host. One without dates replaces everything said of the host, no resource takes it back;
 * one with dates stands beside the others and replaces the one of the same dates.
 */
function saveMapping({ now }: EngineContext, { ledger }: Opened, { host, resource, validFrom, validTo }: Mapping): void {
  const { db } = ledger;
  db.transaction(() => {
    const isForGood = validFrom === null && validTo === null;
    db.prepare(`DELETE FROM host_map WHERE lower(Host) = lower(?) AND (? OR (ValidFrom IS ? AND ValidTo IS ?))`).run(host, isForGood ? 1 : 0, validFrom, validTo);
    if (resource !== null) {
      db.prepare("INSERT INTO host_map (Host, ResourceId, ValidFrom, ValidTo, EnteredAt) VALUES (?, ?, ?, ?, ?)").run(host, resource, validFrom, validTo, now().toISOString());
    }
    allocateNew(db);
    ledger.bump();
  }).immediate();
}

function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$/.test(text) && !Number.isNaN(Date.parse(text));
}

interface HostRow {
  readonly Host: string;
  readonly devices: number;
  readonly gpuModel: string | null;
  readonly firstDay: number;
  readonly lastDay: number;
}
interface ResourceRow {
  readonly ResourceId: string;
  readonly ProviderName: string | null;
  readonly x_GpuModel: string | null;
  readonly gpuHours: number;
  readonly BillingCurrency: string;
  readonly effectiveCost: bigint;
}

/** Hosts with telemetry and what each is joined to, and billed GPU resources that no host is joined to, with their money. */
function matchList(db: Db): MatchList {
  const hosts = readAll(db, query<HostRow>("Host", "devices", "gpuModel", "firstDay", "lastDay")`-- match.hosts
    SELECT d.Host, count(DISTINCT d.DeviceId) AS devices, max(d.GpuModel) AS gpuModel, min(t.Day) AS firstDay, max(t.Day) AS lastDay
    FROM device d
    JOIN gpu_trace t ON t.DeviceId = d.DeviceId
    JOIN batch b ON b.BatchId = t.BatchId AND b.State = 'posted'
    GROUP BY d.Host
    ORDER BY d.Host`);
  const { matches, proposals } = matchHosts(hosts.map(({ Host }) => Host), gpuResources(db), hostMap(db));
  const joinedIds = new Set(matches.map(({ resourceId }) => resourceId.toLowerCase()));
  const resources = readAll(db, query<ResourceRow>("ResourceId", "ProviderName", "x_GpuModel", "gpuHours", "BillingCurrency", "effectiveCost")`-- match.billed-resources
    SELECT
      s.ResourceId, max(s.ProviderName) AS ProviderName, max(s.x_GpuModel) AS x_GpuModel, coalesce(sum(c.GpuHours), 0.0) AS gpuHours,
      s.BillingCurrency, ${sumMoney("EffectiveCost", "c")} AS effectiveCost
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE s.x_GpuModel IS NOT NULL AND s.ResourceId IS NOT NULL AND s.ChargeCategory = 'Usage'
    GROUP BY s.ResourceId, s.BillingCurrency
    ORDER BY s.ResourceId, s.BillingCurrency`);
  return {
    hosts: hosts.map(({ Host, devices, gpuModel, firstDay, lastDay }) => {
      const own = matches.filter(({ host }) => host === Host);
      const match = own.at(-1);
      return {
        host: Host,
        devices,
        gpuModel,
        firstAt: startOfDay(firstDay),
        lastAt: startOfDay(lastDay + 1),
        resource: match?.resourceId ?? null,
        rule: match?.rule ?? null,
        proposals: (proposals.get(Host) ?? []).map(({ resourceId, reason }) => ({ resource: resourceId, reason })),
      };
    }),
    unmatchedResources: resources
      .filter(({ ResourceId }) => !joinedIds.has(ResourceId.toLowerCase()))
      .map(({ ResourceId, ProviderName, x_GpuModel, gpuHours, BillingCurrency, effectiveCost }) => ({
        resource: ResourceId,
        provider: ProviderName,
        gpuModel: x_GpuModel,
        gpuHours,
        currency: BillingCurrency,
        effectiveCost: formatAttos(effectiveCost),
      })),
  };
}
