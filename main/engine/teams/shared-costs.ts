/** Shared costs as the ledger keeps them, and what each team bears in the end: showback, and the journal of a chargeback. */
import type { LedgerAccounts } from "../../../shared/contract/teams.ts";
import type { PoolSource, SharedPoolRule, SplitMethod } from "../../../shared/domain/allocation.ts";
import { compareIds, sumAttos } from "../../../shared/domain/money.ts";
import { decimal, fromNumber } from "../../../shared/domain/rational.ts";
import { poolShares, type PoolShares, type SharedPool } from "../allocation/shared-pools.ts";
import type { ChargeRow } from "../metrics/charges.ts";
import { sumHours } from "../metrics/metric.ts";
import { prepared, query, readAll, readOne, type Db } from "../store/sql.ts";

interface PoolRow {
  readonly Name: string;
  readonly Source: string;
  readonly Method: SplitMethod;
  readonly Shares: string;
}

/** In their order. */
export function storedPools(db: Db): SharedPoolRule[] {
  return readAll(db, query<PoolRow>("Name", "Source", "Method", "Shares")`-- shared-costs.pools
    SELECT Name, Source, Method, Shares FROM shared_pool ORDER BY Place, PoolId`).map(({ Name, Source, Method, Shares }) => ({
    name: Name,
    source: JSON.parse(Source) as PoolSource,
    method: Method,
    shares: JSON.parse(Shares) as SharedPoolRule["shares"],
  }));
}

/** Inside the caller's transaction. */
export function replacePools(db: Db, pools: readonly SharedPoolRule[]): void {
  prepared(db, "DELETE FROM shared_pool").run();
  for (const [place, { name, source, method, shares }] of pools.entries()) {
    prepared(db, "INSERT INTO shared_pool (Place, Name, Source, Method, Shares) VALUES (?, ?, ?, ?, ?)").run(place, name, JSON.stringify(source), method, JSON.stringify(shares));
  }
}

const ACCOUNTS_KEY = "ledger-accounts";

export function ledgerAccounts(db: Db): LedgerAccounts {
  const saved = readOne(db, query<{ value: string }>("value")`-- shared-costs.accounts
    SELECT Value AS value FROM setting WHERE Key = ${ACCOUNTS_KEY}`);
  return saved === null ? { clearing: null, teams: {} } : (JSON.parse(saved.value) as LedgerAccounts);
}

export function saveLedgerAccounts(db: Db, accounts: LedgerAccounts): void {
  prepared(db, "INSERT INTO setting (Key, Value) VALUES (?, ?) ON CONFLICT (Key) DO UPDATE SET Value = excluded.Value").run(ACCOUNTS_KEY, JSON.stringify(accounts));
}

/** Amounts are attos of one currency and one cost basis. */
export interface Showback {
  readonly teams: readonly {
    readonly team: string;
    /** What is the team's own, before anything is shared; what of it went into a pool is `given`, below 0. */
    readonly direct: bigint;
    readonly given: bigint;
    /** One amount a pool, in their order. */
    readonly shares: readonly bigint[];
    readonly total: bigint;
  }[];
  readonly pools: readonly { readonly rule: SharedPoolRule; readonly amount: bigint; readonly unallocated: bigint; readonly fallback: PoolShares["fallback"] }[];
  /** Of nobody, in no pool. */
  readonly rest: bigint;
  /** Of nobody after all: the rest, and what fixed splits under 100 % leave. */
  readonly unallocated: bigint;
  readonly total: bigint;
}

/**
 * Shares the pools out over the teams (model h.3): all pools on the direct cost of the teams that are no pool themselves, so their order
 * changes nothing. Every charge is in one pool at most: the first that fits. Teams, pools left over and rest add up to the total exactly.
 * Rows carry team, class and service. null: a fixed split is over 100 %.
 */
