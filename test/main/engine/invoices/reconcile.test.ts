import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEngine, type Engine } from "../../../../main/engine/serve.ts";
import { readInvoices } from "../../../../main/engine/invoices/csv.ts";
import type { InvoiceReason, Reconciliation } from "../../../../shared/contract/reconcile.ts";

const resourcesFolder = join(import.meta.dirname, "../../../../resources");
let folder = "";
let engine: Engine;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "gpu-ledger-reconcile-"));
  engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined });
  await engine.ask("ledger.open", { file: join(folder, "mine.gpuledger"), create: true });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** One of everything that an invoice has lines for; together 1,093.1250000001, and a row of 41.27 that cannot be read. */
const lines = [
  { cost: "900.1250000001", category: "Usage", description: "hours" },
  { cost: "200", category: "Purchase", description: "plan", commitment: "sp-1" },
  { cost: "30", category: "Purchase", description: "support" },
  { cost: "55", category: "Usage", description: "model of a vendor", publisher: "Some Vendor" },
  { cost: "80", category: "Tax", description: "VAT" },
  { cost: "-120", category: "Credit", description: "promotion" },
  { cost: "-42", category: "Adjustment", description: "Refund of a double charge" },
  { cost: "-10", category: "Adjustment", description: "late correction" },
  { cost: "41.27", category: "Usage", description: "ends before it starts", end: "2026-08-01T00:00:00Z" },
];

async function importBill(numbered: readonly string[] = []): Promise<void> {
  const header = "BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargeDescription,CommitmentDiscountId,ProviderName,PublisherName,InvoiceIssuerName,ServiceName,SubAccountId,InvoiceId";
  const rows = lines.map(({ cost, category, description, commitment = "", publisher = "Amazon Web Services, Inc.", end = "2026-09-02T00:00:00Z" }, index) =>
    `1111,2026-09-01T00:00:00Z,2026-10-01T00:00:00Z,2026-09-01T00:00:00Z,${end},${cost},${cost},USD,${category},${description},${commitment},AWS,"${publisher}",AWS,EC2,1111,${numbered[index] ?? ""}`,
  );
  writeFileSync(join(folder, "bill.csv"), `${[header, ...rows].join("\n")}\n`);
  const preview = await engine.ask("import.preview", { files: [join(folder, "bill.csv")], options: {} });
  if (!preview.ok) throw new Error(preview.error.code);
  expect(await engine.ask("import.post", { plan: preview.value.plan })).toMatchObject({ ok: true });
}

async function reconciliation(): Promise<Reconciliation> {
  const read = await engine.ask("reconcile.read", { period: "2026-09" });
  if (!read.ok) throw new Error(read.error.code);
  expect(read.value.lines).toHaveLength(1);
  return read.value.lines[0]!;
}

const invoice = (amount: string) => engine.ask("invoice.save", { month: "2026-09", provider: "AWS", currency: "USD", amount, by: "Ana" });
const explain = (item: string, because: InvoiceReason, amount: string | null) => engine.ask("invoice-item.save", { month: "2026-09", provider: "AWS", currency: "USD", item, because, amount, note: null, by: "Ana" });

describe("an invoice held against the ledger", () => {
  it("puts every charge into one class, and the classes add up to what was billed", async () => {
    await importBill();
    const { classes, ledger, invoice: stated, difference, isReconciled } = await reconciliation();
    expect(classes.map(({ id, amount }) => [id, amount])).toEqual([
      ["usage", "900.1250000001"], ["commitment-fees", "200"], ["other-fees", "30"], ["marketplace", "55"], ["tax", "80"], ["credits", "-120"], ["refunds", "-42"], ["adjustments", "-10"],
    ]);
    expect(ledger).toBe("1093.1250000001");
    expect([stated, difference, isReconciled]).toEqual([null, null, false]);
  });

  it("takes what was set aside and what is finer than a cent out of the difference by itself", async () => {
    await importBill();
    await invoice("1134.40");
    expect(await reconciliation()).toMatchObject({ difference: "41.2749999999", setAside: { rows: 1, amount: "41.27" }, rounding: "0.0049999999", unexplained: "0", isReconciled: true, suggestions: [] });
  });

  it("finds what would explain the rest, and is done when it is taken up", async () => {
    await importBill();
    // The invoice leaves out the marketplace, which has one of its own, and tax.
    await invoice("999.40");
    const before = await reconciliation();
    expect(before).toMatchObject({ difference: "-93.7250000001", unexplained: "-134.9950000001", isReconciled: false });
    expect(before.suggestions[0]).toEqual([{ item: "marketplace", because: "other-invoice", amount: "-55" }, { item: "tax", because: "other-invoice", amount: "-80" }]);
    for (const { item, because, amount } of before.suggestions[0]!) await explain(item, because, amount);
    expect(await reconciliation()).toMatchObject({ unexplained: "0", rounding: "0.0049999999", isReconciled: true });
    const month = await engine.ask("month.read", { month: "2026-09" });
    expect(month.ok && month.value.items.find(({ id }) => id === "reconciled")?.state).toBe("done");
    // Taken back, it is open again.
    await explain("tax", "other-invoice", null);
    expect(await reconciliation()).toMatchObject({ unexplained: "-79.9950000001", isReconciled: false });
  });

  it("knows charges of another invoice by their number", async () => {
    await importBill(["A", "A", "A", "B", "A", "A", "A", "A"]);
    await invoice("1079.40");
    const { numbers, suggestions } = await reconciliation();
    expect(numbers).toEqual([{ number: "A", amount: "1038.1250000001" }, { number: "B", amount: "55" }]);
    expect(suggestions[0]).toEqual([{ item: "invoice:B", because: "other-invoice", amount: "-55" }]);
  });

  it("holds an invoice of a provider whose bill is not there against nothing", async () => {
    await engine.ask("invoice.save", { month: "2026-09", provider: "Lambda", currency: "USD", amount: "12.5", by: "Ana" });
    expect(await reconciliation()).toMatchObject({ provider: "Lambda", ledger: "0", difference: "12.5", unexplained: "12.5", isReconciled: false });
  });
});

