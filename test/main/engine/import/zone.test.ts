import fc from "fast-check";
import { Temporal } from "temporal-polyfill";
import { describe, expect, it } from "vitest";
import { readTimestamp } from "../../../../main/engine/import/timestamp.ts";
import type { TimestampReading } from "../../../../main/engine/import/timestamp.ts";
import { seriesClock, zoneClock } from "../../../../main/engine/import/zone.ts";
import type { ZoneClock } from "../../../../main/engine/import/zone.ts";

function clockOf(zone: string): ZoneClock {
  const clock = zoneClock(zone);
  if (!clock.ok) throw new Error(zone);
  return clock.value;
}
function wall(text: string): number {
  return Date.parse(`${text.replace(" ", "T")}Z`);
}
function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

describe("a wall clock reading in a zone", () => {
  it("is the instant that Temporal says, in zones of every kind", () => {
    expect(iso(clockOf("Europe/Berlin").instants(wall("2026-07-01 12:00:00"))[0] ?? null)).toBe("2026-07-01T10:00:00.000Z");
    expect(iso(clockOf("Asia/Shanghai").instants(wall("2026-07-01 00:30:00"))[0] ?? null)).toBe("2026-06-30T16:30:00.000Z");
    expect(iso(clockOf("Asia/Kathmandu").instants(wall("2026-07-01 12:00:00"))[0] ?? null)).toBe("2026-07-01T06:15:00.000Z");
    expect(iso(clockOf("+05:30").instants(wall("2026-07-01 12:00:00"))[0] ?? null)).toBe("2026-07-01T06:30:00.000Z");
    expect(clockOf("UTC").offset(wall("2026-07-01 12:00:00"))).toBe(0);
  });

  it("has no instant in the hour that spring skips, two in the hour that autumn repeats", () => {
    const berlin = clockOf("Europe/Berlin");
    expect(berlin.instants(wall("2026-03-29 02:30:00"))).toEqual([]);
    expect(berlin.instants(wall("2026-10-25 02:30:00")).map(iso)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]);
    const lordHowe = clockOf("Australia/Lord_Howe"); // shifts by half an hour
    expect(lordHowe.instants(wall("2026-04-05 01:45:00"))).toHaveLength(2);
    expect(lordHowe.instants(wall("2026-04-05 01:15:00"))).toHaveLength(1);
  });

  it("refuses a zone that nobody knows", () => {
    expect(zoneClock("Mars/Olympus")).toEqual({ ok: false, error: { code: "import.zone-unknown", params: { zone: "Mars/Olympus" } } });
    expect(zoneClock("").ok).toBe(false);
  });

  it("comes back to every instant it shows, for any instant and zone", () => {
    const zones = ["Europe/Berlin", "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Asia/Tehran", "Africa/Casablanca"].map(clockOf);
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }), (clock, instant) => {
        const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(clock.zone).toPlainDateTime().toZonedDateTime("UTC").epochMilliseconds;
        expect(clock.instants(shown)).toContain(instant);
      }),
    );
  });
});

