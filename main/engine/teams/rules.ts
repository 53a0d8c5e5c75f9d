/** Allocation rules as the ledger keeps them, and their result: whose each series is. The rows of bills are never touched. */
import type { AllocationRule, RuleColumn, RuleCondition, VirtualTagRule } from "../../../shared/domain/allocation.ts";
import { assignerOf, schedulerColumns, tagsByKey, virtualTagger, type Assignable, type TeamSpan } from "../allocation/assign.ts";
import { matchHosts } from "../hours/match.ts";
import { deviceHosts, gpuResources, hostMap } from "../hours/work-out.ts";
import { prepared, query, readAll, readOne, type Db } from "../store/sql.ts";

export interface StoredRule extends AllocationRule {
  readonly id: number;
}

interface RuleRow {
  readonly RuleId: number;
  readonly Name: string;
  readonly Team: string;
  readonly Conditions: string;
  readonly FromMonth: string | null;
  readonly ToMonth: string | null;
}

/** In their order. */
export function storedRules(db: Db): StoredRule[] {
  return readAll(db, query<RuleRow>("RuleId", "Name", "Team", "Conditions", "FromMonth", "ToMonth")`-- allocation.rules
    SELECT RuleId, Name, Team, Conditions, FromMonth, ToMonth FROM allocation_rule ORDER BY Place, RuleId`).map((row) => ({
    id: row.RuleId,
    name: row.Name,
    team: row.Team,
    conditions: JSON.parse(row.Conditions) as readonly RuleCondition[],
    fromMonth: row.FromMonth,
    toMonth: row.ToMonth,
  }));
}

/** Replaces the rules by these, in this order, and works out whose each series is. Inside the caller's transaction. */
export function replaceRules(db: Db, rules: readonly AllocationRule[]): void {
  db.prepare("DELETE FROM allocation_rule").run();
  const insert = db.prepare("INSERT INTO allocation_rule (Place, Name, Team, Conditions, FromMonth, ToMonth) VALUES (?, ?, ?, ?, ?, ?)");
  for (const [place, { name, team, conditions, fromMonth, toMonth }] of rules.entries()) insert.run(place, name, team, JSON.stringify(conditions), fromMonth, toMonth);
  allocateAll(db);
}

/** A series with all that rules may look at. */
export interface SeriesFacts extends Assignable {
  readonly seriesId: number;
}

interface SeriesRow {
  readonly SeriesId: number;
  readonly tagTeam: string | null;
  readonly Tags: string | null;
  readonly ProviderName: string | null;
  readonly BillingAccountId: string | null;
  readonly SubAccountId: string | null;
  readonly SubAccountName: string | null;
  readonly ServiceName: string | null;
  readonly ResourceId: string | null;
  readonly ResourceName: string | null;
  readonly ResourceType: string | null;
  readonly RegionId: string | null;
  readonly SkuId: string | null;
  readonly ChargeDescription: string | null;
  readonly x_InstanceType: string | null;
  readonly x_GpuModel: string | null;
  readonly CommitmentDiscountId: string | null;
  readonly ChargeCategory: string;
}

/** Series after the one with this id, with the team that their tag says, whatever rules made of it. */
export function seriesFacts(db: Db, afterId = 0): SeriesFacts[] {
  const hosts = hostOfResource(db);
  const tagsWithVirtual = virtualTagger(storedVirtualTags(db));
  return readAll(db, query<SeriesRow>(
    "SeriesId", "tagTeam", "Tags", "ProviderName", "BillingAccountId", "SubAccountId", "SubAccountName", "ServiceName", "ResourceId", "ResourceName", "ResourceType", "RegionId",
    "SkuId", "ChargeDescription", "x_InstanceType", "x_GpuModel", "CommitmentDiscountId", "ChargeCategory",
  )`-- allocation.series
    SELECT
      s.SeriesId, CASE WHEN r.SeriesId IS NULL THEN s.x_Team ELSE r.TagTeam END AS tagTeam, s.Tags, s.ProviderName, s.BillingAccountId, s.SubAccountId, s.SubAccountName,
      s.ServiceName, s.ResourceId, s.ResourceName, s.ResourceType, s.RegionId, s.SkuId, s.ChargeDescription, s.x_InstanceType, s.x_GpuModel, s.CommitmentDiscountId,
      s.ChargeCategory
    FROM series s
    LEFT JOIN series_rule r ON r.SeriesId = s.SeriesId
    WHERE s.SeriesId > ${afterId}
    ORDER BY s.SeriesId`).map((row) => {
    const tags = tagsOf(row.Tags);
    const facts = {
      seriesId: row.SeriesId,
      tagTeam: row.tagTeam,
      tags,
      columns: {
        provider: row.ProviderName,
        billingAccount: row.BillingAccountId,
        account: row.SubAccountId,
        accountName: row.SubAccountName,
        service: row.ServiceName,
        resource: row.ResourceId,
        resourceName: row.ResourceName,
        resourceType: row.ResourceType,
        region: row.RegionId,
        sku: row.SkuId,
        description: row.ChargeDescription,
        instanceType: row.x_InstanceType,
        gpuModel: row.x_GpuModel,
        commitment: row.CommitmentDiscountId,
        chargeCategory: row.ChargeCategory,
        host: row.ResourceId === null ? null : (hosts.get(row.ResourceId.toLowerCase()) ?? null),
        ...schedulerColumns(tags),
      } satisfies Record<RuleColumn, string | null>,
    };
    return { ...facts, tags: tagsWithVirtual(facts) };
  });
}

