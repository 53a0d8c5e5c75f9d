import { z } from "zod";
import { wholeTexts } from "./text.ts";
import { fileToken } from "./token.ts";
import { cudaQuestionSchema, stopRuleSchema, stopTools } from "./findings.ts";
import type { AggregateAnswer, CudaAnswer, FindingsAnswer, HostTimeline, StopReplay, StopScript } from "./findings.ts";
import { carbonSettingsSchema } from "./carbon.ts";
import type { CarbonAnswer, FactorsChange, FactorsImport, OwnFactorLine } from "./carbon.ts";
import { calculatorInput, vendorSelectionSchema } from "./calculators.ts";
import type { CalculatorAnswer, CalculatorFacts, SelectionOutcome } from "./calculators.ts";
import { regionNeedSchema } from "./cleaner-regions.ts";
import type { CarbonActionsAnswer } from "./carbon-actions.ts";
import type { CleanerRegionsAnswer } from "./cleaner-regions.ts";
import { jobFilterSchema, jobGroupings, jobSortSchema, mostJobLines } from "./jobs.ts";
import type { HostJobs, JobsAnswer, JobTimeline } from "./jobs.ts";
import { esgInputs } from "./esg.ts";
import type { EsgExport, EsgIssue } from "./esg.ts";
import { helpPages } from "./help.ts";
import type { HelpEntry, HelpText } from "./help.ts";
import type { LogMapping, LogMappingGuess } from "./log-mapping.ts";
import type { ColumnMapping, MappingGuess } from "./mapping.ts";
import { anyMappingSchema, mappingName } from "./mappings.ts";
import type { MappingsImport, SavedMapping } from "./mappings.ts";
import { convertedDimensions, currencyCode, rateInput } from "./rates.ts";
import type { ConvertedTotals, RateImport, RatePair } from "./rates.ts";
import type { PriceCheck, QualityFinding } from "./quality.ts";
import { invoiceItemInput } from "./reconcile.ts";
import type { InvoiceImport, Reconciliation } from "./reconcile.ts";
import { keptPage, pullOrder, pullWish } from "./connect.ts";
import type { ExplorerAnswers, PullOutcome, PullPlan } from "./connect.ts";
import type { MethodName } from "./names.ts";
import { commitmentTermSchema, planInputsSchema, scenarioName } from "./plan.ts";
import type { CommitmentTerm, ContractCommitment, PlanAnswer, PlanScenario, ScenarioOutcome, StatedTerm } from "./plan.ts";
import { benchmarkSchema, discountSchema, offersInput, ownPriceSchema, priceFilterSchema } from "./offers.ts";
import type { BenchmarkImport, BenchmarkList, OffersAnswer, PriceList, PriceSheetImport } from "./offers.ts";
import { mostPivotRows, pivotViewSchema } from "./pivot.ts";
import type { PivotPage } from "./pivot.ts";
import type { SourcesState } from "./sources.ts";
import type { Explanation, IdlePolicy, ReportDocument } from "./report.ts";
import type { LedgerError } from "./errors.ts";
import { providerEmissionsInputs } from "./provider-emissions.ts";
import type { EmissionsCompareAnswer, EmissionsPreview, EmissionsReport } from "./provider-emissions.ts";
import { reportIds } from "./report.ts";
import { utilizationCounters, type UtilizationCounter } from "../domain/counter.ts";
import { costBases, figureIds } from "../domain/figure.ts";
import type { CostBasis } from "../domain/figure.ts";
import type { datasetKinds, moneyColumns } from "../domain/charge.ts";
import {
  actionSchema, allocationRules, virtualTagRules, anomalyScopeSchema, budgetKinds, budgetSchema, budgetScopeSchema, changeAreas, dayLabel, decimalText, ledgerAccountsSchema, monthLabel, plannedChangeSchema, rowId, sentence, sharedPoolSchema, who,
} from "./teams.ts";
import type {
  ActionsAnswer, AllocationInbox, AllocationPreview, AllocationState, AnomalyDetail, AnomalyList, BudgetAlertLine, BudgetImport, BudgetsCheck, BudgetStatus, BudgetSuggestion, BurnDown, ChangePage, ForecastAnswer, MonthAnswer,
} from "./teams.ts";

