import type { EventPayloads } from "../../shared/contract/events.ts";
import type { BudgetImport, BudgetsCheck, BudgetStatus } from "../../shared/contract/teams.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import type { Words } from "../../shared/i18n/format.ts";

/** What `budgets check` prints: a line a budget, those over first, then alerts that spoke now. */
export function checkText({ budgets, raised }: BudgetsCheck, words: Words): string {
  if (budgets.length === 0) return `${words.say("budgets.none")}\n`;
  const sorted = [...budgets].sort((a, b) => order(a) - order(b));
  const lines = sorted.map((status) => {
    const { plan, period, budget, actual, forecast, consumed, state } = status;
    const amount = (text: string | null): string => amountText(text, plan.kind === "money" ? plan.currency : null, words);
    return words.say("budgets.line", {
      name: plan.name,
      period,
      state: words.say(`budgets.state.${state}`),
      actual: amount(actual),
      budget: amount(budget),
      share: consumed === null ? "—" : words.ratio(consumed),
      forecast: amount(forecast),
      owner: plan.owner ?? words.say("budgets.no-owner"),
    });
  });
  for (const { threshold: { type, percent }, ...alert } of raised) lines.push(alertText({ ...alert, type, percent }, words));
  return `${lines.join("\n")}\n`;
}

/** An alert as it is said: by the event that raises it, or from the log. */
export type RaisedAlert = Pick<EventPayloads["alert.raised"], "budget" | "budgetName" | "owner" | "period" | "type" | "percent" | "value" | "amount" | "unit">;

/** What was crossed, what to do, and who decides, in two sentences. */
export function alertText({ budgetName, owner, period, type, percent, value, amount, unit }: RaisedAlert, words: Words): string {
  const shown = (text: string): string => {
    if (unit === "gpu-hours" || unit === "kgCO2e") return words.say(unit === "gpu-hours" ? "amount.hours" : "amount.carbon", { hours: amountText(text, null, words), kilograms: amountText(text, null, words) });
    return amountText(text, unit, words);
  };
  return words.say(`alert.${type}`, {
    name: budgetName,
    period: /^\d{4}(-\d{2}|-Q[1-4])?$/.test(period) ? words.period(period) : period,
    percent,
    value: shown(value),
    budget: shown(amount),
    owner: owner ?? words.say("budgets.no-owner"),
  });
}

export function importText({ added, changed, same, months }: BudgetImport, isPreview: boolean, words: Words): string {
  return `${words.say(isPreview ? "budgets.import-preview" : "budgets.imported", { added: words.count(added.length), changed: words.count(changed.length), same: words.count(same.length), months: words.count(months) })}\n`;
}

function order({ state }: BudgetStatus): number {
  return ["over", "forecast-over", "near", "unknown", "no-plan", "within"].indexOf(state);
}

/** An amount of a currency, or a plain number; a dash for what is not known. */
export function amountText(text: string | null, currency: string | null, words: Words): string {
  const parsed = text === null ? null : parseAmount(text);
  if (parsed === null) return "—";
  return currency === null ? words.number(Number(text), { digits: 0 }) : words.money(parsed.value, currency);
}
