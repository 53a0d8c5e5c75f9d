/** A budget plan as a table: in and out in the same shape, amounts exact to the last digit. Its two forms are plan-csv.ts and plan-xlsx.ts. */
import { ledgerError, type Expected, type LedgerError } from "../../../shared/contract/errors.ts";
import { budgetKinds, budgetLevels, budgetSpans, defaultThresholds, type BudgetInput, type BudgetPlan } from "../../../shared/contract/teams.ts";
import { costBases, type CostBasis } from "../../../shared/domain/figure.ts";
import { parseAmount, formatAttos } from "../../../shared/domain/money.ts";
import { err, ok, type Result } from "../../../shared/result.ts";

const columns = ["Budget", "Level", "Parent", "Kind", "Currency", "Basis", "Span", "Owner", "Provider", "Account", "Team", "Service", "Region", "GpuModel"] as const;
type ColumnName = (typeof columns)[number];
const scopeColumns = { Provider: "provider", Account: "account", Team: "team", Service: "service", Region: "region", GpuModel: "gpuModel" } as const;

/** A budget of a plan file; its parent is named, since ids are the ledger's. */
export interface PlannedBudget {
  readonly parentName: string | null;
  readonly budget: Omit<BudgetInput, "id" | "parent">;
}

/** A row of a plan file as text, with its place in the file. */
export interface PlanRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * All budgets: one row each, then one column a month that any of them plans. Several values of a dimension stand beside each other with ` | `.
 * Without a budget there are the teams, to be filled in month by month from `emptyFrom` on.
 */
export function planTable(plans: readonly BudgetPlan[], empty: { readonly teams: readonly string[]; readonly months: readonly string[] }): { readonly head: readonly string[]; readonly months: readonly string[]; readonly rows: readonly { readonly fields: readonly string[]; readonly amounts: readonly string[] }[] } {
  const months = plans.length === 0 ? empty.months : [...new Set(plans.flatMap((plan) => Object.keys(plan.months)))].sort();
  const names = new Map(plans.map(({ id, name }) => [id, name]));
  const blank: Record<ColumnName, string> = { Budget: "", Level: "", Parent: "", Kind: "", Currency: "", Basis: "", Span: "", Owner: "", Provider: "", Account: "", Team: "", Service: "", Region: "", GpuModel: "" };
  const rows = plans.map((plan) => {
    const scope = (dimension: (typeof scopeColumns)[keyof typeof scopeColumns]): string => (plan.scope[dimension] ?? []).map((value) => value ?? NOBODY).join(" | ");
    const fields: Record<ColumnName, string> = {
      Budget: plan.name,
      Level: plan.level,
      Parent: plan.parent === null ? "" : (names.get(plan.parent) ?? ""),
      Kind: plan.kind,
      Currency: plan.currency ?? "",
      Basis: plan.basis ?? "",
      Span: plan.span,
      Owner: plan.owner ?? "",
      Provider: scope("provider"),
      Account: scope("account"),
      Team: scope("team"),
      Service: scope("service"),
      Region: scope("region"),
      GpuModel: scope("gpuModel"),
    };
    return { fields: columns.map((column) => fields[column]), amounts: months.map((month) => plan.months[month] ?? "") };
  });
  const teams = plans.length > 0 ? [] : empty.teams.map((team) => ({ fields: columns.map((column) => (column === "Team" ? team : blank[column])), amounts: months.map(() => "") }));
  return { head: columns, months, rows: [...rows, ...teams] };
}

const NOBODY = "(none)";

/**
 * Reads a plan. What a row does not say: a Team alone is a team's budget of that name in money, by month, effective cost, in `currency`; neither
 * Team nor another part is the company's. Instead of month columns there may be the columns Month and Amount, a row each.
 *
 * errors  import.empty, import.column-missing, import.value-invalid with line and column
 */
