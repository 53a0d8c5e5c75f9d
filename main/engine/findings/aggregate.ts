/**
 * What no host is joined to, assigned in aggregate by GPU model, region and hour: only when asked, and never to a single machine. Of a model,
 * a region and an hour, the telemetry of hosts that no bill knows is laid over the GPU-hours that no log knows; what is billed beyond it stays
 * unknown. Hours are UTC on both sides: bills state instants, and logs were read with their zone.
 *
 * region   of a host: the billed region that its name holds (`ip-10-0-0-1.us-west-2.compute.internal`, `node.us-central1-a.c.p.internal`);
 *          else, where the model is billed in one region alone, that one; else unknown, and nothing of it is assigned
 */
import type { AggregateAnswer, AggregateRow } from "../../../shared/contract/findings.ts";
import type { Scope } from "../../../shared/domain/scope.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { splitHour, type ObservedHour } from "../hours/hour-cost.ts";
import { sumHours } from "../metrics/metric.ts";
import { compareNames } from "../reports/cells.ts";
import type { ReportContext } from "../reports/context.ts";
import { gather } from "../reports/gather.ts";
import { money, query, readAll } from "../store/sql.ts";

interface BilledHour {
  readonly seriesId: number;
  readonly hour: number;
  readonly gpuHours: number;
  readonly costAttos: bigint | null;
}
interface SeenHour {
  readonly host: string;
  readonly gpuModel: string | null;
  readonly hour: number;
  readonly known: number;
  readonly useful: number;
  readonly active: number;
  readonly activeUseful: number;
  readonly held: number;
  readonly dead: number;
  readonly idleMemoryUnknown: number;
}

/** null: the period is none. */
export function aggregateByType(context: ReportContext, asked: { readonly period: string; readonly scope: Scope; readonly currency: string | null }): AggregateAnswer | null {
  const gathered = gather(context, { ...asked, basis: "EffectiveCost" });
  if (gathered === null) return null;
  const { db } = context.ledger;
  const { firstDay, endDay, currency } = gathered;
  const joined = new Set(gathered.hosts().map(({ resource }) => resource.toLowerCase()));
  const joinedHosts = new Set(gathered.hosts().filter(({ resource }) => gathered.billedResources().has(resource.toLowerCase())).map(({ host }) => host));
  const series = new Map(gathered.gpuHours().filter(({ resource }) => resource === null || !joined.has(resource.toLowerCase())).map(({ seriesId, gpuModel, region }) => [seriesId, { gpuModel, region }]));
  const billed = readAll(db, query<BilledHour>("seriesId", "hour", "gpuHours", "costAttos")`-- aggregate.billed
    SELECT SeriesId AS seriesId, HourStart AS hour, GpuHours AS gpuHours, ${money("EffectiveCost")} AS costAttos
    FROM gpu_hour_cost_current
    WHERE Day >= ${firstDay} AND Day < ${endDay} AND GpuHours > 0
    ORDER BY Day, HourStart, SeriesId`).filter(({ seriesId }) => series.has(seriesId));
  const seen = readAll(db, query<SeenHour>("host", "gpuModel", "hour", "known", "useful", "active", "activeUseful", "held", "dead", "idleMemoryUnknown")`-- aggregate.seen
    SELECT
      d.Host AS host, d.GpuModel AS gpuModel, h.HourStart AS hour, sum(h.KnownSeconds * d.Share) / 3600.0 AS known, coalesce(sum(h.UtilizationMean * h.KnownSeconds * d.Share), 0.0) / 3600.0 AS useful,
      sum(h.ActiveSeconds * d.Share) / 3600.0 AS active, sum(h.ActiveUtilizationSeconds * d.Share) / 3600.0 AS activeUseful, sum(h.HeldIdleSeconds * d.Share) / 3600.0 AS held,
      sum(h.DeadIdleSeconds * d.Share) / 3600.0 AS dead, sum(h.IdleMemoryUnknownSeconds * d.Share) / 3600.0 AS idleMemoryUnknown
    FROM gpu_hour_current AS h
    JOIN device AS d ON d.DeviceId = h.DeviceId
    WHERE h.Day >= ${firstDay} AND h.Day < ${endDay} AND h.KnownSeconds > 0
    GROUP BY 1, 2, 3
    ORDER BY 1, 2, 3`).filter(({ host, gpuModel }) => !joinedHosts.has(host) && gpuModel !== null);
  const models = [...new Set([...[...series.values()].map(({ gpuModel }) => gpuModel), ...seen.map(({ gpuModel }) => gpuModel)])].filter((model) => model !== null).sort();
  const rows = models.flatMap((model) => {
    const ofModel = billed.filter(({ seriesId }) => series.get(seriesId)?.gpuModel === model);
    const regionOf = (seriesId: number): string | null => series.get(seriesId)?.region ?? null;
    const regions = [...new Set(ofModel.map(({ seriesId }) => regionOf(seriesId)))];
    const hosts = seen.filter(({ gpuModel }) => gpuModel === model).map((hour) => ({ ...hour, region: regionOfHost(hour.host, regions) }));
    const places = [...new Set([...regions, ...hosts.map(({ region }) => region)])].sort((a, b) => compareNames(a ?? null, b ?? null));
    return places.map((region) => rowOf(model, region, ofModel.filter(({ seriesId }) => region !== undefined && regionOf(seriesId) === region), hosts.filter((hour) => hour.region === region)));
  });
  return { period: asked.period, currency, rows };
}