/** In their order. */
export function storedVirtualTags(db: Db): VirtualTagRule[] {
  return readAll(db, query<{ tag: string; value: string; conditions: string }>("tag", "value", "conditions")`-- allocation.virtual-tags
    SELECT Tag AS tag, Value AS value, Conditions AS conditions FROM virtual_tag_rule ORDER BY Place, RuleId`).map(({ conditions, ...rule }) => ({ ...rule, conditions: JSON.parse(conditions) as readonly RuleCondition[] }));
}

/** Replaces the rules of virtual tags by these, and works out whose each series is, since rules may ask for them. Inside the caller's transaction. */
export function replaceVirtualTags(db: Db, rules: readonly VirtualTagRule[]): void {
  prepared(db, "DELETE FROM virtual_tag_rule").run();
  for (const [place, { tag, value, conditions }] of rules.entries()) prepared(db, "INSERT INTO virtual_tag_rule (Place, Tag, Value, Conditions) VALUES (?, ?, ?, ?)").run(place, tag, value, JSON.stringify(conditions));
  allocateAll(db);
}

/** Whose every series is now, by the stored result. */
export function currentSpans(db: Db): ReadonlyMap<number, readonly TeamSpan[]> {
  interface SpanRow {
    readonly SeriesId: number;
    readonly FromMonth: string;
    readonly ToMonth: string;
    readonly Team: string | null;
  }
  const dated = Map.groupBy(
    readAll(db, query<SpanRow>("SeriesId", "FromMonth", "ToMonth", "Team")`-- allocation.spans
      SELECT SeriesId, FromMonth, ToMonth, Team FROM series_team_span ORDER BY SeriesId, FromMonth`),
    ({ SeriesId }) => SeriesId,
  );
  return new Map(
    readAll(db, query<{ SeriesId: number; x_Team: string | null }>("SeriesId", "x_Team")`-- allocation.teams
      SELECT SeriesId, x_Team FROM series`).map(({ SeriesId, x_Team }) => [
      SeriesId,
      [
        ...(dated.get(SeriesId) ?? []).map((span) => ({ fromMonth: span.FromMonth, toMonth: span.ToMonth, team: span.Team, rule: null })),
        { fromMonth: null, toMonth: null, team: x_Team, rule: null },
      ],
    ]),
  );
}

/** Works out anew whose every series is. Inside the caller's transaction. */
export function allocateAll(db: Db): void {
  const before = currentSpans(db);
  prepared(db, "UPDATE series SET x_Team = (SELECT r.TagTeam FROM series_rule r WHERE r.SeriesId = series.SeriesId) WHERE SeriesId IN (SELECT SeriesId FROM series_rule)").run();
  prepared(db, "DELETE FROM series_rule").run();
  prepared(db, "DELETE FROM series_team_span").run();
  allocate(db, storedRules(db), 0);
  const changed = [...currentSpans(db)].filter(([series, spans]) => JSON.stringify(spans) !== JSON.stringify(before.get(series)));
  withoutLines(db, changed.map(([series]) => series));
}

/**
 * After an import or a change of which host is which resource: gives what is new to its team. Inside the caller's transaction; without rules
 * nothing is to do, and with them only series that were not there before are judged, unless a rule asks for a host.
 */
