import { expect, it } from "vitest";
import { dayOf, monthsOf, parsePeriod } from "../../../shared/domain/period.ts";

it("reads months, quarters and years, up to the last that ends in a year of four digits", () => {
  expect(parsePeriod("2024-02")).toEqual({ start: "2024-02-01T00:00:00Z", end: "2024-03-01T00:00:00Z" });
  expect(parsePeriod("2026-Q4")).toEqual({ start: "2026-10-01T00:00:00Z", end: "2027-01-01T00:00:00Z" });
  for (const label of ["0000", "2024", "9998", "9999-11", "9999-Q3"]) {
    const period = parsePeriod(label);
    expect(period === null ? null : dayOf(period.end) - dayOf(period.start)).toBeGreaterThan(27);
    expect(period === null ? [] : monthsOf(period)).toHaveLength(label.length === 4 ? 12 : label.includes("Q") ? 3 : 1);
  }
  for (const label of ["9999", "9999-12", "9999-Q4", "2026-13", "2026-Q5", "26"]) expect(parsePeriod(label)).toBeNull();
});
