import { ledgerError } from "../../../shared/contract/errors.ts";
import type { PlanAnswer, ScenarioOutcome } from "../../../shared/contract/plan.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { contractCommitments } from "../commitments/contracts.ts";
import { planOf, type PlanRequest } from "../commitments/plan.ts";
import { keepScenario, keepTerm, storedScenarios, storedTerms } from "../commitments/scenarios.ts";
import { explorerAnswers } from "../cost-explorer/answers.ts";
import { seriesOfCommitment, statedTerm } from "../commitments/stated-terms.ts";
import type { EngineContext } from "../context.ts";
import { rereadRows } from "../import/rows.ts";
import { prepared } from "../store/sql.ts";
import { noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";
import { pricesOf, scopeOf } from "./reports.ts";

/** Rows of a commitment that are read again for its term: the fee is among its first. */
const LOOKED_AT = 60;

export const planHandlers: HandlersOf<"plan.read" | "plan.scenarios" | "plan.save" | "plan.remove" | "plan.compare" | "commitments.contracts" | "commitments.terms" | "commitment.save" | "commitment.look-up"> = {
  "plan.read"(context, request) {
    return read(context, { ...request, scope: scopeOf(request.scope) });
  },

  "plan.scenarios"(context) {
    const opened = context.open();
    return opened.ok ? ok({ scenarios: storedScenarios(opened.value.ledger.db) }) : opened;
  },

  async "plan.save"(context, { by, ...scenario }) {
    let id = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      const before = storedScenarios(db).find(({ name }) => name === scenario.name) ?? null;
      const kept = { ...scenario, scope: scopeOf(scenario.scope) };
      id = keepScenario(db, kept, author);
      noteChange(db, author, "plan", before === null ? "added" : "changed", scenario.name, before === null ? null : before.inputs, kept.inputs);
    });
    return done.ok ? ok({ ...done.value, id }) : done;
  },

  async "plan.remove"(context, { id, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const found = storedScenarios(opened.value.ledger.db).find((scenario) => scenario.id === id);
    if (found === undefined) return err(ledgerError("plan.scenario-not-found", { name: String(id) }));
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "plan", "removed", found.name, found.inputs, null);
      prepared(db, "DELETE FROM plan_scenario WHERE ScenarioId = ?").run(id);
    });
  },

  "plan.compare"(context, { ids }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const scenarios = storedScenarios(opened.value.ledger.db).filter(({ id }) => ids.includes(id));
    return ok({
      outcomes: scenarios.map((scenario): ScenarioOutcome => {
        const answered = read(context, scenario);
        if (!answered.ok) return { scenario, error: answered.error, outcome: null };
        const { pool, baseline, options, shown, recommended } = answered.value;
        const option = options.find((each) => each.id === shown) ?? null;
        return {
          scenario,
          error: null,
          outcome: { pool, firstDay: baseline.firstDay, endDay: baseline.endDay, option: option?.name ?? null, figures: option?.figures ?? null, isRecommended: option !== null && option.id === recommended },
        };
      }),
    });
  },

  "commitments.contracts"(context) {
    const opened = context.open();
    return opened.ok ? ok({ contracts: contractCommitments(opened.value.ledger.db) }) : opened;
  },

  "commitments.terms"(context) {
    const opened = context.open();
    return opened.ok ? ok({ terms: storedTerms(opened.value.ledger.db) }) : opened;
  },

  async "commitment.look-up"(context, { commitment }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const reference = context.reference();
    if (!reference.ok) return reference;
    const { db } = opened.value.ledger;
    const behind = seriesOfCommitment(db, commitment);
    if (behind === null) return ok({ term: null, missing: [] });
    const { columns, rows, missing } = await rereadRows(db, { ...behind, offset: 0, limit: LOOKED_AT }, reference.value);
    return ok({ term: statedTerm({ columns, rows }), missing });
  },

  async "commitment.save"(context, { term, by }) {
    if (term.startsOn !== null && term.endsOn !== null && term.endsOn <= term.startsOn) return err(ledgerError("contract.invalid", { question: "commitment.save", path: "term.endsOn" }));
    const negative = [term.gpus, term.renewalHourly].find((text) => text !== null && text.startsWith("-"));
    if (negative !== undefined && negative !== null) return err(ledgerError("plan.price-negative", { pricedAs: "renewal", value: negative }));
    return change(context, by, ({ ledger: { db } }, author) => {
      const before = storedTerms(db).find(({ commitment }) => commitment === term.commitment) ?? null;
      keepTerm(db, term, author);
      noteChange(db, author, "plan", before === null ? "added" : "changed", term.commitment, before, term);
    });
  },
};

/** A plan, worked out now. */
function read(context: EngineContext, request: PlanRequest): Result<PlanAnswer> {
  const opened = context.open();
  if (!opened.ok) return opened;
  const prices = pricesOf(context);
  if (!prices.ok) return prices;
  const reference = context.reference();
  if (!reference.ok) return reference;
  const { db } = opened.value.ledger;
  return planOf({ db, prices: prices.value, recommendations: explorerAnswers(db, reference.value).recommendations }, request);
}
