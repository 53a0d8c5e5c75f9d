/** What each provider's invoice says, held against what the ledger was billed, class by class. */
import { invoiceClasses, type InvoiceClass, type InvoiceItem, type InvoiceReason, type Reconciliation } from "../../../shared/contract/reconcile.ts";
import { minorDigits } from "../../../shared/domain/currency.ts";
import { formatAttos, roundHalfEven, sumAttos } from "../../../shared/domain/money.ts";
import { explorerUnblended } from "../cost-explorer/answers.ts";
import { providerOf } from "../reference/type-names.ts";
import { money, prepared, query, readAll, splitAttos, sql, sumMoneyOrNull, type Db } from "../store/sql.ts";
import type { Author } from "../teams/changes.ts";
import { leftOutOf } from "./set-aside.ts";

/** Every provider and currency that billed the month, or whose invoice was entered. */
export function reconciliationsOf(db: Db, month: string): Reconciliation[] {
  const billed = billedOf(db, month);
  const invoices = invoicesOf(db, month);
  const items = itemsOf(db, month);
  const keys = [...new Map([...billed, ...invoices].map(({ provider, currency }) => [JSON.stringify([provider, currency]), { provider, currency }])).values()];
  keys.sort((a, b) => compare(a.provider, b.provider) || compare(a.currency, b.currency));
  return keys.map(({ provider, currency }) => {
    const isOwn = (line: { readonly provider: string; readonly currency: string }): boolean => line.provider === provider && line.currency === currency;
    const rows = billed.filter(isOwn);
    const invoice = invoices.find(isOwn);
    return reconciled({ month, provider, currency, rows, invoice: invoice ?? null, items: items.filter(isOwn), leftOut: leftOutOf(db, month, provider, currency), explorer: providerOf(provider) === "aws" ? explorerUnblended(db, month, currency) : null });
  });
}

