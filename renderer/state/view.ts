import { create } from "zustand";
import { converted, convertedTo, type CurrencyChoice } from "../../shared/domain/currency.ts";
import type { CostBasis } from "../../shared/domain/figure.ts";
import { costBases } from "../../shared/domain/figure.ts";
import type { PeriodLabel } from "../../shared/domain/period.ts";
import { parsePeriod } from "../../shared/domain/period.ts";
import type { Scope } from "../../shared/domain/scope.ts";
import { scopeDimensions } from "../../shared/domain/scope.ts";

export const screens = ["review", "efficiency", "commitments", "offers", "carbon", "budgets", "ledger", "imports", "settings", "help"] as const;
export type Screen = (typeof screens)[number];

/** What the person looks at: kept across screens and in the address. A null period is the newest month with a bill. */
export interface View {
  readonly screen: Screen;
  readonly period: PeriodLabel | null;
  readonly scope: Scope;
  readonly basis: CostBasis;
  readonly currency: CurrencyChoice;
  /** Page and section of the help, `method/four-ways`. */
  readonly help?: string | undefined;
}

export const firstView: View = { screen: "review", period: null, scope: {}, basis: "EffectiveCost", currency: null, help: undefined };

interface ViewStore extends View {
  readonly look: (change: Partial<View>) => void;
}
export const useView = create<ViewStore>()((set) => ({ ...firstView, look: (change) => set(change) }));

export function viewOf({ screen, period, scope, basis, currency, help }: View): View {
  return { screen, period, scope, basis, currency, help };
}

/** `#/review?period=2026-09&in=USD&team=Vision&team=` : everything converted to dollars; an empty value stands for rows without that value. */
export function addressOf(view: View): string {
  const query = new URLSearchParams();
  if (view.period !== null) query.set("period", view.period);
  if (view.basis !== firstView.basis) query.set("basis", view.basis);
  const target = convertedTo(view.currency);
  if (target !== null) query.set("in", target);
  else if (view.currency !== null) query.set("currency", view.currency);
  for (const dimension of scopeDimensions) for (const value of view.scope[dimension] ?? []) query.append(dimension, value ?? "");
  const text = query.toString();
  const path = view.screen === "help" && view.help !== undefined ? `help/${view.help}` : view.screen;
  return `#/${path}${text === "" ? "" : `?${text}`}`;
}

/** The view of an address; what is not understood is left out. */
export function viewAt(hash: string): View {
  const [path = "", text = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const query = new URLSearchParams(text);
  const [, first = "", rest] = /^([^/]*)(?:\/(.*))?$/.exec(path) ?? [];
  const screen = screens.find((known) => known === first) ?? firstView.screen;
  const period = query.get("period");
  const target = query.get("in");
  const basis = costBases.find((known) => known === query.get("basis")) ?? firstView.basis;
  const scope = Object.fromEntries(
    scopeDimensions.filter((dimension) => query.has(dimension)).map((dimension) => [dimension, query.getAll(dimension).map((value) => (value === "" ? null : value))]),
  ) as Scope;
  return { screen, period: period !== null && parsePeriod(period) !== null ? period : null, scope, basis, currency: target === null || target === "" ? query.get("currency") : converted(target), help: screen === "help" && rest !== undefined && /^[a-z-]+(?:\/[a-z0-9-]+)?$/.test(rest) ? rest : undefined };
}

/** Keeps the address and the view the same, whichever changes. Returns what stops it. */
export function followAddress(): () => void {
  const read = (): void => {
    const view = viewAt(location.hash);
    if (addressOf(view) !== addressOf(useView.getState())) useView.setState(view);
  };
  read();
  const stop = useView.subscribe((view) => {
    const address = addressOf(view);
    if (address !== location.hash) history.pushState(null, "", address);
  });
  window.addEventListener("hashchange", read);
  window.addEventListener("popstate", read);
  return () => {
    stop();
    window.removeEventListener("hashchange", read);
    window.removeEventListener("popstate", read);
  };
}
