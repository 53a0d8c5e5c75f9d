/** The monthly close: what is left to do, the figures frozen, and what changed since. */
import type { CloseItem, InvoiceLine, MonthAnswer } from "../../../shared/contract/teams.ts";
import { formatAttos } from "../../../shared/domain/money.ts";
import { share } from "../metrics/metric.ts";
import type { Gathered } from "../reports/gather.ts";
import { reconciliationsOf } from "../invoices/reconcile.ts";
import { money, prepared, query, readAll, readOne, splitAttos, sql, sumMoneyOrNull, teamIn, type Db } from "../store/sql.ts";
import { anomaliesOf } from "./anomalies.ts";
import { storedActions } from "./actions.ts";
import { amountOf } from "./budgets.ts";
import type { Author } from "./changes.ts";
import { showbackOf, storedPools } from "./shared-costs.ts";

/** Of the cost of a month, what may belong to nobody: crawl is 20 %, run is 10 %, and this is ours to begin with. */
export const UNALLOCATED_LIMIT = 0.05;

interface Frozen {
  readonly totals: readonly { readonly currency: string; readonly billed: string | null; readonly effective: string | null }[];
  readonly teams: readonly { readonly currency: string; readonly team: string | null; readonly effective: string | null }[];
}

interface CloseRow {
  readonly id: number;
  readonly closedAt: string;
  readonly closedBy: string;
  readonly note: string | null;
  readonly reopenedAt: string | null;
  readonly reopenedBy: string | null;
  readonly reason: string | null;
  readonly figures: string;
}

/** Newest first. */
function closings(db: Db, month: string): CloseRow[] {
  return readAll(db, query<CloseRow>("id", "closedAt", "closedBy", "note", "reopenedAt", "reopenedBy", "reason", "figures")`-- months.closings
    SELECT CloseId AS id, ClosedAt AS closedAt, ClosedBy AS closedBy, Note AS note, ReopenedAt AS reopenedAt, ReopenedBy AS reopenedBy, Reason AS reason, Figures AS figures
    FROM month_close
    WHERE Month = ${month}
    ORDER BY CloseId DESC`);
}

export function isClosed(db: Db, month: string): boolean {
  const [last] = closings(db, month);
  return last !== undefined && last.reopenedAt === null;
}

/** How a month stands, and whether what it shows still is what was frozen; without the checklist. */
export function closingOf(db: Db, month: string): { readonly state: MonthAnswer["state"]; readonly closedAt: string | null; readonly closedBy: string | null; readonly differences: number } {
  const [last] = closings(db, month);
  if (last === undefined) return { state: "open", closedAt: null, closedBy: null, differences: 0 };
  const differences = differencesOf(JSON.parse(last.figures) as Frozen, figuresOf(db, month)).length;
  return { state: last.reopenedAt === null ? "closed" : "reopened", closedAt: last.closedAt, closedBy: last.closedBy, differences };
}

/** `gathered` is of the month, in its main currency and everything. */
export function monthOf(gathered: Gathered, month: string): MonthAnswer {
  const { db } = gathered.context.ledger;
  const closed = closings(db, month);
  const [last] = closed;
  return {
    month,
    state: last === undefined ? "open" : last.reopenedAt === null ? "closed" : "reopened",
    items: checklist(gathered),
    invoices: invoicesOf(db, month),
    closings: closed.map(({ figures: _figures, ...line }) => line),
    differences: last === undefined ? [] : differencesOf(JSON.parse(last.figures) as Frozen, figuresOf(db, month)),
  };
}

/** Inside the caller's transaction. */
export function closeMonth(db: Db, month: string, note: string | null, revision: number, { who, at }: Author): void {
  prepared(db, "INSERT INTO month_close (Month, ClosedAt, ClosedBy, Revision, Figures, Note) VALUES (?, ?, ?, ?, ?, ?)").run(month, at, who, revision, JSON.stringify(figuresOf(db, month)), note);
}

/** Inside the caller's transaction. */
export function reopenMonth(db: Db, month: string, reason: string, { who, at }: Author): void {
  prepared(db, "UPDATE month_close SET ReopenedAt = ?, ReopenedBy = ?, Reason = ? WHERE Month = ? AND ReopenedAt IS NULL").run(at, who, reason, month);
}