const batchId = z.number().int().positive();
const scopeList = z.array(z.string().nullable()).max(1000).readonly();
export const scopeSchema = z.strictObject({
  provider: scopeList.optional(),
  account: scopeList.optional(),
  team: scopeList.optional(),
  service: scopeList.optional(),
  region: scopeList.optional(),
  gpuModel: scopeList.optional(),
  resource: scopeList.optional(),
});
const periodLabel = z.string().regex(/^\d{4}(-(0[1-9]|1[0-2])|-Q[1-4])?$/);
const basis = z.enum(costBases as [CostBasis, ...CostBasis[]]);
const currency = z.string().min(1).max(40).nullable();
const pivotAsked = { view: pivotViewSchema, period: periodLabel, scope: scopeSchema, currency };
const jobsAsked = { period: periodLabel, scope: scopeSchema, currency, by: z.enum(jobGroupings), filter: jobFilterSchema, sort: jobSortSchema.nullable() };
const planRequest = z.strictObject({ period: periodLabel, scope: scopeSchema, currency, inputs: planInputsSchema });

export const reportRequestSchema = z.strictObject({ report: z.enum(reportIds), period: periodLabel, scope: scopeSchema, basis, currency, plan: planInputsSchema.optional(), selection: z.string().max(200).optional(), counter: z.enum(utilizationCounters).optional() });
export const figureRefSchema = z.strictObject({
  metric: z.enum(figureIds),
  period: periodLabel,
  scope: scopeSchema,
  basis,
  currency,
  params: z.record(z.string().max(60), z.string().max(200)).optional(),
});
export const idlePolicySchema = z.strictObject({
  idleAtOrUnderPercent: z.number().min(0).max(100),
  busyAtOrOverPercent: z.number().min(0).max(100),
  minimumSeconds: z.number().int().min(0).max(7 * 86_400),
  bridgeSeconds: z.number().int().min(0).max(86_400),
  parkedMemoryShare: z.number().min(0).max(1),
});
const importOptions = z.strictObject({
  /** IANA zone for sources that state none. */
  timezone: z.string().max(80).optional(),
  /** Host for sources that state none; without it the file's name, then its folder's, is proposed. */
  host: z.string().max(255).optional(),
  /** When the last poll was, for logs that state no time: `2026-09-01T10:00:00Z`, or without offset in `timezone`. Else the file's own time. */
  at: z.string().max(40).optional(),
  /** How far polls lie apart, for logs that state no time: seconds, or with unit `500ms`, `10s`, `1m`, `1h`. */
  every: z.string().max(20).optional(),
  /** Column order for an nvidia-smi file without a header, `timestamp,index,utilization.gpu`. */
  columns: z.string().max(4000).optional(),
  /** Format chosen by the person where two fit. */
  format: z.string().max(60).optional(),
  /** Which column means what, for bills and logs that no format knows: one for each header among the files. */
  mappings: z.array(anyMappingSchema).max(100).readonly().optional(),
});
export type ImportOptions = z.infer<typeof importOptions>;
/** What one file is read with: of the mappings, the one that is its. */
export type ReadOptions = Omit<ImportOptions, "mappings"> & { readonly mapping?: ColumnMapping; readonly logMapping?: LogMapping };

/** A file to look at: by itself, or as the preview of an import has it, which may lie in a folder or an archive. Of both the latter. */
const lookedAt = z.strictObject({ file: fileToken.nullable(), planned: z.strictObject({ plan: z.string().max(80), index: z.number().int().min(0) }).nullable() });

const rowsInput = z.strictObject({
  ref: figureRefSchema,
  /** `charges` rereads the bill files; `gpu-hours` lists device hours with their states; `jobs`, of a figure of jobs, the lines of their lists. */
  of: z.enum(["charges", "gpu-hours", "jobs"]),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(500),
});

/** Ten years of days: no event of a bill is longer. */
const MOST_EVENT_DAYS = 3660;
function isEventSpan({ start, end }: { readonly start: string; readonly end: string }): boolean {
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000;
  return days >= 0 && days < MOST_EVENT_DAYS;
}