export function allocateNew(db: Db): void {
  const rules = storedRules(db);
  if (rules.length === 0) return;
  if (asksForHosts(db, rules)) return allocateAll(db);
  withoutLines(db, allocate(db, rules, judgedUntil(db)));
}

/** Whether rules have yet to say whose some series are, or may say something else once the hosts are known: `allocateNew` has something to do. */
export function awaitsAllocation(db: Db): boolean {
  const rules = storedRules(db);
  return rules.length > 0 && (asksForHosts(db, rules) || newestSeries(db) > judgedUntil(db));
}

function asksForHosts(db: Db, rules: readonly StoredRule[]): boolean {
  const asks = ({ conditions }: { readonly conditions: readonly RuleCondition[] }): boolean => conditions.some(({ source, key }) => source === "column" && key === "host");
  return rules.some(asks) || storedVirtualTags(db).some(asks);
}

/** Answers the series that a rule took. */
function allocate(db: Db, rules: readonly StoredRule[], afterId: number): number[] {
  const assign = assignerOf(rules);
  const take = prepared(db, "INSERT INTO series_rule (SeriesId, RuleId, TagTeam) VALUES (?, ?, ?)");
  const give = prepared(db, "UPDATE series SET x_Team = ? WHERE SeriesId = ?");
  const span = prepared(db, "INSERT INTO series_team_span (SeriesId, FromMonth, ToMonth, RuleId, Team) VALUES (?, ?, ?, ?, ?)");
  const idOf = (rule: number | null): number | null => (rule === null ? null : (rules[rule]?.id ?? null));
  const taken: number[] = [];
  for (const series of rules.length === 0 ? [] : seriesFacts(db, afterId)) {
    const spans = assign(series);
    // What holds from the last change on is the series' own team; months before it stand apart.
    const last = spans.at(-1);
    if (last === undefined || (spans.length === 1 && last.rule === null)) continue;
    taken.push(series.seriesId);
    take.run(series.seriesId, idOf(last.rule), series.tagTeam);
    give.run(last.team, series.seriesId);
    for (const { fromMonth, toMonth, rule, team } of spans.slice(0, -1)) span.run(series.seriesId, fromMonth ?? "0000-01", toMonth ?? "9999-12", idOf(rule), team);
  }
  setInfo(db, "allocated-until", String(newestSeries(db)));
  setInfo(db, "allocation", String(Number(infoOf(db, "allocation") ?? "0") + 1));
  return taken;
}

function newestSeries(db: Db): number {
  return readOne(db, query<{ id: number | null }>("id")`-- allocation.newest-series
    SELECT max(SeriesId) AS id FROM series`)?.id ?? 0;
}

function judgedUntil(db: Db): number {
  return Number(infoOf(db, "allocated-until") ?? "0");
}

/** Lines say whose they are (import/lines.ts): bills with these series have none until they are worked out again. */
function withoutLines(db: Db, series: readonly number[]): void {
  if (series.length === 0) return;
  prepared(db, "UPDATE delivery_group SET LinesGeneration = 0 WHERE GroupId IN (SELECT GroupId FROM charge_month WHERE SeriesId IN (SELECT value FROM json_each(?)))").run(JSON.stringify(series));
}

function infoOf(db: Db, key: string): string | null {
  return readOne(db, query<{ value: string }>("value")`-- allocation.info
    SELECT Value AS value FROM ledger_info WHERE Key = ${key}`)?.value ?? null;
}

function setInfo(db: Db, key: string, value: string): void {
  prepared(db, "INSERT INTO ledger_info (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(key, value);
}

function tagsOf(text: string | null): ReadonlyMap<string, string> {
  if (text === null) return noTags;
  let known = parsedTags.get(text);
  if (known === undefined) {
    if (parsedTags.size >= 50_000) parsedTags.clear();
    parsedTags.set(text, (known = tagsByKey(JSON.parse(text) as Record<string, unknown>)));
  }
  return known;
}

const noTags: ReadonlyMap<string, string> = new Map();
/** Series share their tags, and a preview asks for them at every keystroke. */
const parsedTags = new Map<string, ReadonlyMap<string, string>>();

/** The host that is joined to a resource (in lower case); of several, the one joined last. */
function hostOfResource(db: Db): ReadonlyMap<string, string> {
  const { matches } = matchHosts(deviceHosts(db), gpuResources(db), hostMap(db));
  return new Map(matches.map(({ host, resourceId }) => [resourceId.toLowerCase(), host]));
}
