import { describe, expect, it } from "vitest";
import { overfullContract, readFactors } from "../../../../main/engine/factors/read.ts";
import { opened } from "../reports/look.ts";

const read = (...lines: readonly string[]) => opened(readFactors(new TextEncoder().encode(`${lines.join("\n")}\n`), "mine.csv"));

describe("a file of carbon factors", () => {
  it.each([
    ["0.38", "kg/kWh", "380"], ["380", "g CO2e/kWh", "380"], ["380", "kgCO2/MWh", "380"], ["380", "t per GWh", "380"], ["0.38", "tCO2e/MWh", "380"],
    ["1000", "lb/MWh", "453.59237"], ["380000", "g/MWh", "380"], ["3.8e2", "gCO₂e/kWh", "380"],
  ])("takes %s %s as %s g/kWh, to the last digit", (value, unit, grams) => {
    expect(read("kind,value,unit,source", `grid,${value},${unit},mine`).factors[0]).toMatchObject({ value: grams, statedValue: value, statedUnit: unit });
  });

  it.each([
    ["water,1.8,m3/MWh", "1.8"], ["water,1,gal/kWh", "3.785411784"], ["gpu-power,0.7,kW", "700"], ["embodied,0.164,t", "164"], ["pue,1.2,", "1.2"],
  ])("converts %s", (line, value) => {
    expect(read("kind,value,unit,source", `${line},mine`).factors[0]?.value).toBe(value);
  });

  it.each([
    ["grid,-5,g/kWh,,,mine", "import.value-invalid", { column: "value", expected: "not-negative" }],
    ["grid,1.234.5,g/kWh,,,mine", "import.value-invalid", { column: "value", expected: "decimal" }],
    ["grid,,g/kWh,,,mine", "import.value-invalid", { column: "value", expected: "required" }],
    ["solar,5,g/kWh,,,mine", "import.value-invalid", { column: "kind", expected: "factor-kind" }],
    ["grid,5,g/kWh,,,", "import.value-invalid", { column: "source", expected: "required" }],
    ["grid,5,g/kWh,2026-13,,mine", "import.value-invalid", { column: "from", expected: "month" }],
    ["grid,5,g/kWh,2026-05,2026-04,mine", "import.value-invalid", { column: "to", expected: "month" }],
    ["pue,0.99,ratio,,,mine", "factor.pue-below-one", { value: "0.99" }],
    ["grid,5,kg/MJ,,,mine", "factor.unit-unknown", { unit: "kg/MJ", kind: "grid" }],
  ])("sets %s aside with its reason and its line", (line, code, params) => {
    const { factors, setAside } = read("kind,value,unit,from,to,source", "grid,5,g/kWh,2026,2026,good", line);
    expect(factors).toHaveLength(1);
    expect(setAside).toMatchObject([{ code, params: { file: "mine.csv", line: 3, ...params } }]);
  });

  it("reads a year as its months, a share as percent or part, and ends of a range", () => {
    const { factors } = read("Kind;x,value,unit,source".replace("Kind;x", "kind"), "contract,12,g/kWh,wind");
    expect(factors[0]).toMatchObject({ share: "1", fromMonth: null });
    expect(read("kind,value,unit,share,year,low,high,source", "contract,12,g/kWh,62.5%,2026,10,20,wind").factors[0]).toMatchObject({ share: "0.625", fromMonth: "2026-01", toMonth: "2026-12", low: "10", high: "20" });
    expect(read("kind,value,unit,low,source", "grid,12,g/kWh,13,wind").setAside).toHaveLength(1);
    expect(read("kind,value,unit,share,source", "contract,12,g/kWh,1.2,wind").setAside).toMatchObject([{ params: { column: "share", expected: "ratio" } }]);
  });

  it("finds contracts of one place that cover more than the whole", () => {
    const contract = (share: string, fromMonth: string | null, toMonth: string | null, region = "us-east-1") => ({ kind: "contract", provider: "AWS", region, subject: null, fromMonth, toMonth, share }) as const;
    expect(overfullContract([contract("0.6", null, null), contract("0.4", null, null)])).toBeNull();
    expect(overfullContract([contract("0.6", "2026-01", "2026-06"), contract("0.6", "2026-07", null)])).toBeNull();
    expect(overfullContract([contract("0.6", "2026-01", "2026-07"), contract("0.6", "2026-07", null)])).toEqual({ place: "aws us-east-1 *", month: "2026-07" });
    expect(overfullContract([contract("0.6", null, null), contract("0.6", null, null, "us-east-2")])).toBeNull();
  });
});
