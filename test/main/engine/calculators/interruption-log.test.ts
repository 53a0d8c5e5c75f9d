import { describe, expect, it } from "vitest";
import { readInterruptionLog } from "../../../../main/engine/calculators/interruption-log.ts";

const read = (text: string) => readInterruptionLog(new TextEncoder().encode(text), "log.csv");
const refusal = (text: string) => {
  const result = read(text);
  return result.ok ? null : result.error;
};

describe("an interruption log", () => {
  it("tells runs from their times and how they ended", () => {
    expect(read("start,end,reason\n2026-09-01T00:00:00Z,2026-09-01T20:00:00Z,Server.SpotInstanceTermination\n2026-09-02 00:00,2026-09-02 06:30,completed\n")).toEqual({
      ok: true,
      value: [{ hours: 20, wasInterrupted: true }, { hours: 6.5, wasInterrupted: false }],
    });
  });

  it("takes hours, yes and no, semicolons and Chinese heads", () => {
    expect(read("运行小时;是否中断\n12.5;是\n3;否\n")).toEqual({ ok: true, value: [{ hours: 12.5, wasInterrupted: true }, { hours: 3, wasInterrupted: false }] });
  });

  it("says line and column of what it cannot read", () => {
    expect(refusal("start,end,interrupted\n2026-09-01T00:00Z,2026-09-01T20:00Z,maybe\n")).toEqual({ code: "import.value-invalid", params: { file: "log.csv", line: 2, column: "interrupted", value: "maybe", expected: "yes-no" } });
    expect(refusal("start,end,interrupted\n2026-09-02T00:00Z,2026-09-01T20:00Z,yes\n")).toMatchObject({ code: "import.value-invalid", params: { line: 2, column: "end", expected: "period-order" } });
    expect(refusal("hours,interrupted\n-3,yes\n")).toMatchObject({ params: { line: 2, column: "hours", expected: "decimal" } });
    expect(refusal("hours,comment\n3,x\n")).toMatchObject({ code: "import.column-missing", params: { columns: "interrupted" } });
    expect(refusal("")).toMatchObject({ code: "import.empty" });
    expect(refusal("hours,interrupted\n")).toMatchObject({ code: "import.empty" });
    expect(readInterruptionLog(new Uint8Array([0, 1, 2, 3, 0, 5, 6, 7, 8, 1]), "x.bin")).toMatchObject({ error: { code: "import.not-text" } });
  });
});