/** Inputs are checked by schema; answers are typed here and made by our own code, so they need no second check at run time. */
export const methods = {
  "app.info": method<AppInfo>()(z.strictObject({})),
  "ledger.status": method<LedgerStatus>()(z.strictObject({})),
  "ledger.open": method<LedgerStatus>()(z.strictObject({ file: fileToken.nullable(), create: z.boolean() })),
  "ledger.close": method<null>()(z.strictObject({})),
  "sample.open": method<LedgerStatus>()(z.strictObject({})),
  "settings.read": method<Settings>()(z.strictObject({})),
  "settings.save": method<Settings>()(z.strictObject({ values: z.record(z.string().max(80), z.string().max(4000).nullable()) })),
  "files.choose": method<readonly { token: string; name: string }[]>()(z.strictObject({ kind: z.enum(["import", "folder", "ledger-open", "ledger-save", "export-save"]), suggestedName: z.string().max(255).optional() })),
  "import.preview": method<ImportPreview>()(z.strictObject({ files: z.array(fileToken).min(1).max(10_000), options: importOptions })),
  "import.cover": method<DeliveryPreview>()(z.strictObject({ plan: z.string().max(80), delivery: z.number().int().min(1), covers: z.enum(["period", "held"]) })),
  "import.post": method<ImportOutcome>()(z.strictObject({ plan: z.string().max(80) })),
  "import.discard": method<null>()(z.strictObject({ plan: z.string().max(80) })),
  "import.cancel": method<null>()(z.strictObject({ plan: z.string().max(80).nullable() })),
  "import.set-aside": method<readonly SetAsideRow[]>()(z.strictObject({ batch: batchId, offset: z.number().int().min(0), limit: z.number().int().min(1).max(1000) })),
  "mapping.guess": method<MappingGuess>()(lookedAt),
  "log-mapping.guess": method<LogMappingGuess>()(lookedAt),
  "mapping.save": method<{ readonly revision: number; readonly name: string }>()(z.strictObject({ mapping: anyMappingSchema })),
  "mapping.list": method<{ readonly mappings: readonly SavedMapping[] }>()(z.strictObject({})),
  "mapping.rename": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, name: mappingName })),
  "mapping.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId })),
  "mapping.export": method<{ readonly file: string; readonly count: number }>()(z.strictObject({ ids: z.array(rowId).max(500).nullable(), file: fileToken })),
  "mapping.import": method<MappingsImport>()(z.strictObject({ file: fileToken })),
  "batches.list": method<readonly BatchSummary[]>()(z.strictObject({})),
  "batches.undo": method<{ readonly revision: number }>()(z.strictObject({ batch: batchId })),
  "batches.redo": method<{ readonly revision: number }>()(z.strictObject({ batch: batchId })),
  "scope.values": method<ScopeValues>()(z.strictObject({})),
  "totals.read": method<TotalsTable>()(z.strictObject({ period: periodLabel.nullable(), by: z.array(z.enum(totalDimensions())).max(4) })),
  "report.read": method<ReportDocument>()(reportRequestSchema),
  "report.export": method<{ readonly file: string }>()(z.strictObject({ request: reportRequestSchema, as: z.enum(["text", "json", "csv", "md", "html", "xlsx", "pdf"]), language: z.enum(["en", "zh-CN"]), file: fileToken })),
  "figure.explain": method<Explanation>()(figureRefSchema),
  "help.list": method<readonly HelpEntry[]>()(z.strictObject({ language: z.enum(["en", "zh-CN"]) })),
  "help.read": method<HelpText>()(z.strictObject({ page: z.enum(helpPages), language: z.enum(["en", "zh-CN"]) })),
  "rows.read": method<RowsPage>()(rowsInput),
  "set-aside.export": method<{ readonly file: string }>()(z.strictObject({ batch: batchId, language: z.enum(["en", "zh-CN"]), file: fileToken })),
  "set-aside.correct": method<{ readonly file: string; readonly rows: number; readonly leftOut: readonly number[] }>()(z.strictObject({ batch: batchId, sheet: fileToken, file: fileToken })),
  "sources.state": method<SourcesState>()(z.strictObject({})),
  "sources.relocate": method<{ readonly found: number; readonly revision: number }>()(z.strictObject({ files: z.array(fileToken).min(1).max(10_000) })),
  "sources.drop": method<{ readonly keptBytes: number }>()(z.strictObject({})),
  "pivot.read": method<PivotPage>()(z.strictObject({ ...pivotAsked, offset: z.number().int().min(0), limit: z.number().int().min(0).max(mostPivotRows) })),
  "pivot.rows": method<RowsPage>()(z.strictObject({ ...pivotAsked, keys: z.array(z.string().max(2048).nullable()).max(5).readonly(), offset: z.number().int().min(0), limit: z.number().int().min(1).max(500) })),
  "pivot.export": method<{ readonly file: string }>()(z.strictObject({ ...pivotAsked, as: z.enum(["csv", "xlsx"]), language: z.enum(["en", "zh-CN"]), file: fileToken })),
  "match.list": method<MatchList>()(z.strictObject({})),
  "match.save": method<{ readonly revision: number }>()(z.strictObject({ host: z.string().min(1).max(255), resource: z.string().min(1).max(2048).nullable(), validFrom: z.string().max(30).nullable(), validTo: z.string().max(30).nullable() })),
  "policy.save": method<{ readonly revision: number }>()(idlePolicySchema),
  "stops.replay": method<StopReplay>()(z.strictObject({ period: periodLabel, scope: scopeSchema, currency, rule: stopRuleSchema.nullable() })),
  "stops.export": method<StopScript>()(z.strictObject({ period: periodLabel, scope: scopeSchema, currency, rule: stopRuleSchema.nullable(), tool: z.enum(stopTools), language: z.enum(["en", "zh-CN"]), file: fileToken })),
  "findings.read": method<FindingsAnswer>()(z.strictObject({ period: periodLabel, scope: scopeSchema, currency })),
  "timeline.read": method<HostTimeline>()(z.strictObject({ host: z.string().min(1).max(255), from: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:00:00Z$/), hours: z.number().int().min(1).max(48) })),
  "aggregate.read": method<AggregateAnswer>()(z.strictObject({ period: periodLabel, scope: scopeSchema, currency })),
  "cuda.check": method<CudaAnswer>()(cudaQuestionSchema),
  "counter.save": method<{ readonly revision: number }>()(z.strictObject({ counter: z.enum(utilizationCounters).nullable() })),
  "stop-rule.save": method<{ readonly revision: number }>()(z.strictObject({ rule: stopRuleSchema })),
  "allocation.read": method<AllocationState>()(z.strictObject({})),
  "allocation.preview": method<AllocationPreview>()(z.strictObject({ rules: allocationRules, period: periodLabel, currency })),
  "allocation.save": method<{ readonly revision: number }>()(z.strictObject({ rules: allocationRules, by: who })),
  "virtual-tags.save": method<{ readonly revision: number }>()(z.strictObject({ rules: virtualTagRules, by: who })),
  "allocation.inbox": method<AllocationInbox>()(z.strictObject({ period: periodLabel, currency })),
  "shared-costs.save": method<{ readonly revision: number }>()(z.strictObject({ pools: z.array(sharedPoolSchema).max(200), by: who })),
  "accounts.save": method<{ readonly revision: number }>()(z.strictObject({ accounts: ledgerAccountsSchema, by: who })),
  "journal.export": method<{ readonly file: string }>()(z.strictObject({ period: periodLabel, currency, basis, file: fileToken })),
  "changes.list": method<ChangePage>()(z.strictObject({ area: z.enum(changeAreas).nullable(), offset: z.number().int().min(0), limit: z.number().int().min(1).max(500) })),
  "budgets.list": method<{ readonly month: string; readonly fiscalStart: number; readonly budgets: readonly BudgetStatus[] }>()(z.strictObject({ month: monthLabel.nullable(), currency: currency.optional() })),
  "budgets.check": method<BudgetsCheck>()(z.strictObject({})),
  "budgets.import": method<BudgetImport>()(z.strictObject({ file: fileToken, currency, isPreview: z.boolean(), by: who })),
  "budgets.export": method<{ readonly file: string }>()(z.strictObject({ file: fileToken })),
  "budget.save": method<{ readonly revision: number; readonly id: number }>()(z.strictObject({ budget: budgetSchema, by: who })),
  "budget.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "budget.move": method<{ readonly revision: number }>()(z.strictObject({ from: rowId, to: rowId, month: monthLabel, amount: decimalText, reason: sentence, by: who })),
  "budget.burn-down": method<BurnDown>()(z.strictObject({ id: rowId, month: monthLabel.nullable(), currency: currency.optional() })),
  "budget.suggest": method<BudgetSuggestion>()(z.strictObject({ kind: z.enum(budgetKinds), currency, basis: basis.nullable(), scope: budgetScopeSchema, fromMonth: monthLabel, months: z.number().int().min(1).max(36) })),
  "alerts.list": method<{ readonly alerts: readonly BudgetAlertLine[] }>()(z.strictObject({ onlyOpen: z.boolean() })),
  "alert.answer": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, reason: sentence, action: sentence, by: who })),
  "forecast.read": method<ForecastAnswer>()(z.strictObject({ kind: z.enum(budgetKinds), scope: budgetScopeSchema, currency, basis })),
  "planned-changes.save": method<{ readonly revision: number }>()(z.strictObject({ changes: z.array(plannedChangeSchema).max(500), by: who })),
  "fiscal-year.save": method<{ readonly revision: number }>()(z.strictObject({ startMonth: z.number().int().min(1).max(12), by: who })),
  "anomalies.read": method<AnomalyList>()(z.strictObject({ period: periodLabel, currency, basis })),
  "anomaly.detail": method<AnomalyDetail>()(z.strictObject({ scope: anomalyScopeSchema, start: dayLabel, end: dayLabel, currency, basis }).refine(isEventSpan, { path: ["end"] })),
  "anomaly.answer": method<{ readonly revision: number }>()(z.strictObject({ scope: anomalyScopeSchema, direction: z.enum(["up", "down"]), from: dayLabel, until: dayLabel, isExpected: z.boolean(), because: sentence, by: who })),
  "actions.read": method<ActionsAnswer>()(z.strictObject({ period: periodLabel, currency, basis })),
  "action.save": method<{ readonly revision: number; readonly id: number }>()(z.strictObject({ action: actionSchema, by: who })),
  "action.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "month.read": method<MonthAnswer>()(z.strictObject({ month: monthLabel })),
  "month.close": method<{ readonly revision: number }>()(z.strictObject({ month: monthLabel, note: sentence.nullable(), by: who })),
  "month.reopen": method<{ readonly revision: number }>()(z.strictObject({ month: monthLabel, reason: sentence, by: who })),
  "carbon.read": method<CarbonAnswer>()(z.strictObject({ period: periodLabel, scope: scopeSchema })),
  "carbon-settings.save": method<{ readonly revision: number }>()(z.strictObject({ settings: carbonSettingsSchema, by: who })),
  "factors.list": method<{ readonly factors: readonly OwnFactorLine[] }>()(z.strictObject({})),
  "factors.import": method<FactorsImport>()(z.strictObject({ file: fileToken, isPreview: z.boolean(), restate: z.boolean(), by: who })),
  "factors.remove": method<FactorsChange>()(z.strictObject({ id: rowId, isPreview: z.boolean(), restate: z.boolean(), by: who })),
  "invoice.save": method<{ readonly revision: number }>()(z.strictObject({ month: monthLabel, provider: z.string().max(200), currency: z.string().min(1).max(40), amount: decimalText.nullable(), by: who })),
  "calculator.facts": method<CalculatorFacts>()(z.strictObject({ month: monthLabel.nullable() })),
  "calculator.run": method<CalculatorAnswer>()(calculatorInput),
  "selections.list": method<{ readonly selections: readonly { readonly id: number; readonly name: string; readonly changedAt: string }[] }>()(z.strictObject({})),
  "selection.read": method<SelectionOutcome>()(z.strictObject({ id: rowId })),
  "selection.save": method<{ readonly revision: number; readonly id: number }>()(z.strictObject({ selection: vendorSelectionSchema, by: who })),
  "selection.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "provider-emissions.preview": method<EmissionsPreview>()(providerEmissionsInputs.preview),
  "provider-emissions.import": method<EmissionsPreview & { readonly revision: number; readonly report: number }>()(providerEmissionsInputs.import),
  "provider-emissions.list": method<{ readonly reports: readonly EmissionsReport[] }>()(z.strictObject({})),
  "provider-emissions.undo": method<{ readonly revision: number }>()(providerEmissionsInputs.toggle),
  "provider-emissions.redo": method<{ readonly revision: number }>()(providerEmissionsInputs.toggle),
  "provider-emissions.compare": method<EmissionsCompareAnswer>()(providerEmissionsInputs.compare),
  "esg.export": method<EsgExport>()(z.strictObject({ ...esgInputs.export, scope: scopeSchema })),
  "carbon.actions": method<CarbonActionsAnswer>()(z.strictObject({ period: periodLabel, currency })),
  "jobs.read": method<JobsAnswer>()(z.strictObject({ ...jobsAsked, offset: z.number().int().min(0), limit: z.number().int().min(0).max(mostJobLines) })),
  "jobs.export": method<{ readonly file: string }>()(z.strictObject({ ...jobsAsked, as: z.enum(["csv", "xlsx"]), language: z.enum(["en", "zh-CN"]), file: fileToken })),
  "jobs.timeline": method<JobTimeline | null>()(z.strictObject({ period: periodLabel, scope: scopeSchema, currency, job: z.string().regex(/^\d{1,15}:\d{1,15}$/), offset: z.number().int().min(0) })),
  "jobs.of-host": method<HostJobs>()(z.strictObject({ host: z.string().min(1).max(255), from: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:00:00Z$/), hours: z.number().int().min(1).max(1000) })),
  "carbon.regions": method<CleanerRegionsAnswer>()(z.strictObject({ period: periodLabel, scope: scopeSchema, need: regionNeedSchema })),
  "esg.list": method<{ readonly issues: readonly EsgIssue[] }>()(esgInputs.list),
  "reconcile.read": method<{ readonly lines: readonly Reconciliation[] }>()(z.strictObject({ period: periodLabel })),
  "invoice-item.save": method<{ readonly revision: number }>()(invoiceItemInput),
  "invoices.import": method<InvoiceImport>()(z.strictObject({ file: fileToken, isPreview: z.boolean(), by: who })),
  "rates.list": method<{ readonly pairs: readonly RatePair[]; readonly currencies: readonly string[] }>()(z.strictObject({})),
  "rates.read": method<{ readonly total: number; readonly rates: readonly { readonly base: string; readonly quote: string; readonly day: string; readonly rate: string; readonly source: string }[] }>()(z.strictObject({ base: currencyCode, quote: currencyCode, offset: z.number().int().min(0), limit: z.number().int().min(1).max(500) })),
  "rates.import": method<RateImport>()(z.strictObject({ file: fileToken, base: currencyCode, isPreview: z.boolean(), by: who })),
  "rate.save": method<{ readonly revision: number }>()(rateInput),
  "totals.converted": method<ConvertedTotals>()(z.strictObject({ period: periodLabel.nullable(), by: z.array(z.enum(convertedDimensions)).max(5), scope: scopeSchema, in: currencyCode })),
  "quality.prices": method<PriceCheck>()(z.strictObject({ period: periodLabel })),
  "quality.read": method<{ readonly findings: readonly QualityFinding[] }>()(z.strictObject({ period: periodLabel })),
  "connect.profiles": method<{ readonly profiles: readonly string[] }>()(z.strictObject({})),
  "connect.plan": method<PullPlan>()(pullWish),
  "connect.pull": method<PullOutcome>()(pullOrder),
  "connect.cancel": method<null>()(z.strictObject({})),
  "connect.keep": method<{ readonly revision: number }>()(keptPage),
  "connect.read": method<ExplorerAnswers>()(z.strictObject({})),
  "connect.forget": method<{ readonly revision: number }>()(z.strictObject({})),
  "plan.read": method<PlanAnswer>()(planRequest),
  "plan.scenarios": method<{ readonly scenarios: readonly PlanScenario[] }>()(z.strictObject({})),
  "plan.save": method<{ readonly revision: number; readonly id: number }>()(planRequest.extend({ name: scenarioName, by: who })),
  "plan.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "plan.compare": method<{ readonly outcomes: readonly ScenarioOutcome[] }>()(z.strictObject({ ids: z.array(rowId).min(1).max(5) })),
  "commitments.contracts": method<{ readonly contracts: readonly ContractCommitment[] }>()(z.strictObject({})),
  "commitments.terms": method<{ readonly terms: readonly CommitmentTerm[] }>()(z.strictObject({})),
  "commitment.look-up": method<{ readonly term: StatedTerm | null; readonly missing: readonly LedgerError[] }>()(z.strictObject({ commitment: z.string().min(1).max(2048) })),
  "commitment.save": method<{ readonly revision: number }>()(z.strictObject({ term: commitmentTermSchema, by: who })),
  "prices.list": method<PriceList>()(priceFilterSchema),
  "prices.import": method<PriceSheetImport>()(z.strictObject({ file: fileToken, isPreview: z.boolean(), by: who })),
  "prices.remove-sheet": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "price.save": method<{ readonly revision: number; readonly id: number }>()(z.strictObject({ price: ownPriceSchema, by: who })),
  "price.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "discount.save": method<{ readonly revision: number; readonly id: number }>()(z.strictObject({ discount: discountSchema, by: who })),
  "discount.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "benchmarks.list": method<BenchmarkList>()(z.strictObject({})),
  "benchmarks.import": method<BenchmarkImport>()(z.strictObject({ file: fileToken, isPreview: z.boolean(), by: who })),
  "benchmark.save": method<{ readonly revision: number; readonly id: number }>()(z.strictObject({ benchmark: benchmarkSchema, by: who })),
  "benchmark.remove": method<{ readonly revision: number }>()(z.strictObject({ id: rowId, by: who })),
  "offers.find": method<OffersAnswer>()(offersInput),
} satisfies Record<MethodName, AnyMethod>;

