import { describe, expect, it } from "vitest";
import { datesBetween, elapsedSeconds, instantOf, shiftDate } from "../../../../../main/engine/metrics/model/civil-time.ts";
import { scheduleSavings, type OnWindows } from "../../../../../main/engine/metrics/model/schedule.ts";
import { decimal, toNumber, whole } from "../../../../../shared/domain/rational.ts";

describe("civil time", () => {
  it("measures a period instead of assuming it", () => {
    expect(elapsedSeconds("Europe/Paris", "2026-03-29T00:00", "2026-03-30T00:00")).toBe(23 * 3600);
    expect(elapsedSeconds("Europe/Paris", "2026-10-25T00:00", "2026-10-26T00:00")).toBe(25 * 3600);
    expect(elapsedSeconds("Australia/Lord_Howe", "2026-04-05T00:00", "2026-04-06T00:00")).toBe(24.5 * 3600);
    expect(elapsedSeconds("UTC", "2028-02-28T00:00", "2028-03-01T00:00")).toBe(48 * 3600);
  });

  it("knows no time that does not exist", () => {
    expect(elapsedSeconds("Mars/Olympus", "2026-01-01T00:00", "2026-01-02T00:00")).toBeNull();
    expect(elapsedSeconds("UTC", "2026-02-30T00:00", "2026-03-02T00:00")).toBeNull();
    expect(elapsedSeconds("UTC", "2026-03-02T00:00", "2026-03-01T00:00")).toBeNull();
  });

  it("moves a skipped time on, and takes the first of a doubled one", () => {
    expect(instantOf("2026-03-29T02:30", "Europe/Paris")).toBe(Date.UTC(2026, 2, 29, 1, 30) / 1000);
    expect(instantOf("2026-10-25T02:30", "Europe/Paris")).toBe(Date.UTC(2026, 9, 25, 0, 30) / 1000);
  });

  it("counts days over the end of February", () => {
    expect(shiftDate("2028-03-01", -1)).toBe("2028-02-29");
    expect(datesBetween("2026-02-28", "2026-03-02")).toEqual([{ date: "2026-02-28", isoWeekday: 6 }, { date: "2026-03-01", isoWeekday: 7 }]);
  });
});

describe("what a schedule saves", () => {
  const savings = (onWindows: OnWindows, changes: { readonly timeZone?: string; readonly startDate?: string; readonly endDate?: string } = {}) =>
    scheduleSavings({ timeZone: "UTC", startDate: "2026-06-01", endDate: "2026-06-02", onWindows, hourlyPrice: whole(2), instances: whole(3), committedShare: decimal("0.5"), ...changes });
  const onHours = (...given: Parameters<typeof savings>) => toNumber(savings(...given)!.onHours);

  it("is the hours outside the windows, less what is committed", () => {
    // A Monday, 08 to 20: 12 of 24 hours off, 3 machines at 2.
    expect(savings({ 1: [["08:00", "20:00"]] })).toEqual({ totalHours: whole(24), onHours: whole(12), offHours: whole(12), offShare: decimal("0.5"), grossSaving: whole(72), avoidableSaving: whole(36) });
  });

  it("is shorter across the gap of a clock change and longer across the doubled hour", () => {
    const night: OnWindows = { 7: [["01:00", "05:00"]] };
    expect(onHours(night, { timeZone: "Europe/Paris", startDate: "2026-03-29", endDate: "2026-03-30" })).toBe(3);
    expect(onHours(night, { timeZone: "Europe/Paris", startDate: "2026-10-25", endDate: "2026-10-26" })).toBe(5);
  });

  it("counts overlapping windows once, and runs past midnight", () => {
    expect(onHours({ 1: [["08:00", "12:00"], ["10:00", "14:00"]] })).toBe(6);
    // Monday's own evening, and Sunday's night into Monday morning.
    expect(onHours({ 1: [["22:00", "06:00"]], 7: [["22:00", "06:00"]] })).toBe(8);
    expect(onHours({ 1: [["00:00", "24:00"]] })).toBe(24);
  });

  it("is not known for a zone or a time that does not exist", () => {
    expect(savings({}, { timeZone: "Nowhere/City" })).toBeNull();
    expect(savings({ 1: [["25:00", "26:00"]] })).toBeNull();
    expect(savings({}, { endDate: "2026-06-01" })).toMatchObject({ totalHours: whole(0), offShare: null });
  });
});
