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
  ])("%s is %s", (text, instant) => expect(read(text)).toBe(instant));

  it.each(["2026-13-45 99:00", "2026-02-30", "2023-02-29", "01/09/2026", "09/01/2026 00:00", "2026-9", "yesterday", "2026-09-01T00:00:00X", "2026-09-01T25:00:00Z", "45000"])(
    "%s is no instant",
    (text) => expect(read(text)).toBe(NO_TIME),
  );

  it("nothing, and a word for nothing, is nothing", () => expect([read(""), read("NULL")]).toEqual([0, 0]));

  it("agrees with the platform on every second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
        expect(read(isoOfSeconds(seconds))).toBe(isoOfSeconds(seconds));
      }),
    );
  });
});