export function showbackOf(rows: readonly ChargeRow[], pools: readonly SharedPoolRule[]): Showback | null {
  const pooled = pools.map(() => 0n);
  const direct = new Map<string, bigint>();
  const given = new Map<string, bigint>();
  const hours = new Map<string, number[]>();
  let rest = 0n;
  for (const row of rows) {
    const attos = row.costAttos;
    if (row.team !== null && !direct.has(row.team)) direct.set(row.team, 0n);
    if (row.team !== null && row.chargeClass === "gpu" && row.gpuHours !== null) hours.set(row.team, [...(hours.get(row.team) ?? []), row.gpuHours]);
    if (attos === null) continue;
    if (row.team !== null) addTo(direct, row.team, attos);
    const pool = poolOf(pools, row);
    if (pool !== -1) {
      pooled[pool] = (pooled[pool] ?? 0n) + attos;
      if (row.team !== null) addTo(given, row.team, -attos);
    } else if (row.team === null) rest += attos;
  }
  const poolTeams = new Set(pools.flatMap(({ source }) => (source.kind === "team" ? [source.team] : [])));
  const bearers = [...direct].filter(([team]) => !poolTeams.has(team)).map(([id]) => ({ id, amount: ownOf(id) })).sort((a, b) => compareIds(a.id, b.id));
  function ownOf(team: string): bigint {
    return (direct.get(team) ?? 0n) + (given.get(team) ?? 0n);
  }
  const byPool = poolShares(bearers, pools.map((rule, index): SharedPool => sharedPool(rule, pooled[index] ?? 0n, bearers, hours)));
  if (byPool === null) return null;
  const names = [...new Set([...direct.keys(), ...byPool.flatMap(({ parts }) => parts.map(({ id }) => id))])];
  const teams = names.map((team) => {
    const shares = byPool.map(({ parts }) => sumAttos(parts.filter(({ id }) => id === team).map(({ amount }) => amount)));
    return { team, direct: direct.get(team) ?? 0n, given: given.get(team) ?? 0n, shares, total: ownOf(team) + sumAttos(shares) };
  });
  return {
    teams: teams.sort((a, b) => (a.total > b.total ? -1 : a.total < b.total ? 1 : compareIds(a.team, b.team))),
    pools: pools.map((rule, index) => ({ rule, amount: pooled[index] ?? 0n, unallocated: byPool[index]?.unallocated ?? 0n, fallback: byPool[index]?.fallback ?? null })),
    rest,
    unallocated: rest + sumAttos(byPool.map(({ unallocated }) => unallocated)),
    total: sumAttos([...direct.keys()].map(ownOf)) + sumAttos(pooled) + rest,
  };
}

function sharedPool({ method, shares }: SharedPoolRule, amount: bigint, bearers: readonly { readonly id: string }[], hours: ReadonlyMap<string, readonly number[]>): SharedPool {
  if (method === "fixed") return { amount, method, percents: shares.map(({ team, percent }) => ({ id: team, percent: decimal(percent) })) };
  if (method === "gpu-hours") return { amount, method: "measure", weights: bearers.map(({ id }) => ({ id, weight: fromNumber(sumHours(hours.get(id) ?? [])) })) };
  return { amount, method };
}

/** The place of the pool that takes a charge: the first that fits; -1 where none does. */
export function poolOf(pools: readonly SharedPoolRule[], charge: Pick<ChargeRow, "team" | "chargeClass" | "service">): number {
  return pools.findIndex(({ source }) => fits(source, charge));
}

function fits(source: PoolSource, { team, chargeClass, service }: Pick<ChargeRow, "team" | "chargeClass" | "service">): boolean {
  switch (source.kind) {
    case "team":
      return team === source.team;
    case "class":
      return team === null && chargeClass === source.chargeClass;
    case "service":
      return team === null && service === source.service;
    case "rest":
      return team === null;
  }
}

function addTo(amounts: Map<string, bigint>, id: string, attos: bigint): void {
  const before = amounts.get(id);
  amounts.set(id, before === undefined ? attos : before + attos);
}