export type MethodInput<N extends MethodName> = z.infer<(typeof methods)[N]["input"]>;
export type MethodOutput<N extends MethodName> = NonNullable<(typeof methods)[N]["__output"]> | Extract<(typeof methods)[N]["__output"], null>;

export interface AppInfo {
  readonly version: string;
  readonly platform: string;
  readonly isPackaged: boolean;
}

export interface LedgerStatus {
  /** null when no ledger is open: the window then shows its first-run screen. */
  readonly name: string | null;
  readonly isSample: boolean;
  readonly isReadOnly: boolean;
  readonly revision: number;
  readonly isEmpty: boolean;
  /** Months with a bill or telemetry, newest first, and whether each month's bill is final as far as the sources say. */
  readonly months: readonly { readonly label: string; readonly hasBill: boolean; readonly hasTelemetry: boolean }[];
  readonly currencies: readonly string[];
  readonly completeUntil: string | null;
  readonly lastImportAt: string | null;
  readonly rowsSetAside: number;
  readonly idlePolicy: IdlePolicy;
  readonly hoursUnderOldPolicy: boolean;
  /** The counter that the person holds utilization to; null: the one that measured most of a period. */
  readonly counter: UtilizationCounter | null;
  /** Hours show whose counter was not kept: they are worked out anew. */
  readonly hoursWithoutCounter: boolean;
}

