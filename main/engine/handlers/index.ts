import type { MethodInput, MethodOutput } from "../../../shared/contract/methods.ts";
import type { appMethodNames, MethodName } from "../../../shared/contract/names.ts";
import type { Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { allocationHandlers } from "./allocation.ts";
import { anomalyHandlers } from "./anomalies.ts";
import { appHandlers } from "./app.ts";
import { carbonHandlers } from "./carbon.ts";
import { batchHandlers } from "./batches.ts";
import { budgetHandlers } from "./budgets.ts";
import { calculatorHandlers } from "./calculators.ts";
import { selectionHandlers } from "./selections.ts";
import { esgHandlers } from "./esg.ts";
import { findingHandlers } from "./findings.ts";
import { helpHandlers } from "./help.ts";
import { jobHandlers } from "./jobs.ts";
import { importHandlers } from "./imports.ts";
import { ledgerHandlers } from "./ledger.ts";
import { mappingHandlers } from "./mappings.ts";
import { connectHandlers } from "./connect.ts";
import { matchHandlers } from "./match.ts";
import { monthHandlers } from "./months.ts";
import { planHandlers } from "./plan.ts";
import { pivotHandlers } from "./pivot.ts";
import { offerHandlers } from "./offers.ts";
import { priceHandlers } from "./prices.ts";
import { providerEmissionsHandlers } from "./provider-emissions.ts";
import { qualityHandlers } from "./quality.ts";
import { rateHandlers } from "./rates.ts";
import { reconcileHandlers } from "./reconcile.ts";
import { reportHandlers } from "./reports.ts";
import { sourceHandlers } from "./sources.ts";
import { totalHandlers } from "./totals.ts";

/** The questions that the engine answers; the app around it answers the others. */
export type EngineMethodName = Exclude<MethodName, (typeof appMethodNames)[number]>;

/** Answers one question; its input has been checked. Expected trouble is in the Result, anything thrown is a fault or the store's. */
export type Handler<N extends EngineMethodName> = (context: EngineContext, input: MethodInput<N>) => Result<MethodOutput<N>> | Promise<Result<MethodOutput<N>>>;
export type HandlersOf<N extends EngineMethodName> = { readonly [M in N]: Handler<M> };

export const handlers: HandlersOf<EngineMethodName> = {
  ...appHandlers,
  ...ledgerHandlers,
  ...importHandlers,
  ...mappingHandlers,
  ...batchHandlers,
  ...totalHandlers,
  ...reportHandlers,
  ...pivotHandlers,
  ...sourceHandlers,
  ...helpHandlers,
  ...matchHandlers,
  ...findingHandlers,
  ...jobHandlers,
  ...allocationHandlers,
  ...budgetHandlers,
  ...anomalyHandlers,
  ...monthHandlers,
  ...planHandlers,
  ...calculatorHandlers,
  ...selectionHandlers,
  ...priceHandlers,
  ...offerHandlers,
  ...connectHandlers,
  ...rateHandlers,
  ...qualityHandlers,
  ...reconcileHandlers,
  ...carbonHandlers,
  ...providerEmissionsHandlers,
  ...esgHandlers,
};
