// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { calculators } from "../../../main/engine/planning/calculators/index.ts";
import { readFields } from "../../../main/engine/planning/calculators/given.ts";
import { selectionOutcome } from "../../../main/engine/planning/vendor-selection.ts";
import { Calculators } from "../../../renderer/calculators/Calculators.tsx";
import { calculationCommand } from "../../../renderer/calculators/command.ts";
import { amountOf, dayOf, eachStep, newSelection, scoreOf, shareOf } from "../../../renderer/calculators/vendor-form.ts";
import { Vendors } from "../../../renderer/calculators/Vendors.tsx";
import { useCalculators } from "../../../renderer/state/calculators.ts";
import type { CalculatorAnswer, CalculatorFacts } from "../../../shared/contract/calculators.ts";
import type { MethodInput } from "../../../shared/contract/methods.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { documentsIn } from "../documents.ts";
import { showWindow, type Answers } from "../window.tsx";

const { status } = documentsIn("en");
const facts: CalculatorFacts = { currency: "USD", month: "2026-09", models: ["A100", "H100"], profiles: [{ id: "nvidia-a100/1g", text: "A100 · 1g" }], machines: ["p5.48xlarge"] };
/** What the engine answers, without a ledger. */
const work = ({ calculator, inputs }: MethodInput<"calculator.run">): Result<unknown> => {
  const read = readFields(calculator, inputs);
  if (!read.ok) return read;
  const worked = calculators[calculator].work({ currency: "USD", values: read.value.values, choices: read.value.choices, facts: {} });
  if (!worked.ok) return worked;
  const answer: CalculatorAnswer = { calculator, currency: "USD", month: null, inputs: read.value.inputs, lines: worked.value.lines, table: worked.value.table ?? null, notes: worked.value.notes ?? [] };
  return ok(answer);
};
const answers: Answers = {
  "app.info": ok({ version: "1", platform: "linux", isPackaged: true }),
  "calculator.facts": ok(facts),
  "calculator.run": work,
};

beforeEach(() => useCalculators.setState(useCalculators.getInitialState()));
afterEach(cleanup);

describe("calculators in the window", () => {
  it("start from an example that says it is one, and work out what is typed at once", async () => {
    const shown = showWindow(<Calculators status={status} />, { answers });
    expect(await screen.findByText("These are example numbers, not yours. Type over them.")).toBeTruthy();
    expect(await screen.findByText("70 samples fit beside the weights.")).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Bytes per parameter"), { target: { value: "1" } });
    expect(await screen.findByText("79 samples fit beside the weights.")).toBeTruthy();
    expect(screen.queryByText(/example numbers/)).toBeNull();
    expect(shown.missing).toEqual([]);
  });

  it("say what is missing instead of a number, once the example is cleared", async () => {
    showWindow(<Calculators status={status} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Clear" }));
    expect(await screen.findByText("Not known yet. Needs GPU memory, Parameters, Bytes per parameter, Memory per sample.")).toBeTruthy();
    expect(within(screen.getByRole("table", { name: "What follows" })).getByRole("row", { name: /^Batch size/ }).textContent).toContain("—");
  });

  it("mark the field that cannot be, and say what to do", async () => {
    showWindow(<Calculators status={status} />, { answers });
    const field = await screen.findByLabelText("GPU memory (GB, or GiB if you say so)");
    fireEvent.change(field, { target: { value: "0" } });
    expect(await screen.findByText(/GPU memory: “0” is not above 0/)).toBeTruthy();
    expect(field.getAttribute("aria-invalid")).toBe("true");
  });

  it("keep what was typed while another is looked at", async () => {
    showWindow(<Calculators status={status} />, { answers });
    fireEvent.change(await screen.findByLabelText("Bytes per parameter"), { target: { value: "4" } });
    fireEvent.click(screen.getByRole("button", { name: "Staged path" }));
    expect(await screen.findByText("efficiency 92.0 %, floor 70.0 %", { normalizer: (text) => text.replaceAll("\u202f", " ") })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Batch size" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Bytes per parameter")).value).toBe("4");
  });

  it("speak Chinese as well", async () => {
    const shown = showWindow(<Calculators status={status} />, { answers, language: "zh-CN" });
    fireEvent.click(await screen.findByRole("button", { name: "竞价与检查点" }));
    expect(await screen.findByText("85% 不成立")).toBeTruthy();
    expect(shown.missing).toEqual([]);
  });

  it("copy the command that works out the same", () => {
    const question = { calculator: "granularity", inputs: { "gpu-model": "A100 80GB", "second-price": "4", "start-seconds": "" }, currency: null, month: "2026-09", log: null } as const;
    expect(calculationCommand(question, { ledgerName: "mine", logName: null, language: "en", isPackaged: true })).toBe("gpu-ledger --headless calc granularity --gpu-model 'A100 80GB' --second-price 4 --ledger mine.gpuledger --period 2026-09 --lang en");
    expect(calculationCommand({ ...question, inputs: { "second-price": "4" } }, { ledgerName: "mine", logName: null, language: "en", isPackaged: true })).not.toContain("--ledger");
  });
});

