import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressOf, firstView, screens, viewAt } from "../../../renderer/state/view.ts";
import { costBases } from "../../../shared/domain/figure.ts";

describe("the address of a view", () => {
  it("is short for the first view", () => {
    expect(addressOf(firstView)).toBe("#/review");
  });

  it("says what everything is converted into", () => {
    expect(addressOf({ ...firstView, currency: "~USD" })).toBe("#/review?in=USD");
    expect(viewAt("#/review?in=USD&currency=EUR").currency).toBe("~USD");
    expect(viewAt("#/review?in=&currency=EUR").currency).toBe("EUR");
  });

  it("tells rows without a team from every team", () => {
    expect(viewAt(addressOf({ ...firstView, scope: { team: [null, "R&D"] } })).scope).toEqual({ team: [null, "R&D"] });
    expect(viewAt("#/review").scope).toEqual({});
  });

  it("leads back to the same view", () => {
    const names = fc.array(fc.oneof(fc.string({ minLength: 1 }), fc.constant(null)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...screens), fc.constantFrom("2026-09", "2026-Q3", "2026", null), fc.constantFrom(...costBases), fc.option(fc.stringMatching(/^~?[A-Z]{3}$/)), names, names, (screen, period, basis, currency, team, provider) => {
        const view = { screen, period, basis, currency, scope: { provider, team } };
        expect(viewAt(addressOf(view))).toEqual(view);
      }),
    );
  });

  it("holds page and section of the help, and of no other screen", () => {
    const view = { ...firstView, screen: "help", help: "method/four-ways", period: "2026-09" } as const;
    expect(addressOf(view)).toBe("#/help/method/four-ways?period=2026-09");
    expect(viewAt(addressOf(view))).toEqual(view);
    expect(addressOf({ ...view, screen: "review" })).toBe("#/review?period=2026-09");
    expect(viewAt("#/help/../x").help).toBeUndefined();
  });

  it("leaves out what it does not understand", () => {
    expect(viewAt("#/nowhere?period=2026-13&basis=Free")).toEqual(firstView);
  });
});