export function readPlanTable(records: readonly PlanRecord[], file: string, currency: string | null): Result<readonly PlannedBudget[]> {
  const header = records[0]?.cells;
  if (header === undefined || records.length < 2) return err(ledgerError("import.empty", { file }));
  const place = new Map(header.map((name, index) => [canonical(name), index]));
  const monthColumns = header.flatMap((name, index) => (/^\d{4}-(0[1-9]|1[0-2])$/.test(name) ? [{ month: name, index }] : []));
  const isLong = place.has("month") && place.has("amount");
  if (!place.has("budget") && !place.has("team")) return err(ledgerError("import.column-missing", { file, format: "plan", columns: "Budget, Team" }));
  if (monthColumns.length === 0 && !isLong) return err(ledgerError("import.column-missing", { file, format: "plan", columns: "2026-01, 2026-02 …" }));

  const found = new Map<string, PlannedBudget & { readonly months: Record<string, string | null> }>();
  for (const { cells: record, line } of records.slice(1)) {
    const said = (name: ColumnName | "Month" | "Amount"): string => unprotected(record[place.get(canonical(name)) ?? -1] ?? "");
    const invalid = (column: string, value: string, expected: Expected): Result<never, LedgerError> => err(ledgerError("import.value-invalid", { file, line, column, value, expected }));
    const scope = Object.fromEntries(
      Object.entries(scopeColumns).flatMap(([column, dimension]) => {
        const values = said(column as ColumnName).split("|").map((value) => value.trim()).filter((value) => value !== "");
        return values.length === 0 ? [] : [[dimension, values.map((value) => (value === NOBODY ? null : value))]];
      }),
    ) as BudgetInput["scope"];
    const team = said("Team");
    const name = said("Budget") || team;
    if (name === "") return invalid("Budget", "", "required");
    const kind = oneOf(budgetKinds, said("Kind") || "money");
    const level = oneOf(budgetLevels, said("Level") || (Object.keys(scope).length === 0 ? "company" : "team"));
    const span = oneOf(budgetSpans, said("Span") || "month");
    const basis = oneOf(costBases, said("Basis") || "EffectiveCost");
    if (kind === null) return invalid("Kind", said("Kind"), "required");
    if (level === null) return invalid("Level", said("Level"), "required");
    if (span === null) return invalid("Span", said("Span"), "required");
    if (basis === null) return invalid("Basis", said("Basis"), "required");
    const ownCurrency = said("Currency") || currency || "";
    if (kind === "money" && ownCurrency === "") return invalid("Currency", "", "currency");
    const key = JSON.stringify([name, kind]);
    const months: Record<string, string | null> = {};
    const entry = found.get(key) ?? {
      parentName: said("Parent") || null,
      months,
      budget: {
        name, level, kind, span, scope, owner: said("Owner") || null, thresholds: [...defaultThresholds], months,
        currency: kind === "money" ? ownCurrency : null, basis: kind === "money" ? (basis satisfies CostBasis) : null,
      },
    };
    found.set(key, entry);
    const cells = isLong ? [{ column: "Amount", month: said("Month").slice(0, 7), text: said("Amount") }] : monthColumns.map(({ month, index }) => ({ column: month, month, text: unprotected(record[index] ?? "") }));
    for (const { column, month, text: amount } of cells) {
      if (amount === "") continue;
      if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return invalid("Month", month, "required");
      const parsed = parseAmount(amount) ?? parseAmount(amount, { format: "comma_thousands" });
      if (parsed === null) return invalid(column, amount, "decimal");
      entry.months[month] = formatAttos(parsed.value);
    }
  }
  return ok([...found.values()].map(({ parentName, budget }) => ({ parentName, budget })));
}

function canonical(name: string): string {
  return name.trim().toLowerCase().replace(/[\s_]/g, "");
}

/** A text that was kept from being a formula is itself again. */
function unprotected(text: string): string {
  return /^'[=+\-@\t\r\u2212]/.test(text) ? text.slice(1) : text;
}

function oneOf<Value extends string>(values: readonly Value[], text: string): Value | null {
  return values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? null;
}