describe("vendor selection in the window", () => {
  const stored = { ...newSelection("clouds", "USD"), id: 1, changedAt: "2026-10-01T00:00:00Z", vendors: [{ name: "alpha", steps: eachStep(() => ({ score: "8", evidence: "", source: "", foundOn: null })), quotes: [] }] };
  const kept: Answers = {
    ...answers,
    "selections.list": ok({ selections: [{ id: 1, name: "clouds", changedAt: stored.changedAt }] }),
    "selection.read": ok(selectionOutcome(stored, null)),
    "selection.save": ok({ revision: 2, id: 1 }),
  };

  it("offers to begin where there is none", async () => {
    const shown = showWindow(<Vendors status={status} />, { answers: { ...answers, "selections.list": ok({ selections: [] }), "selection.save": ok({ revision: 2, id: 1 }) } });
    fireEvent.click(await screen.findByRole("button", { name: "New selection" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText("Weight: Benchmark"), { target: { value: "many" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(within(dialog).getByRole("alert").textContent).toContain("Weights are numbers");
    fireEvent.change(within(dialog).getByLabelText("Weight: Benchmark"), { target: { value: "50" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "selection.save")?.input).toMatchObject({ selection: { id: null, weights: { benchmark: "50", pilot: "15" } } }));
    expect(shown.missing).toEqual([]);
  });

  it("keeps a vendor's score with its evidence, and refuses a score of 11", async () => {
    const shown = showWindow(<Vendors status={status} />, { answers: kept });
    fireEvent.click(await screen.findByRole("button", { name: "Score alpha" }));
    const dialog = await screen.findByRole("dialog");
    const benchmark = within(dialog).getByRole("group", { name: "Benchmark" });
    fireEvent.change(within(benchmark).getByLabelText("Score, 0 to 10"), { target: { value: "11" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    expect(within(dialog).getByRole("alert").textContent).toContain("between 0 and 10");
    fireEvent.change(within(benchmark).getByLabelText("Score, 0 to 10"), { target: { value: "9.5" } });
    fireEvent.change(within(benchmark).getByLabelText("Evidence"), { target: { value: "run 12" } });
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "selection.save")?.input).toMatchObject({ selection: { vendors: [{ name: "alpha", steps: { benchmark: { score: "9.5", evidence: "run 12" } } }] } }));
  });

  it("takes a quote out of the price book, in the selection's currency, with the list price that it is held against", async () => {
    const price = {
      provider: "aws", instanceType: "p5.48xlarge", region: "us-east-1", mode: "on-demand", payment: null, isConvertible: false, currency: "USD", pricePerHour: "33", upfront: "0", acceleratorId: null, acceleratorCount: 8, scope: "machine", priceDate: "2026-11-30", origin: "own",
      source: "letter", id: 1, isSuperseded: false, effectivePerHour: "33", statedPerHour: "33", discount: null, ageDays: 1, beaten: [{ origin: "list", source: "list", priceDate: "2026-07-20", pricePerHour: "55.04", upfront: "0", currency: "USD" }],
    } as const;
    const book = { on: "2026-12-01", total: 2, prices: [price, { ...price, currency: "EUR", id: 2 }], counts: { all: 2, own: 2, sheet: 0, discounted: 0 }, providers: [], regions: [], lists: [], sheets: [], discounts: [], own: [] };
    const shown = showWindow(<Vendors status={status} />, { answers: { ...kept, "prices.list": ok(book) } });
    fireEvent.click(await screen.findByRole("button", { name: "Score alpha" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByLabelText("Find in the price book"), { target: { value: "p5" } });
    fireEvent.click(await within(dialog).findByRole("button", { name: "AWS p5.48xlarge, us-east-1, on demand, 30 Nov 2026" }));
    fireEvent.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(shown.asked.find(({ name }) => name === "selection.save")?.input).toMatchObject({
      selection: { vendors: [{ name: "alpha", quotes: [{ item: "AWS p5.48xlarge, us-east-1, on demand, 30 Nov 2026", list: "55.04", quoted: "33", validUntil: null }] }] },
    }));
  });

  it("changes nothing in a ledger that can only be read", async () => {
    showWindow(<Vendors status={{ ...status, isReadOnly: true }} />, { answers: kept });
    await screen.findByRole("heading", { name: "Vendor selection" });
    expect(screen.queryByRole("button", { name: /New selection|Add a vendor/ })).toBeNull();
  });

  it("reads what is typed, and takes nothing for zero", () => {
    expect([scoreOf(""), scoreOf("10"), scoreOf("10.5"), scoreOf("seven")]).toEqual([null, "10", undefined, undefined]);
    expect([amountOf(""), amountOf("1,234.5"), amountOf("-1"), amountOf("x")]).toEqual([null, "1234.5", undefined, undefined]);
    expect([dayOf(""), dayOf("2026-02-30"), dayOf("2026-02-28")]).toEqual([null, undefined, "2026-02-28"]);
    expect([shareOf(""), shareOf("60 %"), shareOf("33.3"), shareOf("120")]).toEqual([null, "0.6", "0.333", undefined]);
  });
});