describe("a series in the repeated hour", () => {
  it("passes through it twice when its rows run on", () => {
    const series = seriesClock(clockOf("Europe/Berlin"));
    const rows = ["01:59:50", "02:00:00", "02:30:00", "02:59:50", "02:00:00", "02:59:50", "03:00:00"];
    expect(rows.map((time) => iso(series.instant(wall(`2026-10-25 ${time}`))))).toEqual([
      "2026-10-24T23:59:50.000Z",
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T00:59:50.000Z",
      "2026-10-25T01:00:00.000Z",
      "2026-10-25T01:59:50.000Z",
      "2026-10-25T02:00:00.000Z",
    ]);
    expect(series.ambiguousRows()).toBe(0);
  });

  it("is not turned by a row a few seconds out of order", () => {
    const series = seriesClock(clockOf("Europe/Berlin"));
    for (const time of ["01:59:50", "02:10:10"]) series.instant(wall(`2026-10-25 ${time}`));
    expect(iso(series.instant(wall("2026-10-25 02:10:05")))).toBe("2026-10-25T00:10:05.000Z");
  });

  it("counts rows that nothing places as ambiguous, and takes that back when the series steps back an hour", () => {
    const alone = seriesClock(clockOf("Europe/Berlin"));
    expect(iso(alone.instant(wall("2026-10-25 02:30:00")))).toBe("2026-10-25T00:30:00.000Z");
    alone.instant(wall("2026-10-25 02:30:10"));
    expect(alone.ambiguousRows()).toBe(2);
    alone.instant(wall("2026-10-25 03:00:00"));
    expect(alone.ambiguousRows()).toBe(2);

    const whole = seriesClock(clockOf("Europe/Berlin"));
    for (let second = 1800; second < 3600; second += 10) whole.instant(wall("2026-10-25 02:00:00") + second * 1000);
    expect(iso(whole.instant(wall("2026-10-25 02:00:00")))).toBe("2026-10-25T01:00:00.000Z");
    expect(whole.ambiguousRows()).toBe(0);
  });

  it("has no instant for a row of the skipped hour", () => {
    expect(seriesClock(clockOf("Europe/Berlin")).instant(wall("2026-03-29 02:30:00"))).toBeNull();
  });
});

describe("a timestamp", () => {
  const out: TimestampReading = { ms: 0, isInstant: false };
  function read(text: string): string | null {
    const bytes = new TextEncoder().encode(text);
    if (!readTimestamp(bytes, 0, bytes.length, out)) return null;
    return `${new Date(out.ms).toISOString()}${out.isInstant ? "" : " local"}`;
  }

  it.each([
    ["2024/03/15 13:57:59.791", "2024-03-15T13:57:59.791Z local"],
    [" 2024/03/15 13:57:59 ", "2024-03-15T13:57:59.000Z local"],
    ["2024/3/5 9:07", "2024-03-05T09:07:00.000Z local"],
    ["2024-03-15 13:57:59.7", "2024-03-15T13:57:59.700Z local"],
    ["2024-03-15T13:57:59.791999", "2024-03-15T13:57:59.791Z local"],
    ["2024-03-15T13:57:59Z", "2024-03-15T13:57:59.000Z"],
    ["2024-03-15T13:57:59+08:00", "2024-03-15T05:57:59.000Z"],
    ["2024-03-15 13:57:59.5 -0330", "2024-03-15T17:27:59.500Z"],
    ["2024-03-15 13:57:59 UTC", "2024-03-15T13:57:59.000Z"],
    ["Fri Aug  4 11:44:30 2023", "2023-08-04T11:44:30.000Z local"],
    ["Fri Aug 4 11:44:30 UTC 2023", "2023-08-04T11:44:30.000Z"],
    ["1710511079", "2024-03-15T13:57:59.000Z"],
    ["1710511079.791", "2024-03-15T13:57:59.791Z"],
    ["1710511079791", "2024-03-15T13:57:59.791Z"],
    ["1710511079791000", "2024-03-15T13:57:59.791Z"],
    ["1710511079791000000", "2024-03-15T13:57:59.791Z"],
  ])("%s is %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each(["", "N/A", "15/03/2024 13:57:59", "2024/13/01 00:00:00", "2024/02/30 00:00:00", "2024/03/15", "2024/03/15 25:00:00", "2024/03/15 13:57:5", "2024/03/15 13:57:59.", "2024/03/15 13:57:59 QQT", "2024/03-15 13:57:59", "12345678901234567890123", "1.5", "Fri Foo  4 11:44:30 2023", "2024/03/15 13:57:59 +0"])(
    "“%s” is none",
    (text) => {
      expect(read(text)).toBeNull();
    },
  );

  it("as nvidia-smi prints it is read back exactly", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) }), (ms) => {
        const text = new Date(ms).toISOString();
        expect(read(text.slice(0, -1).replace("T", " ").replaceAll("-", "/"))).toBe(`${text} local`);
        expect(read(text)).toBe(text);
      }),
    );
  });
});