export type Settings = Readonly<Record<string, string | null>>;

/** Exact totals of one currency as plain decimal text; null where the source states no such cost at all. */
export type MoneyTotals = { readonly [C in (typeof moneyColumns)[number]]: string | null };

export interface SetAsideRow {
  readonly file: string;
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly reason: string;
}

/** What is said of one file, in the window and by the terminal's JSON (contract of "First ledger"). */
export interface FileReport {
  readonly path: string;
  /** `commitments`: what was agreed with a provider; it has no costs. */
  readonly kind: "billing" | "telemetry" | "commitments" | null;
  readonly format: string | null;
  readonly version: string | null;
  /** `manifest`: it lists the files of an export. `older`: another version of the same export is newer, and read. */
  readonly state: "posted" | "unchanged" | "refused" | "ready" | "no-gpu-series" | "manifest" | "older";
  readonly error: LedgerError | null;
  readonly rowsRead: number;
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  readonly setAside: readonly Omit<SetAsideRow, "file">[];
  readonly repairs: Readonly<Record<string, number>>;
  readonly periods: readonly string[];
  readonly totals: Readonly<Record<string, MoneyTotals>>;
  readonly corrections: Readonly<Record<string, MoneyTotals>>;
  readonly devices: number;
  /** Telemetry: known seconds over the span from first to last sample of each device; null for bills. */
  readonly coverage: number | null;
  readonly batch: number | null;
  /** A file of this import, or of an earlier one, with the same bytes: read all the same where it is the log of another host. */
  readonly sameAs: string | null;
}

