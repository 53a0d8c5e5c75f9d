import { describe, expect, it } from "vitest";
import type { DateOrder } from "../../../../main/engine/formats/format.ts";
import { logDates } from "../../../../main/engine/import/log-dates.ts";
import { readTimestamp } from "../../../../main/engine/import/timestamp.ts";
import { refusal } from "./read-log.ts";

/** As ISO, with `Z` where the text states an instant; null for what is none. */
function read(text: string, order: DateOrder | null = null): string | null {
  const out = { ms: 0, isInstant: false };
  const bytes = new TextEncoder().encode(text);
  if (!readTimestamp(bytes, 0, bytes.length, out, order)) return null;
  const iso = new Date(out.ms).toISOString();
  return out.isInstant ? iso : iso.slice(0, -1);
}

describe("a timestamp", () => {
  it.each([
    ["2026/09/01 10:00:00.123", "2026-09-01T10:00:00.123"],
    ["2026.09.01 10:00:00", "2026-09-01T10:00:00.000"],
    ["2026-09-01T10:00:00+02:00", "2026-09-01T08:00:00.000Z"],
    ["Tue Sep  1 10:00:00 2026", "2026-09-01T10:00:00.000"],
    ["1788256800.5", "2026-09-01T10:00:00.500Z"],
    ["31.12.2026 23:59:59", "2026-12-31T23:59:59.000"],
    ["1.9.2026, 8:05:00", "2026-09-01T08:05:00.000"],
  ])("%s is read as it stands", (text, iso) => {
    expect(read(text)).toBe(iso);
  });

  it.each([
    ["20260901T100000", "2026-09-01T10:00:00.000"],
    ["20260901T100000Z", "2026-09-01T10:00:00.000Z"],
    ["20260901 10:00:00.25", "2026-09-01T10:00:00.250"],
    ["20260901-100000", "2026-09-01T10:00:00.000"],
    ["20260901100000", "2026-09-01T10:00:00.000"],
    ["20260901100000123", "2026-09-01T10:00:00.123"],
    ["2026-09-01_10:00:00", "2026-09-01T10:00:00.000"],
    ["2026/09/01, 10:00:00", "2026-09-01T10:00:00.000"],
    ["[2026-09-01 10:00:00.500]", "2026-09-01T10:00:00.500"],
    ["2026-09-01 01:00:00 PM", "2026-09-01T13:00:00.000"],
    ["2026-09-01 12:00:00 AM", "2026-09-01T00:00:00.000"],
  ])("%s, as scripts write it", (text, iso) => {
    expect(read(text)).toBe(iso);
  });

  it.each([
    ["Tue Sep  1 10:00:00 UTC 2026", "2026-09-01T10:00:00.000Z"],
    ["Tue Sep  1 10:00:00 AM UTC 2026", "2026-09-01T10:00:00.000Z"],
    ["Tue  1 Sep 10:00:00 CEST 2026", "2026-09-01T08:00:00.000Z"],
    ["Tue 01 Sep 2026 01:00:00 PM PDT", "2026-09-01T20:00:00.000Z"],
    ["Tue Sep 01 2026 10:00:00 GMT+0200 (Central European Summer Time)", "2026-09-01T08:00:00.000Z"],
    ["Tue, 01 Sep 2026 10:00:00 GMT", "2026-09-01T10:00:00.000Z"],
    ["Tue, 1 Sep 2026 10:00:00 +0530", "2026-09-01T04:30:00.000Z"],
    ["Sep 1, 2026 @ 10:00:00.250", "2026-09-01T10:00:00.250"],
    ["September 1, 2026 at 1:00 PM", "2026-09-01T13:00:00.000"],
    ["01/Sep/2026:10:00:00 +0000", "2026-09-01T10:00:00.000Z"],
    ["01-Sep-2026 10:00:00", "2026-09-01T10:00:00.000"],
    ["2026年9月1日 10:00:00", "2026-09-01T10:00:00.000"],
    ["2026年09月01日 10时03分07秒", "2026-09-01T10:03:07.000"],
    ["2026/9/1 下午1:00:00", "2026-09-01T13:00:00.000"],
    ["2026/9/1 上午12:30:00", "2026-09-01T00:30:00.000"],
  ])("%s names its month or its half of the day", (text, iso) => {
    expect(read(text)).toBe(iso);
  });

  it.each([
    ["2017-10-03 00:08:00 PDT", "2017-10-03T07:08:00.000Z"],
    ["2026-09-01 10:00:00 CET", "2026-09-01T09:00:00.000Z"],
    ["2026-09-01 10:00:00 UTC+08:00", "2026-09-01T02:00:00.000Z"],
    ["2026-09-01 10:00:00 CST", "2026-09-01T10:00:00.000"],
    ["2026-09-01 10:00:00 IST", "2026-09-01T10:00:00.000"],
  ])("%s states an instant where its zone's name is of one zone", (text, iso) => {
    expect(read(text)).toBe(iso);
  });

  it.each(["20261301T100000", "2026-09-01 10:00:00 XYZ", "2026-09-01 13:00:00 PM", "Foo 1 2026 10:00:00", "1 Foo 2026 10:00:00", "99999999999999", "2026年13月1日 10:00:00", "2026-09-01x10:00:00", "Sep 1 10:00:00"])("%s is none", (text) => {
    expect(read(text)).toBeNull();
  });

  it.each([
    ["9/1/2026, 12:30:00 AM", "month-first", "2026-09-01T00:30:00.000"],
    ["9/1/2026, 12:30:00 PM", "month-first", "2026-09-01T12:30:00.000"],
    ["12/31/2026 11:59:59.250 PM", "month-first", "2026-12-31T23:59:59.250"],
    ["9/1/2026, 1:00:00\u202fPM", "month-first", "2026-09-01T13:00:00.000"],
    ["9/1/2026, 1:00:00 AM Z", "month-first", "2026-09-01T01:00:00.000Z"],
    ["1/9/2026, 1:00:00 p.m.", "day-first", "2026-09-01T13:00:00.000"],
    ["31/12/2026 23:59", "day-first", "2026-12-31T23:59:00.000"],
  ] as const)("%s, %s", (text, order, iso) => {
    expect(read(text, order)).toBe(iso);
  });

  it.each(["9/1/2026 10:00:00", "31.13.2026 10:00:00", "30.02.2026 10:00:00", "1.9.26 10:00:00", "1.9.2026", "12.5 10:00:00", "1.9.2026 13:00:00 PM"])("%s is none where nothing says what it is", (text) => {
    expect(read(text)).toBeNull();
  });
  it("of a month that there is not is none", () => {
    expect(read("13/12/2026 10:00:00", "month-first")).toBeNull();
  });
});