/** Inside the caller's transaction; null takes the total back. */
export function keepInvoice(db: Db, month: string, provider: string, currency: string, amount: string | null, { who, at }: Author): void {
  prepared(db, "DELETE FROM invoice_total WHERE Month = ? AND ProviderName = ? AND Currency = ?").run(month, provider, currency);
  if (amount === null) return;
  const { nanos, rest } = splitAttos(amountOf(amount));
  prepared(db, "INSERT INTO invoice_total (Month, ProviderName, Currency, AmountNanos, AmountRest, EnteredBy, EnteredAt) VALUES (?, ?, ?, ?, ?, ?, ?)").run(month, provider, currency, nanos, rest, who, at);
}

function checklist(gathered: Gathered): CloseItem[] {
  const { context, asked, firstDay, endDay, currency, billCoverage, missingProviders, months } = gathered;
  const { db } = context.ledger;
  const invoices = months.flatMap((month) => reconciliationsOf(db, month));
  const entered = invoices.filter(({ invoice }) => invoice !== null);
  const differing = entered.filter(({ isReconciled }) => !isReconciled);
  const unallocated = unallocatedShare(gathered);
  const events = anomaliesOf(context.ledger, asked.period, firstDay, endDay, currency, asked.basis).events;
  const unreviewed = events.filter(({ word }) => word === null);
  const actions = storedActions(context.ledger).filter(({ state }) => state === "open" || state === "agreed");
  const unowned = actions.filter(({ owner, dueOn }) => owner === null || dueOn === null);
  const whole = { share: null, limit: null };
  return [
    { id: "sources-complete", state: !gathered.hasBill ? "unknown" : billCoverage === 1 ? "done" : "open", open: missingProviders.length, of: missingProviders.length, share: gathered.hasBill ? billCoverage : null, limit: 1, details: missingProviders },
    // Without an invoice total there is nothing to hold the ledger against.
    { id: "reconciled", state: entered.length === 0 ? "unknown" : differing.length === 0 && entered.length === invoices.length ? "done" : "open", open: invoices.length - entered.length + differing.length, of: invoices.length, ...whole, details: differing.map(({ provider, currency: own, unexplained }) => `${provider}: ${unexplained ?? "?"} ${own}`) },
    { id: "unallocated-under", state: unallocated === null ? "unknown" : unallocated <= UNALLOCATED_LIMIT ? "done" : "open", open: unallocated !== null && unallocated > UNALLOCATED_LIMIT ? 1 : 0, of: 1, share: unallocated, limit: UNALLOCATED_LIMIT, details: [] },
    { id: "anomalies-reviewed", state: unreviewed.length === 0 ? "done" : "open", open: unreviewed.length, of: events.length, ...whole, details: unreviewed.slice(0, 20).map(({ id }) => id) },
    { id: "actions-owned", state: unowned.length === 0 ? "done" : "open", open: unowned.length, of: actions.length, ...whole, details: unowned.slice(0, 20).map(({ subject }) => subject) },
  ];
}

/** Of the cost of the period, what is nobody's after shared costs have reached the teams; null without cost. */
export function unallocatedShare(gathered: Gathered): number | null {
  const showback = showbackOf(gathered.charges(["team", "service"]), storedPools(gathered.context.ledger.db));
  return showback === null || showback.total <= 0n ? null : share(showback.unallocated, showback.total);
}

