// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { LogMappingGuess } from "../../../shared/contract/log-mapping.ts";
import type { MappingGuess } from "../../../shared/contract/mapping.ts";
import type { ImportPreview, PreviewFile } from "../../../shared/contract/methods.ts";
import type { Language } from "../../../shared/i18n/index.ts";
import { ok } from "../../../shared/result.ts";
import { MappingQuestions, needsMapping, openLayouts } from "../../../renderer/reports/imports/MapColumns.tsx";
import { useDesk } from "../../../renderer/state/desk.ts";
import { documentsIn } from "../documents.ts";
import { showWindow } from "../window.tsx";
import type { TestWindow } from "../window.tsx";

afterEach(cleanup);

const [sample] = documentsIn("en").preview.files;
const refused = { ...(sample as PreviewFile), path: "july.csv", state: "refused", format: null, shape: "one", error: ledgerError("import.unrecognized", { file: "july.csv", closest: "focus", missing: "ChargePeriodStart" }) } as PreviewFile;
const header = ["When", "Paid out", "Money", "util", "watts"];
const rows = [["2026-07-03", "1200.50", "EUR", "1", "300"], ["2026-07-04", "310.25", "EUR", "0", "60"]];
const bill: MappingGuess = {
  file: "july.csv", header, sample: rows, missing: ["start", "billed", "provider"], unsure: [{ field: "billed", columns: ["Paid out", "watts"] }], byValues: ["currency"], isSaved: false, knownAs: null,
  mapping: { name: "july.csv", header, columns: { currency: "Money" }, constants: {}, zoneMinutes: 0, dateOrder: null, startIs: "instant", endIs: "last-day", decimalMark: ".", isGrouped: false, quantityIs: null, hoursFromPeriod: false, emptyWords: [] },
};
const log: LogMappingGuess = { file: "july.csv", header, sample: rows, unsure: [], byValues: [], isSaved: false, knownAs: null, mapping: { kind: "log", name: "july.csv", header, columns: {}, units: {}, isMeanUpTo: false } };
const utilizationOpen: LogMappingGuess = { ...log, unsure: [{ field: "utilization", columns: ["util"] }], mapping: { ...log.mapping, columns: { utilization: "util", power: "watts" }, units: { power: "W" } } };

const preview: ImportPreview = { plan: "p1", files: [sample as PreviewFile, refused] };

async function open({ logGuess = log, language = "en" }: { readonly logGuess?: LogMappingGuess; readonly language?: Language } = {}): Promise<TestWindow> {
  const shown = showWindow(<MappingQuestions preview={preview} />, { language, answers: { "mapping.guess": ok(bill), "log-mapping.guess": ok(logGuess) } });
  act(() => useDesk.getState().put([{ token: "t1", name: "july.csv" }]));
  fireEvent.click(screen.getByRole("button"));
  await screen.findAllByRole("table");
  return shown;
}

/** Opens one choice of the dialog and takes what it offers. */
function choose(label: string, option: string): void {
  fireEvent.click(within(screen.getByRole("rowheader", { name: label }).closest("tr") as HTMLElement).getAllByRole("button").at(-1) as HTMLElement);
  fireEvent.click(screen.getByRole("option", { name: option }));
}
const use = (): HTMLButtonElement => screen.getByRole("button", { name: "Use it" });