export interface ImportPreview {
  readonly plan: string;
  readonly files: readonly PreviewFile[];
}
export interface PreviewFile extends FileReport {
  readonly size: number;
  readonly sha256: string | null;
  readonly reasons: readonly { readonly code: string; readonly params: Readonly<Record<string, string>> }[];
  readonly deliveries: readonly DeliveryPreview[];
  readonly telemetry: TelemetryPreview | null;
  /** The same for all files with the same columns, whatever their order; null where it was not looked at as a table. */
  readonly shape: string | null;
  /** What told its columns apart; null: its format knows them, or nothing does. */
  readonly mapping: { readonly name: string; readonly isSaved: boolean } | null;
}
/** What posting would change for one provider, billing account and period. Counts are of cells (a day of a series). */
export interface DeliveryPreview {
  readonly delivery: number;
  /** `whole`: its format says that it is all of its account and period. `held`: the accounts and days it holds. `widened`: all, since the person said so. */
  readonly coverage: "whole" | "held" | "widened";
  readonly providerName: string | null;
  readonly billingAccountId: string | null;
  readonly datasetKind: (typeof datasetKinds)[number];
  readonly period: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly coversAllAccounts: boolean;
  readonly replacesBatches: readonly number[];
  readonly changes: readonly CellChanges[];
}
export interface CellChanges {
  readonly currency: string;
  readonly kind: "same" | "changed" | "new" | "removed" | "kept-from-older";
  readonly cells: number;
  readonly rows: number;
  /** EffectiveCost before and after as plain decimal text; null where there is none. */
  readonly was: string | null;
  readonly becomes: string | null;
}
export interface TelemetryPreview {
  readonly hosts: readonly string[];
  readonly zone: string | null;
  readonly zoneFrom: "file" | "option" | "utc-by-format";
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly typicalSpacingSeconds: number | null;
  readonly lowTrustSamples: number;
  readonly duplicates: number;
  readonly matched: readonly { readonly host: string; readonly resource: string | null; readonly rule: string | null }[];
}
export interface ImportOutcome {
  readonly files: readonly FileReport[];
  readonly revision: number;
}
export interface BatchSummary {
  readonly batch: number;
  readonly kind: "billing" | "telemetry" | "commitments";
  readonly state: "posted" | "undone";
  readonly importedAt: string;
  readonly format: string;
  readonly version: string | null;
  readonly files: readonly string[];
  readonly periods: readonly string[];
  readonly rowsPosted: number;
  readonly rowsSetAside: number;
  readonly totals: Readonly<Record<string, MoneyTotals>>;
  readonly corrections: Readonly<Record<string, MoneyTotals>>;
  /** Whether anything of it is shown today, or newer deliveries cover all of it. */
  readonly isShown: boolean;
  readonly cellsKept: boolean;
}

