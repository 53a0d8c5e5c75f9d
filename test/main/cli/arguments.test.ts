import { describe, expect, it } from "vitest";
import { languageOf, parseCommandLine } from "../../../main/cli/arguments.ts";

describe("the command line", () => {
  it("reads a command, its paths, options and flags", () => {
    expect(parseCommandLine(["import", "a.csv", "b", "--ledger", "l.gpuledger", "--timezone=Europe/Berlin", "--json"])).toMatchObject({
      ok: true,
      value: { command: "import", positionals: ["a.csv", "b"], options: { ledger: "l.gpuledger", timezone: "Europe/Berlin" }, flags: new Set(["json"]) },
    });
  });

  it("says help when nothing is asked", () => {
    expect(parseCommandLine([])).toMatchObject({ ok: true, value: { command: "help" } });
  });

  it("narrows a report by dimensions, several values of one and rows without a value", () => {
    expect(parseCommandLine(["report", "review", "--scope", "team=Vision", "--scope", "team=", "--scope=provider=AWS"])).toMatchObject({ ok: true, value: { scope: { team: ["Vision", null], provider: ["AWS"] } } });
    expect(parseCommandLine(["report", "review", "--scope", "colour=red"])).toMatchObject({ ok: false, error: { code: "use.invalid" } });
  });

  it("takes a counter for a report, and the hours of a schedule for a stop plan", () => {
    expect(parseCommandLine(["report", "efficiency", "--counter", "engine-active"])).toMatchObject({ ok: true, value: { options: { counter: "engine-active" } } });
    expect(parseCommandLine(["stop-plan", "--on", "08:00-20:00", "--days", "1-5", "--timezone", "Europe/Berlin"])).toMatchObject({ ok: true, value: { options: { on: "08:00-20:00", days: "1-5", timezone: "Europe/Berlin" } } });
    expect(parseCommandLine(["totals", "--counter", "engine-active"])).toMatchObject({ ok: false, error: { code: "use.invalid" } });
  });

  it.each([
    [["paint"], "use.unknown-command"],
    [["import", "--colour"], "use.unknown-command"],
    [["import", "--ledger"], "use.missing"],
    [["report", "review", "--preview"], "use.invalid"],
    [["totals", "--timezone", "UTC"], "use.invalid"],
    [["totals", "--lang", "fr"], "use.invalid"],
    [["constructor"], "use.unknown-command"],
  ])("refuses %j as %s", (argv, code) => {
    expect(parseCommandLine(argv)).toMatchObject({ ok: false, error: { code } });
  });

  it("speaks the language asked for, else the system's", () => {
    expect(languageOf(["--lang", "zh-CN"], { LANG: "en_US.UTF-8" })).toBe("zh-CN");
    expect(languageOf([], { LANG: "zh_CN.UTF-8" })).toBe("zh-CN");
    expect(languageOf(["--lang", "fr"], {})).toBe("en");
    expect(languageOf([], { LC_ALL: "C", LANG: "zh_CN.UTF-8" })).toBe("en");
  });
});