/** What each provider's invoice says, beside what the ledger holds of the billing month. */
function invoicesOf(db: Db, month: string): InvoiceLine[] {
  interface Billed {
    readonly provider: string;
    readonly currency: string;
    readonly attos: bigint | null;
  }
  interface Invoice extends Billed {
    readonly enteredBy: string;
  }
  const billed = readAll(db, query<Billed>("provider", "currency", "attos")`-- months.billed
    SELECT coalesce(s.ProviderName, '') AS provider, s.BillingCurrency AS currency, ${sumMoneyOrNull("BilledCost", "c")} AS attos
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE c.Month = ${month}
    GROUP BY 1, 2
    ORDER BY 1, 2`);
  const invoices = readAll(db, query<Invoice>("provider", "currency", "attos", "enteredBy")`-- months.invoices
    SELECT ProviderName AS provider, Currency AS currency, ${money("Amount")} AS attos, EnteredBy AS enteredBy FROM invoice_total WHERE Month = ${month} ORDER BY ProviderName, Currency`);
  const keys = [...new Map([...billed, ...invoices].map(({ provider, currency }) => [JSON.stringify([provider, currency]), { provider, currency }])).values()];
  return keys.map(({ provider, currency }) => {
    const is = (line: Billed): boolean => line.provider === provider && line.currency === currency;
    const [found, invoice] = [billed.find(is), invoices.find(is)];
    // A provider of whom nothing is there has billed nothing here; a bill that states no billed cost is not known.
    const ledger = found === undefined ? 0n : found.attos;
    const stated = invoice?.attos ?? null;
    const text = (attos: bigint | null): string | null => (attos === null ? null : formatAttos(attos));
    return { provider, currency, ledger: text(ledger), invoice: text(stated), difference: text(ledger === null || stated === null ? null : ledger - stated), enteredBy: invoice?.enteredBy ?? null };
  });
}

function figuresOf(db: Db, month: string): Frozen {
  const text = (attos: bigint | null): string | null => (attos === null ? null : formatAttos(attos));
  const totals = readAll(db, query<{ currency: string; billed: bigint | null; effective: bigint | null }>("currency", "billed", "effective")`-- months.totals
    SELECT s.BillingCurrency AS currency, ${sumMoneyOrNull("BilledCost", "c")} AS billed, ${sumMoneyOrNull("EffectiveCost", "c")} AS effective
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE c.Month = ${month}
    GROUP BY s.BillingCurrency
    ORDER BY s.BillingCurrency`);
  const teams = readAll(db, query<{ currency: string; team: string | null; effective: bigint | null }>("currency", "team", "effective")`-- months.teams
    SELECT s.BillingCurrency AS currency, ${teamIn(sql`c.Month`)} AS team, ${sumMoneyOrNull("EffectiveCost", "c")} AS effective
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE c.Month = ${month}
    GROUP BY 1, 2
    ORDER BY 1, 2`);
  return {
    totals: totals.map(({ currency, billed, effective }) => ({ currency, billed: text(billed), effective: text(effective) })),
    teams: teams.map(({ currency, team, effective }) => ({ currency, team, effective: text(effective) })),
  };
}

type Difference = MonthAnswer["differences"][number];

function differencesOf(frozen: Frozen, now: Frozen): Difference[] {
  const flat = ({ totals, teams }: Frozen): Omit<Difference, "frozen" | "now" | "difference">[] => [
    ...totals.flatMap(({ currency }) => [{ what: "billed" as const, team: null, currency }, { what: "effective" as const, team: null, currency }]),
    ...teams.map(({ currency, team }) => ({ what: "team" as const, team, currency })),
  ];
  const valueIn = ({ totals, teams }: Frozen, { what, team, currency }: Omit<Difference, "frozen" | "now" | "difference">): string | null => {
    if (what === "team") return teams.find((line) => line.team === team && line.currency === currency)?.effective ?? null;
    return totals.find((line) => line.currency === currency)?.[what] ?? null;
  };
  const keys = [...new Map([...flat(frozen), ...flat(now)].map((key) => [JSON.stringify(key), key])).values()];
  return keys.flatMap((key) => {
    const [was, is] = [valueIn(frozen, key), valueIn(now, key)];
    if (was === is) return [];
    return [{ ...key, frozen: was, now: is, difference: formatAttos((is === null ? 0n : amountOf(is)) - (was === null ? 0n : amountOf(was))) }];
  });
}

/** Whether a month is there to be closed. */
export function hasBillOf(db: Db, month: string): boolean {
  return readOne(db, query<{ found: number }>("found")`-- months.has-bill
    SELECT 1 AS found FROM delivery_group WHERE Month = ${month} AND CurrentGeneration > 0 LIMIT 1`) !== null;
}
