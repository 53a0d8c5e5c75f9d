import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createUtcTimeReader, isoOfSeconds, NO_TIME, TIME_READ } from "../../../../main/engine/import/utc-time.ts";

const reader = createUtcTimeReader(["NULL"]);
function read(text: string): string | number {
  const bytes = Buffer.from(text);
  const code = reader.read(bytes, 0, bytes.length);
  return code === TIME_READ ? `${isoOfSeconds(reader.seconds)}${reader.isZoneless ? " assumed" : ""}` : code;
}

describe("reading UTC instants from bytes", () => {
  it.each([
    ["2026-09-01T00:00:00Z", "2026-09-01T00:00:00Z"],
    ["2026-09-01T10:00Z", "2026-09-01T10:00:00Z"],
    ["2026-09-01T00:00:00.000Z", "2026-09-01T00:00:00Z"],
    ['"2024-10-01 00:00:00"', "2024-10-01T00:00:00Z assumed"],
    ["2022-07-01 00:00:00.000", "2022-07-01T00:00:00Z assumed"],
    ["2026-09-01", "2026-09-01T00:00:00Z assumed"],
    ["2020-11-08 00:00:00 UTC", "2020-11-08T00:00:00Z"],
    ["2026-09-01T08:00:00+08:00", "2026-09-01T00:00:00Z"],
    ["2026-08-31T20:00:00-0400", "2026-09-01T00:00:00Z"],
    ["2026-09-01T24:00:00Z", "2026-09-02T00:00:00Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["14-Sep-2026", "2026-09-14T00:00:00Z assumed"],
    ["1 September 2026 13:05", "2026-09-01T13:05:00Z assumed"],
    ["Sep 14, 2026 01:30:00 PM", "2026-09-14T13:30:00Z assumed"],
    ["Sept 4, 2026", "2026-09-04T00:00:00Z assumed"],
    ["2026年9月14日 08:00:00", "2026-09-14T08:00:00Z assumed"],
    ["2026年09月14日", "2026-09-14T00:00:00Z assumed"],
  ])("%s is %s", (text, instant) => expect(read(text)).toBe(instant));

  it.each(["2026-13-45 99:00", "2026-02-30", "2023-02-29", "01/09/2026", "09/01/2026 00:00", "2026-9", "yesterday", "2026-09-01T00:00:00X", "2026-09-01T25:00:00Z", "45000"])(
    "%s is no instant",
    (text) => expect(read(text)).toBe(NO_TIME),
  );

  it.each(["14-Sex-2026", "31-Jun-2026", "Maybe 4, 2026", "2026年13月1日"])("%s names no day", (text) => expect(read(text)).toBe(NO_TIME));

  it("counts of a bill: seconds and milliseconds since 1970, days of a spreadsheet of this century", () => {
    const counts = createUtcTimeReader([], null, { hasCounts: true });
    const counted = (text: string): string | null => (counts.read(Buffer.from(text), 0, text.length) === TIME_READ ? `${isoOfSeconds(counts.seconds)}${counts.isZoneless ? " assumed" : ""}` : null);
    expect(counted("1789344000")).toBe("2026-09-14T00:00:00Z");
    expect(counted("1789344000000")).toBe("2026-09-14T00:00:00Z");
    // 46279 days after 1899-12-30 is 2026-09-14; a half day more is noon, and the fractions of spreadsheets are rounded to the second.
    expect(counted("46279")).toBe("2026-09-14T00:00:00Z assumed");
    expect(counted("46279.5")).toBe("2026-09-14T12:00:00Z assumed");
    expect(counted("46279.041666666664")).toBe("2026-09-14T01:00:00Z assumed");
    expect(["12345", "73052", "4627", "462790", "46279.", "-46279"].map(counted)).toEqual([null, null, null, null, null, null]);
    expect(counted("20260914")).toBe("2026-09-14T00:00:00Z assumed");
  });

  it("nothing, and a word for nothing, is nothing", () => expect([read(""), read("NULL")]).toEqual([0, 0]));

  it("agrees with the platform on every second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
        expect(read(isoOfSeconds(seconds))).toBe(isoOfSeconds(seconds));
      }),
    );
  });
});
