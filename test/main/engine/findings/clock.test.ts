import { describe, expect, it } from "vitest";
import { allowedWindows } from "../../../../main/engine/findings/replay.ts";
import { clockTime } from "../../../../shared/contract/findings.ts";

/** Hours off within some UTC days, each as it would be told: `from > until`, in UTC. */
function off(first: string, end: string, keepOn: { readonly from: string; readonly to: string; readonly weekdays?: readonly number[] }): string[] {
  const at = (second: number): string => new Date(second * 1000).toISOString().slice(5, 16);
  const second = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
  const windows = allowedWindows({ keepOn: { zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5, 6, 7], ...keepOn } }, { start: second(first), end: second(end) });
  return windows.map((window) => `${at(window.start)} > ${at(window.end)}`);
}

describe("hours by the clock of Berlin", () => {
  it("have an hour less off in the night the clocks go forward: 20:00 CET is 19:00 UTC, 08:00 CEST is 06:00 UTC", () => {
    expect(off("2026-03-28", "2026-03-30", { from: "08:00", to: "20:00" })).toEqual(["03-28T00:00 > 03-28T07:00", "03-28T19:00 > 03-29T06:00", "03-29T18:00 > 03-30T00:00"]);
  });

  it("have an hour more off in the night they go back: 20:00 CEST is 18:00 UTC, 08:00 CET is 07:00 UTC", () => {
    expect(off("2026-10-24", "2026-10-26", { from: "08:00", to: "20:00" })).toEqual(["10-24T00:00 > 10-24T06:00", "10-24T18:00 > 10-25T07:00", "10-25T19:00 > 10-26T00:00"]);
  });

  it("begin an hour later by the clock where they would begin in the hour that is skipped: 02:30 is 03:30 CEST, 01:30 UTC", () => {
    expect(off("2026-03-29", "2026-03-30", { from: "02:30", to: "06:00" })).toEqual(["03-29T00:00 > 03-29T01:30", "03-29T04:00 > 03-30T00:00"]);
  });

  it("go by the first of the two where a time comes twice: 02:30 is 00:30 UTC", () => {
    expect(off("2026-10-25", "2026-10-26", { from: "02:30", to: "06:00" })).toEqual(["10-25T00:00 > 10-25T00:30", "10-25T05:00 > 10-26T00:00"]);
    // On from 20:00 to 02:30 of the next day: the evening of the 24th lasts 18:00 to 00:30 UTC, that of the 25th 19:00 UTC to beyond.
    expect(off("2026-10-25", "2026-10-26", { from: "20:00", to: "02:30" })).toEqual(["10-25T00:30 > 10-25T19:00"]);
  });

  it("reach into Monday where a Sunday ends past midnight, over the change too", () => {
    // Only Sundays, 22:00 to 04:00: 29 March begins 22:00 CEST, 20:00 UTC, and ends on the 30th at 02:00 UTC.
    expect(off("2026-03-29", "2026-03-31", { from: "22:00", to: "04:00", weekdays: [7] })).toEqual(["03-29T00:00 > 03-29T20:00", "03-30T02:00 > 03-31T00:00"]);
  });

  it("may be typed with one digit, and end at 24:00", () => {
    expect(["8:00", " 08:00 ", "23:59"].map((text) => clockTime(text, "from"))).toEqual(["08:00", "08:00", "23:59"]);
    expect(["24:00", "0:00"].map((text) => clockTime(text, "to"))).toEqual(["00:00", "00:00"]);
    expect(["24:00", "24:30", "8", "8:0", "08:60", "", "a:00"].map((text) => clockTime(text, "from"))).toEqual([null, null, null, null, null, null, null]);
    // 08:00 to 24:00 on Monday 1 June: on from 06:00 UTC until Berlin's midnight, 22:00 UTC.
    expect(off("2026-06-01", "2026-06-02", { from: "08:00", to: clockTime("24:00", "to") ?? "", weekdays: [1] })).toEqual(["06-01T00:00 > 06-01T06:00", "06-01T22:00 > 06-02T00:00"]);
  });
});