describe("invoices as CSV", () => {
  it("are compared before, then kept, under the names that the bills have", async () => {
    await importBill();
    const file = join(folder, "invoices.csv");
    writeFileSync(file, "\ufeff月份;云厂商;币种;金额\r\n2026-09;Amazon Web Services;usd;1,000.50\r\n2026-09;Amazon Web Services;USD;133.90\r\n");
    const preview = await engine.ask("invoices.import", { file, isPreview: true, by: "Ana" });
    expect(preview).toMatchObject({ ok: true, value: { added: 1, changed: 0, same: 0, invoices: [{ month: "2026-09", provider: "AWS", currency: "USD", amount: "1134.4", before: null }] } });
    expect(await reconciliation()).toMatchObject({ invoice: null });
    await engine.ask("invoices.import", { file, isPreview: false, by: "Ana" });
    expect(await reconciliation()).toMatchObject({ invoice: "1134.4", isReconciled: true, enteredBy: "Ana" });
    expect(await engine.ask("invoices.import", { file, isPreview: false, by: "Ana" })).toMatchObject({ ok: true, value: { added: 0, changed: 0, same: 1 } });
  });

  it("are added where one provider is named in two ways", async () => {
    await importBill();
    const file = join(folder, "invoices.csv");
    writeFileSync(file, "Month,Provider,Currency,Amount\n2026-09,Amazon Web Services,USD,1000.50\n2026-09,AWS,USD,133.90\n");
    expect(await engine.ask("invoices.import", { file, isPreview: false, by: "Ana" })).toMatchObject({ ok: true, value: { added: 1, invoices: [{ provider: "AWS", amount: "1134.4" }] } });
    expect(await reconciliation()).toMatchObject({ invoice: "1134.4", isReconciled: true });
  });

  it("are read as a Chinese spreadsheet saves them, in GB18030", async () => {
    await importBill();
    const file = join(folder, "invoices.csv");
    // 月份,云厂商,币种,金额
    writeFileSync(file, Buffer.concat([Buffer.from("d4c2b7dd2cd4c6b3a7c9cc2cb1d2d6d62cbdf0b6ee0d0a", "hex"), Buffer.from("2026-09,AWS,USD,1134.40\r\n")]));
    expect(await engine.ask("invoices.import", { file, isPreview: true, by: "Ana" })).toMatchObject({ ok: true, value: { invoices: [{ amount: "1134.4" }] } });
    writeFileSync(file, Buffer.from([0, 1, 2, 3, 255]));
    expect(await engine.ask("invoices.import", { file, isPreview: true, by: "Ana" })).toMatchObject({ error: { code: "import.not-text" } });
  });

  it.each([
    ["together they are more than a ledger can hold", "Month,Provider,Currency,Amount\n2026-09,AWS,USD,9000000000\n2026-09,AWS,USD,9000000000\n", { code: "import.value-invalid", params: { line: 3, value: "9000000000" } }],
    ["a column is missing", "Month,Provider,Amount\n2026-09,AWS,1\n", { code: "import.column-missing", params: { columns: "currency" } }],
    ["an amount is none", "Month,Provider,Currency,Amount\n2026-09,AWS,USD,1\n2026-10,AWS,USD,?\n", { code: "import.value-invalid", params: { line: 3, value: "?", expected: "decimal" } }],
    ["a month is none", "Month,Provider,Currency,Amount\nSeptember,AWS,USD,1\n", { code: "import.value-invalid", params: { line: 2, value: "September" } }],
  ])("are refused whole where %s", (_, text, error) => {
    expect(readInvoices(text, "invoices.csv")).toMatchObject({ ok: false, error });
  });
});