/** null: the bills of the model name no region. undefined: which of several it is in cannot be told. */
export function regionOfHost(host: string, billed: readonly (string | null)[]): string | null | undefined {
  const name = host.toLowerCase();
  // EC2's first region names itself in no host name of its own.
  const named = billed.filter((region) => region !== null && (holdsRegion(name, region.toLowerCase()) || (region === "us-east-1" && name.endsWith(".ec2.internal"))));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  return billed.length === 1 ? billed[0] : undefined;
}

/** A region's name between other signs, or with the letter of a zone after it. */
function holdsRegion(host: string, region: string): boolean {
  for (let at = host.indexOf(region); at >= 0; at = host.indexOf(region, at + 1)) {
    const isStart = at === 0 || !/[a-z0-9]/.test(host[at - 1] ?? "");
    if (isStart && /^[a-z]?(?![a-z0-9])/.test(host.slice(at + region.length))) return true;
  }
  return false;
}

function rowOf(gpuModel: string, region: string | null | undefined, billed: readonly BilledHour[], seen: readonly SeenHour[]): AggregateRow {
  const seenAt = Map.groupBy(seen, ({ hour }) => hour);
  const parts = [0n, 0n, 0n, 0n, 0n, 0n];
  let cost = 0n;
  const assigned: number[] = [];
  for (const [hour, charges] of Map.groupBy(billed, (charge) => charge.hour)) {
    const own = seenAt.get(hour) ?? [];
    for (const { effectiveAttos, parts: split, knownGpuHours } of splitHour(charges.map(({ seriesId, gpuHours, costAttos }) => ({ seriesId, gpuHours, effectiveAttos: costAttos })), own.length === 0 ? null : together(own))) {
      cost += effectiveAttos ?? 0n;
      split?.forEach((attos, index) => { parts[index] = (parts[index] ?? 0n) + attos; });
      assigned.push(knownGpuHours);
    }
  }
  const [productive, busy, held, dead, memoryUnknown, unknown] = parts.map((attos) => formatAttos(attos)) as [string, string, string, string, string, string];
  return {
    gpuModel,
    region: region ?? null,
    isRegionUnknown: region === undefined,
    billedGpuHours: sumHours(billed.map(({ gpuHours }) => gpuHours)),
    seenGpuHours: sumHours(seen.map(({ known }) => known)),
    assignedGpuHours: sumHours(assigned),
    hosts: new Set(seen.map(({ host }) => host)).size,
    cost: formatAttos(cost),
    productive, busyInefficient: busy, heldIdle: held, deadIdle: dead, idleMemoryUnknown: memoryUnknown, unknown,
  };
}

function together(hours: readonly SeenHour[]): ObservedHour {
  const sum = (of: (hour: SeenHour) => number): number => hours.reduce((total, hour) => total + of(hour), 0);
  return {
    known: sum(({ known }) => known), useful: sum(({ useful }) => useful), active: sum(({ active }) => active), activeUseful: sum(({ activeUseful }) => activeUseful), held: sum(({ held }) => held), dead: sum(({ dead }) => dead),
    idleMemoryUnknown: sum(({ idleMemoryUnknown }) => idleMemoryUnknown), memoryKnown: 0, memoryUsed: 0,
  };
}