describe("what the columns of a file mean", () => {
  it("is asked of a file that no format knows, and of no other", () => {
    expect(needsMapping(refused)).toBe(true);
    expect(needsMapping({ ...refused, error: ledgerError("import.empty", { file: "july.csv" }) })).toBe(false);
    expect(needsMapping(sample as PreviewFile)).toBe(false);
    // Read by a mapping that does not settle the order of its dates: it can be said anew.
    expect(needsMapping({ ...refused, format: "mapped", error: ledgerError("import.dates-ambiguous", { file: "july.csv", column: "When", value: "03/04/2026" }) })).toBe(true);
    // What lies in no table has no columns.
    expect(needsMapping({ ...refused, shape: null })).toBe(false);
    // Its zone is another question's.
    expect(needsMapping({ ...refused, format: "mapped-log", error: ledgerError("import.zone-needed", { file: "july.csv" }) })).toBe(false);
  });

  it("names what is still needed, shows what stands in a column, and reads the files again by it", async () => {
    const shown = await open();
    expect(shown.asked.filter(({ name }) => name === "mapping.guess")).toEqual([{ name: "mapping.guess", input: { file: null, planned: { plan: "p1", index: 1 } } }]);
    expect(screen.getByRole("alert").textContent).toContain("Still needed: Start or date, Billed cost, Provider.");
    expect(screen.getByText("as likely: Paid out, watts")).toBeTruthy();
    expect(use().disabled).toBe(true);
    choose("Start or date", "When");
    choose("Billed cost", "Paid out");
    expect(screen.getByText("1200.50 · 310.25")).toBeTruthy();
    fireEvent.change(screen.getByRole("textbox", { name: "Provider, the same for all rows" }), { target: { value: "Rack" } });
    expect(screen.queryByRole("alert")).toBeNull();
    fireEvent.change(screen.getByRole("textbox", { name: "Kept under the name" }), { target: { value: "Rack invoices" } });
    // The currency was told by its cells, the start by a person.
    expect(screen.getAllByText("by what stands there")).toHaveLength(1);
    const { attempt } = useDesk.getState();
    fireEvent.click(use());
    expect(useDesk.getState().options.mappings).toEqual([{ ...bill.mapping, name: "Rack invoices", columns: { start: "When", billed: "Paid out", currency: "Money" }, constants: { provider: "Rack" } }]);
    expect(useDesk.getState().attempt).toBe(attempt + 1);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(shown.missing).toEqual([]);
  });

  it("is that of a log where it holds measurements and no amount; a unit that nothing states is asked", async () => {
    const shown = await open({ logGuess: utilizationOpen });
    expect(screen.getByRole("table", { name: "Measurements, at least one" })).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toContain("Still needed: unit of Utilisation.");
    choose("Utilisation", "0 to 1");
    fireEvent.click(use());
    expect(useDesk.getState().options.mappings).toEqual([{ ...utilizationOpen.mapping, units: { power: "W", utilization: "ratio" } }]);
    expect(shown.missing).toEqual([]);
  });

  it("is asked once a layout, and holds for every file that has it", () => {
    const files: readonly PreviewFile[] = [refused, { ...refused, path: "logs.zip › a.csv", shape: "two" }, { ...refused, path: "logs.zip › b.csv", shape: "two" }, { ...refused, path: "august.csv" }];
    expect(openLayouts(files).map(({ shape, files: of }) => [shape, of.map(({ path }) => path)])).toEqual([["one", ["july.csv", "august.csv"]], ["two", ["logs.zip › a.csv", "logs.zip › b.csv"]]]);
    const shown = showWindow(<MappingQuestions preview={{ plan: "p1", files }} />);
    expect(screen.getByRole("heading").textContent).toBe("2 layouts are not known yet");
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual(["july.csvand 1 more with these columnsSay what its columns mean", "logs.zip › a.csvand 1 more with these columnsSay what its columns mean"]);
    expect(shown.missing).toEqual([]);
  });

  it("said of two layouts is kept of both; said again of one, anew", () => {
    act(() => useDesk.getState().put([{ token: "t1", name: "july.csv" }]));
    const other = { ...bill.mapping, header: ["a", "b"], columns: {} };
    act(() => { useDesk.getState().map(bill.mapping); useDesk.getState().map(other); });
    act(() => useDesk.getState().map({ ...bill.mapping, header: [...header].reverse(), zoneMinutes: 60 }));
    expect(useDesk.getState().options.mappings?.map((mapping) => [mapping.header.length, "zoneMinutes" in mapping ? mapping.zoneMinutes : null])).toEqual([[5, 60], [2, 0]]);
  });

  it("has its words in Chinese too", async () => {
    const shown = await open({ language: "zh-CN" });
    expect(screen.getByRole("alert").textContent).toContain("尚需指定：开始时间或日期、账单成本、云厂商。");
    expect(shown.missing).toEqual([]);
  });
});
