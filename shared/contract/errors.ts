/** What kind of value a row should have held. The words are in both catalogs under `expected.<code>`. */
export const expectedKinds = [
  "decimal",
  "utc-time",
  "charge-category",
  "currency",
  "rate",
  "other-currency",
  "amount-range",
  "period-order",
  "period-length",
  "column-count",
  "json-object",
  "record-size",
  "text-encoding",
  "required",
  "gpu-identity",
  "local-time",
  "percent",
  "ratio",
  "yes-no",
  "power",
  "memory",
  "price-hour",
  "purchase-mode",
  "precision",
  "day",
  "accelerator",
  "month",
  "scope",
  "not-negative",
  "emissions-range",
  "factor-kind",
] as const;
export type Expected = (typeof expectedKinds)[number];

/**
 * Every expected trouble, named for what the person sees, with the facts its words need.
 * A parameter is a fact or a code, never a phrase. `file` is a file's name, never a path.
 * Words: `error.<code>.what` and `error.<code>.todo` in shared/i18n, both languages; causes: test/errors/<code>/.
 */
export interface LedgerErrorParams {
  "app.fault": { reference: string };
  "contract.invalid": { question: string; path: string };

  "use.unknown-command": { command: string };
  "use.missing": { option: string };
  "use.invalid": { option: string; value: string };

  "ledger.none-open": Record<string, never>;
  "ledger.not-found": { file: string };
  "ledger.in-use": { file: string };
  "ledger.newer": { file: string; version: number; supported: number };
  "ledger.not-a-ledger": { file: string };
  "ledger.damaged": { file: string };
  "ledger.read-only": { file: string };
  "ledger.disk-full": { file: string };
  "ledger.amount-range": { line: string };

  "import.not-found": { file: string };
  "import.unreadable": { file: string };
  "import.empty": { file: string };
  "import.not-text": { file: string };
  "import.unrecognized": { file: string; closest: string | null; missing: string };
  "import.other-dataset": { file: string; dataset: string };
  "import.tie": { file: string; formats: string };
  "import.line-ends": { file: string };
  "import.truncated": { file: string; rows: number };
  "import.archive-bursting": { file: string };
  "import.archive-nested": { file: string };
  "import.encrypted": { file: string };
  "import.container-unsupported": { file: string; container: string };
  "import.part-missing": { file: string; part: string; parts: number };
  "import.column-missing": { file: string; format: string; columns: string };
  "import.mapping-incomplete": { file: string; fields: string };
  "mapping.not-found": { mapping: string };
  "mapping.name-taken": { mapping: string };
  "mapping.none": Record<string, never>;
  "mapping.unreadable": { file: string; part: string };
  "import.zone-needed": { file: string };
  "import.zone-unknown": { zone: string };
  "import.columns-needed": { file: string };
  "import.metric-needed": { file: string };
  "import.no-log": { file: string; dataset: string };
  "import.number-ambiguous": { file: string; column: string; value: string };
  "import.dates-ambiguous": { file: string; column: string; value: string };
  "import.datasets-mixed": { file: string; datasets: string };
  "import.changed": { file: string };
  "import.cancelled": { file: string };
  "import.plan-gone": { plan: string };
  "import.no-files": { folder: string };
  "import.no-rows-usable": { file: string; rows: number };
  "factor.columns-missing": { file: string; columns: string };
  "factor.unit-unknown": { file: string; line: number; kind: string; unit: string; units: string };
  "factor.pue-below-one": { file: string; line: number; value: string };
  "factor.share-above-one": { place: string; month: string };
  "factor.restates-closed": { months: string };
  "factor.not-found": { factor: number };
  "import.value-invalid": { file: string; line: number; column: string; value: string; expected: Expected };

  "emissions.unrecognized": { file: string; layouts: string };
  "emissions.unit-unknown": { file: string; line: number; column: string; unit: string };
  "emissions.no-month": { file: string };
  "emissions.no-bill": { file: string; format: string };
  "emissions.not-found": { report: number };

  "batch.not-found": { batch: number };
  "batch.already-undone": { batch: number };
  "batch.not-undone": { batch: number };
  "batch.cells-gone": { batch: number };

  "period.invalid": { text: string };
  "report.unknown": { report: string };
  "report.no-data": { period: string };
  "figure.unknown": { metric: string };
  "corrections.none": { file: string };
  "corrections.several-files": { files: number };
  "corrections.not-a-table": { file: string };
  "pivot.unknown-column": { column: string };
  "pivot.too-many-rows": { rows: number; most: number };
  "rows.file-missing": { file: string };
  "rows.file-changed": { file: string };
  /** `field` and `other` are fields of a calculator (contract/calculators.ts). */
  "calculator.not-a-number": { field: string; value: string; example: string };
  "calculator.not-positive": { field: string; value: string };
  "calculator.out-of-range": { field: string; value: string; from: string; to: string };
  "calculator.contradiction": { field: string; other: string };
  "calculator.not-in-catalog": { field: string; value: string };
  "selection.not-found": { selection: string };
  "selection.name-taken": { selection: string };
  "budget.not-found": { id: number };
  "plan.no-usage": { period: string };
  /** `pricedAs` says which price: a kind of quote (contract/plan.ts) or an amount of the plan. */
  "plan.price-negative": { pricedAs: string; value: string };
  "plan.price-missing": { pricedAs: string };
  "plan.no-on-demand-price": { pool: string };
  "plan.currencies-mixed": { currencies: string };
  "currency.billed-only": { currency: string };
  "currency.no-rates": { currency: string };
  "plan.price-old": { option: string; day: string };
  "plan.scenario-not-found": { name: string };
  "prices.unrecognized": { file: string; formats: string };
  "prices.broken": { file: string };
  "prices.too-large": { file: string; megabytes: number };
  "prices.no-accelerators": { file: string; rows: number };
  "prices.not-found": { id: number };
  "match.invalid": { host: string; resource: string };
  "reference.missing": { file: string };
  "reference.broken": { file: string; line: number };
  "connect.no-login": { profile: string };
  "connect.profile-unknown": { profile: string };
  "connect.login-expired": { profile: string };
  "connect.keys-invalid": { profile: string };
  "connect.clock-wrong": Record<string, never>;
  "connect.access-denied": { profile: string; action: string };
  "connect.not-enabled": Record<string, never>;
  "connect.no-data": { call: string };
  "connect.throttled": { call: string };
  "connect.unreachable": { call: string };
  "connect.refused": { call: string; reason: string };
  "connect.period-beyond": { period: string; from: string };
  "connect.unconfirmed": { requests: number; price: string };
  "connect.limit": { sent: number; answered: number; asked: number };
  "connect.busy": Record<string, never>;

  "file.exists": { file: string };
  "file.not-writable": { file: string };
}

export type LedgerErrorCode = keyof LedgerErrorParams;
export type LedgerError = { [C in LedgerErrorCode]: { readonly code: C; readonly params: LedgerErrorParams[C] } }[LedgerErrorCode];

/** Makes an error value: `err(ledgerError("import.empty", { file }))`. */
export function ledgerError<C extends LedgerErrorCode>(code: C, params: LedgerErrorParams[C]): LedgerError {
  return { code, params } as LedgerError;
}