describe("the order of day and month", () => {
  it("is what a number above 12 shows, else what AM and PM in capitals show, else open", () => {
    expect(logDates("8/9/2026 10:00,1\n8/13/2026 10:00,2\n")).toEqual({ order: "month-first", undecided: null });
    expect(logDates("8/9/2026 10:00 AM,1\n13/9/2026 10:00 AM,2\n")).toEqual({ order: "day-first", undecided: null });
    expect(logDates("8/9/2026, 10:00:00 AM;1\n")).toEqual({ order: "month-first", undecided: null });
    expect(logDates("8/9/2026, 10:00:00 am;1\n")).toEqual({ order: null, undecided: "8/9/2026" });
    expect(logDates("13/9/2026 10:00\n9/13/2026 10:00\n")).toEqual({ order: null, undecided: "13/9/2026" });
    expect(logDates("2026/08/09 10:00:00, 5 %\n")).toEqual({ order: null, undecided: null });
  });

  it("that nothing in a log shows is asked for", async () => {
    const log = 'Time,"DCGM_FI_DEV_GPU_UTIL{gpu=""0"", Hostname=""node-a""}"\n08/09/2026 10:00:00,5\n08/09/2026 10:00:15,6\n';
    expect(await refusal(log, { timezone: "UTC" })).toEqual({ code: "import.dates-ambiguous", params: { file: "node-a.csv", column: "Time", value: "08/09/2026 10:00:00" } });
  });
});