export function totalDimensions(): ["month", "provider", "service", "team"] {
  return ["month", "provider", "service", "team"];
}
export interface TotalsTable {
  readonly rows: readonly TotalsRow[];
}
export interface TotalsRow extends MoneyTotals {
  readonly month?: string;
  readonly provider?: string | null;
  readonly service?: string | null;
  readonly team?: string | null;
  readonly currency: string;
  readonly rows: number;
  /** For each cost the share of the rows that state it: 1 where all do. */
  readonly coverage: { readonly [C in (typeof moneyColumns)[number]]: number };
}

export interface ScopeValues {
  readonly provider: readonly (string | null)[];
  readonly account: readonly { readonly id: string | null; readonly name: string | null }[];
  readonly team: readonly (string | null)[];
  readonly service: readonly (string | null)[];
  readonly region: readonly (string | null)[];
  readonly gpuModel: readonly string[];
}

export interface RowsPage {
  readonly total: number;
  readonly columns: readonly string[];
  readonly rows: readonly ProvenRow[];
  /** Files that could not be read again: moved or changed since the import. */
  readonly missing: readonly LedgerError[];
}
export interface ProvenRow {
  readonly file: string;
  readonly line: number;
  readonly batch: number;
  /** One text a column, as the file states it; null where the file states nothing. */
  readonly values: readonly (string | null)[];
}

export interface MatchList {
  readonly hosts: readonly {
    readonly host: string;
    readonly devices: number;
    readonly gpuModel: string | null;
    readonly firstAt: string;
    readonly lastAt: string;
    readonly resource: string | null;
    /** `explicit-id`, `node-name`, `user-map`, or null when unmatched. */
    readonly rule: string | null;
    readonly proposals: readonly { readonly resource: string; readonly reason: string }[];
  }[];
  readonly unmatchedResources: readonly {
    readonly resource: string;
    readonly provider: string | null;
    readonly gpuModel: string | null;
    readonly gpuHours: number;
    readonly currency: string;
    readonly effectiveCost: string;
  }[];
}

interface AnyMethod {
  readonly input: z.ZodType;
  readonly __output?: unknown;
}
function method<Output>() {
  return <Input extends z.ZodType>(input: Input): { readonly input: Input; readonly __output?: Output } => ({ input: wholeTexts(input) });
}