/** Inside the caller's transaction; null takes the explanation back. */
export function keepInvoiceItem(db: Db, of: { readonly month: string; readonly provider: string; readonly currency: string }, { item, because, attos, note }: { readonly item: string; readonly because: InvoiceReason; readonly attos: bigint | null; readonly note: string | null }, { who, at }: Author): void {
  prepared(db, "DELETE FROM invoice_item WHERE Month = ? AND ProviderName = ? AND Currency = ? AND Item = ? AND Because = ?").run(of.month, of.provider, of.currency, item, because);
  if (attos === null) return;
  const { nanos, rest } = splitAttos(attos);
  prepared(db, "INSERT INTO invoice_item (Month, ProviderName, Currency, Item, Because, AmountNanos, AmountRest, Note, EnteredBy, EnteredAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(of.month, of.provider, of.currency, item, because, nanos, rest, note, who, at);
}

interface Billed {
  readonly provider: string;
  readonly currency: string;
  readonly number: string | null;
  readonly publisher: string | null;
  readonly kind: InvoiceClass;
  readonly rows: number;
  /** Cells that state no billed cost; corrections of ours never do, and change no invoice. */
  readonly unstated: number;
  readonly attos: bigint | null;
}
interface Invoice {
  readonly provider: string;
  readonly currency: string;
  readonly attos: bigint;
  readonly enteredBy: string;
}
interface Facts {
  readonly month: string;
  readonly provider: string;
  readonly currency: string;
  readonly rows: readonly Billed[];
  readonly invoice: Invoice | null;
  readonly items: readonly InvoiceItemAttos[];
  readonly leftOut: { readonly rows: number; readonly attos: bigint | null };
  readonly explorer: string | null;
}
interface InvoiceItemAttos extends Omit<InvoiceItem, "amount"> {
  readonly attos: bigint;
}

function reconciled({ month, provider, currency, rows, invoice, items, leftOut, explorer }: Facts): Reconciliation {
  // A bill that states no billed cost somewhere is not known as a whole; a provider without a bill has billed nothing here.
  const ledger = rows.some(({ unstated }) => unstated > 0) ? null : sumAttos(rows.map(({ attos }) => attos ?? 0n));
  const classes = invoiceClasses.flatMap((id) => {
    const own = rows.filter((row) => classOf(row) === id);
    return own.length === 0 ? [] : [{ id, attos: sumAttos(own.map(({ attos }) => attos ?? 0n)), rows: own.reduce((sum, row) => sum + row.rows, 0) }];
  });
  const stated = [...new Set(rows.map(({ number }) => number))].sort((a, b) => (a === null ? 1 : b === null ? -1 : compare(a, b)));
  const numbers = stated.length < 2 ? [] : stated.map((number) => ({ number, attos: sumAttos(rows.filter((row) => row.number === number).map(({ attos }) => attos ?? 0n)) }));
  const difference = invoice === null || ledger === null ? null : invoice.attos - ledger;
  const left = difference === null ? null : difference - (leftOut.attos ?? 0n) - sumAttos(items.map(({ attos }) => attos));
  const digits = minorDigits(currency);
  const rounding = left !== null && roundHalfEven(left, digits) === 0n ? left : null;
  const unexplained = left === null ? null : rounding === null ? left : 0n;
  return {
    month,
    provider,
    currency,
    invoice: text(invoice?.attos ?? null),
    enteredBy: invoice?.enteredBy ?? null,
    ledger: text(ledger),
    classes: classes.map(({ id, attos, rows: count }) => ({ id, amount: formatAttos(attos), rows: count })),
    numbers: numbers.map(({ number, attos }) => ({ number, amount: formatAttos(attos) })),
    difference: text(difference),
    setAside: { rows: leftOut.rows, amount: text(leftOut.attos) },
    items: items.map(({ item, because, attos, note, enteredBy }) => ({ item, because, amount: formatAttos(attos), note, enteredBy })),
    rounding: text(rounding === 0n ? null : rounding),
    unexplained: text(unexplained),
    isReconciled: unexplained === 0n,
    suggestions: unexplained === null || unexplained === 0n ? [] : suggestionsOf(unexplained, digits, classes, numbers, items),
    explorer,
  };
}

/**
 * What would explain an amount to the smallest coin: one, two or three of the classes and invoice numbers of the ledger that are not on this
 * invoice. Of those with as many parts the first few, in the order of the classes.
 */
function suggestionsOf(
  unexplained: bigint,
  digits: number,
  classes: readonly { readonly id: InvoiceClass; readonly attos: bigint }[],
  numbers: readonly { readonly number: string | null; readonly attos: bigint }[],
  items: readonly { readonly item: string }[],
): Reconciliation["suggestions"] {
  const isNews = ({ item, attos }: { readonly item: string; readonly attos: bigint }): boolean => attos !== 0n && !items.some((known) => known.item === item);
  const parts = classes.map(({ id, attos }) => ({ item: id, attos: -attos })).filter(isNews);
  const others = numbers.flatMap(({ number, attos }) => (number === null ? [] : [{ item: `invoice:${number}`, attos: -attos }])).filter(isNews).slice(0, 24);
  const found: (readonly { readonly item: string; readonly attos: bigint }[])[] = [];
  // Numbers and classes cut the same charges in two ways: a mixture of both could count one twice.
  for (const group of [others, parts]) {
    for (const size of [1, 2, 3]) {
      for (const chosen of choices(group, size)) if (roundHalfEven(sumAttos(chosen.map(({ attos }) => attos)) - unexplained, digits) === 0n) found.push(chosen);
    }
  }
  return found
    .sort((a, b) => a.length - b.length)
    .slice(0, 3)
    .map((chosen) => chosen.map(({ item, attos }) => ({ item, because: "other-invoice" as const, amount: formatAttos(attos) })));
}

function* choices<T>(list: readonly T[], size: number, from = 0): Generator<readonly T[]> {
  if (size === 0) yield [];
  else for (let at = from; at <= list.length - size; at += 1) for (const rest of choices(list, size - 1, at + 1)) yield [list[at] as T, ...rest];
}

/** What is sold by somebody else comes through the provider's marketplace. */
function classOf({ kind, provider, publisher }: Billed): InvoiceClass {
  if (publisher === null || (kind !== "usage" && kind !== "other-fees")) return kind;
  const [seller, own] = [providerOf(publisher), providerOf(provider)];
  const isOwn = seller === null ? publisher.toLowerCase() === provider.toLowerCase() : seller === own;
  return isOwn ? kind : "marketplace";
}

function billedOf(db: Db, month: string): Billed[] {
  const line = sql`lower(ifnull(s.x_LineItemType, ''))`;
  return readAll(db, query<Billed>("provider", "currency", "number", "publisher", "kind", "rows", "unstated", "attos")`-- invoices.billed
    SELECT
      coalesce(s.ProviderName, '') AS provider,
      s.BillingCurrency            AS currency,
      s.InvoiceId                  AS number,
      s.PublisherName              AS publisher,
      CASE
        WHEN s.ChargeCategory = 'Tax'                                              THEN 'tax'
        WHEN ${line} LIKE '%refund%' OR (s.ChargeCategory IN ('Credit', 'Adjustment') AND lower(ifnull(s.ChargeDescription, '')) LIKE '%refund%') THEN 'refunds'
        WHEN s.ChargeCategory = 'Credit'                                           THEN 'credits'
        WHEN ${line} LIKE '%discount'                                              THEN 'discounts'
        WHEN s.ChargeCategory = 'Adjustment' OR s.ChargeClass = 'Correction'       THEN 'adjustments'
        WHEN s.ChargeCategory = 'Purchase' AND (s.CommitmentDiscountId IS NOT NULL OR ifnull(s.x_PurchaseOption, '') IN ('reservation', 'savings-plan', 'commitment', 'capacity-block')) THEN 'commitment-fees'
        WHEN s.ChargeCategory = 'Purchase'                                         THEN 'other-fees'
        ELSE 'usage'
      END AS kind,
      sum(c.RowCount)              AS rows,
      sum(c.BilledCostNanos IS NULL AND s.x_Correction IS NULL) AS unstated,
      ${sumMoneyOrNull("BilledCost", "c")} AS attos
    FROM charge_month_current c
    JOIN series s ON s.SeriesId = c.SeriesId
    WHERE c.Month = ${month}
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5`);
}

function invoicesOf(db: Db, month: string): Invoice[] {
  return readAll(db, query<Invoice>("provider", "currency", "attos", "enteredBy")`-- invoices.entered
    SELECT ProviderName AS provider, Currency AS currency, ${money("Amount")} AS attos, EnteredBy AS enteredBy FROM invoice_total WHERE Month = ${month} ORDER BY ProviderName, Currency`);
}

function itemsOf(db: Db, month: string): (InvoiceItemAttos & { readonly provider: string; readonly currency: string })[] {
  return readAll(db, query<InvoiceItemAttos & { provider: string; currency: string }>("provider", "currency", "item", "because", "attos", "note", "enteredBy")`-- invoices.items
    SELECT ProviderName AS provider, Currency AS currency, Item AS item, Because AS because, ${money("Amount")} AS attos, Note AS note, EnteredBy AS enteredBy
    FROM invoice_item
    WHERE Month = ${month}
    ORDER BY ProviderName, Currency, Item, Because`);
}

function text(attos: bigint | null): string | null {
  return attos === null ? null : formatAttos(attos);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
