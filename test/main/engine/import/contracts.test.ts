/** The FOCUS Contract Commitment dataset: read as its own, replaced by contract, never a cost. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, beforeEach, expect, it } from "vitest";
import { termsOfCommitments } from "../../../../main/engine/commitments/contracts.ts";
import { openLedger } from "../../../../main/engine/store/open.ts";
import { answerOf, makeWorld, type World } from "../../../errors/world.ts";

let folder: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "contracts-"));
  world = await makeWorld(folder);
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Cost in the spec's own range of digits; the second has neither quantity nor end. */
const rows = [
  { ContractCommitmentId: "arn:aws:savingsplans::1:savingsplan/sp-1", ContractId: "K-1", ContractCommitmentType: "Savings Plan", ContractCommitmentCategory: "Spend", ContractCommitmentDescription: "Compute, 1 year", ContractCommitmentCost: "1121.840640000000000001", BillingCurrency: "USD", ContractCommitmentQuantity: "", ContractCommitmentUnit: "", ContractCommitmentPeriodStart: "2026-05-01T00:00:00Z", ContractCommitmentPeriodEnd: "2027-05-01T00:00:00Z" },
  { ContractCommitmentId: "ri-2", ContractId: "K-2", ContractCommitmentType: "Reserved Instance", ContractCommitmentCategory: "Usage", ContractCommitmentDescription: "p5, 3 years", ContractCommitmentCost: "5e3", BillingCurrency: "usd", ContractCommitmentQuantity: "35040.0000", ContractCommitmentUnit: "Hours", ContractCommitmentPeriodStart: "2026-01-01 00:00:00", ContractCommitmentPeriodEnd: "" },
] as const;
type Row = Readonly<Record<string, string>>;

function csv(table: readonly Row[], { delimiter = ",", end = "\n" } = {}): string {
  const names = Object.keys(table[0] ?? {});
  return [names, ...table.map((row) => names.map((name) => row[name] ?? ""))].map((cells) => cells.map((cell) => (cell.includes(delimiter) ? `"${cell}"` : cell)).join(delimiter)).join(end);
}
const contracts = async () => answerOf(await world.engine.ask("commitments.contracts", {})).contracts;
const ids = async () => (await contracts()).map(({ commitment, cost }) => [commitment, cost]);

it("reads what was agreed to the last digit, with its place, and adds it to no cost", async () => {
  await world.post(world.file("contracts.csv", csv(rows)));
  expect(await contracts()).toEqual([
    { commitment: rows[0].ContractCommitmentId, contract: "K-1", provider: null, type: "Savings Plan", category: "Spend", description: "Compute, 1 year", cost: "1121.840640000000000001", currency: "USD", quantity: null, unit: null, periodStart: "2026-05-01T00:00:00Z", periodEnd: "2027-05-01T00:00:00Z", status: null, paymentModel: null, file: "contracts.csv", line: 2, batch: 1 },
    { commitment: "ri-2", contract: "K-2", provider: null, type: "Reserved Instance", category: "Usage", description: "p5, 3 years", cost: "5000", currency: "USD", quantity: "35040.0000", unit: "Hours", periodStart: "2026-01-01T00:00:00Z", periodEnd: null, status: null, paymentModel: null, file: "contracts.csv", line: 3, batch: 1 },
  ]);
  expect(answerOf(await world.engine.ask("totals.read", { period: null, by: [] })).rows).toEqual([]);
  expect(answerOf(await world.engine.ask("batches.list", {}))).toMatchObject([{ kind: "commitments", format: "focus-contract-commitment", version: "1.3", rowsPosted: 2, isShown: true, totals: {} }]);
});

it("reads the same from CSV in any dress, from JSON lines and from Parquet", async () => {
  const names = Object.keys(rows[0]);
  const parquet = Buffer.from(parquetWriteBuffer({ columnData: names.map((name) => ({ name, data: rows.map((row) => (row as Row)[name] || null), type: "STRING" })) }));
  const turned = rows.map((row) => Object.fromEntries(Object.entries(row).reverse()));
  const dresses: Record<string, string | Buffer> = {
    "plain.csv": csv(rows),
    "turned.csv": `\uFEFF${csv(turned.map((row) => Object.fromEntries(Object.entries({ ...row, x_New: "7" }).map(([name, value]) => [name.toUpperCase(), value]))), { end: "\r\n" })}\r\n\r\n`,
    "semicolons.csv": csv(rows.map((row) => ({ ...row, ContractCommitmentCost: row.ContractCommitmentCost.replace("5e3", "5000,0").replace(".", ","), ContractCommitmentQuantity: row.ContractCommitmentQuantity.replace(".", ",") })), { delimiter: ";" }),
    "lines.jsonl": rows.map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === "" ? null : value])))).join("\n"),
    "packed.csv.zst": zstdCompressSync(csv(rows)),
    "rows.parquet": parquet,
  };
  const read: unknown[] = [];
  for (const [name, content] of Object.entries(dresses)) {
    const batch = await world.post(world.file(name, content));
    read.push((await contracts()).map(({ file, line, batch: _batch, ...said }) => (expect(file).toBe(name), expect(line).toBeGreaterThan(0), { ...said, commitment: said.commitment.toLowerCase() })));
    answerOf(await world.engine.ask("batches.undo", { batch }));
  }
  for (const each of read) expect(each).toEqual(read[0]);
});

it("lets a newer delivery replace the contracts it holds and leave the others, and undoes and redoes in any order", async () => {
  const [one, two] = rows;
  const first = await world.post(world.file("may.csv", csv([one, two])));
  const second = await world.post(world.file("june.csv", csv([{ ...one, ContractCommitmentCost: "2000" }])));
  expect(await ids()).toEqual([[one.ContractCommitmentId, "2000"], ["ri-2", "5000"]]);
  answerOf(await world.engine.ask("batches.undo", { batch: first }));
  expect(await ids()).toEqual([[one.ContractCommitmentId, "2000"]]);
  answerOf(await world.engine.ask("batches.undo", { batch: second }));
  expect(await ids()).toEqual([]);
  answerOf(await world.engine.ask("batches.redo", { batch: first }));
  expect(await ids()).toEqual([[one.ContractCommitmentId, "1121.840640000000000001"], ["ri-2", "5000"]]);
  answerOf(await world.engine.ask("batches.redo", { batch: second }));
  expect(await ids()).toEqual([[one.ContractCommitmentId, "2000"], ["ri-2", "5000"]]);
  expect(answerOf(await world.engine.ask("import.preview", { files: [join(folder, "may.csv")], options: {} })).files[0]?.state).toBe("unchanged");
});

it("says when a commitment that a bill names ends, whatever the case of its id; the person's own word stands before it", async () => {
  const [one] = rows;
  await world.post(world.file("k.csv", csv([{ ...one, ContractCommitmentPaymentModel: "Partial Upfront" }])));
  const own = { commitment: one.ContractCommitmentId, startsOn: null, endsOn: null, termMonths: null, payment: "no-upfront", gpus: "8", isConvertible: null, renewalHourly: null, note: null } as const;
  const known = () => {
    const ledger = openLedger(world.ledger, { create: false });
    if (!ledger.ok) throw new Error(ledger.error.code);
    const found = termsOfCommitments(ledger.value.db).get(one.ContractCommitmentId.toLowerCase());
    ledger.value.close();
    return found;
  };
  const stated = { ...own, commitment: one.ContractCommitmentId, startsOn: "2026-05-01", endsOn: "2027-05-01", termMonths: 12, gpus: null, payment: "partial-upfront" };
  expect(known()).toEqual({ term: stated, contract: { file: "k.csv", line: 2 } });
  answerOf(await world.engine.ask("commitment.save", { term: { ...own, commitment: one.ContractCommitmentId.toUpperCase() }, by: null }));
  expect(known()).toMatchObject({ term: { endsOn: "2027-05-01", termMonths: 12, payment: "no-upfront", gpus: "8" }, contract: { file: "k.csv", line: 2 } });
  answerOf(await world.engine.ask("commitment.save", { term: { ...own, commitment: one.ContractCommitmentId.toUpperCase(), endsOn: "2028-01-01" }, by: null }));
  expect(known()).toMatchObject({ term: { endsOn: "2028-01-01" }, contract: null });
});

it("sets aside rows that it cannot read, with what was expected, and takes the columns of 1.4", async () => {
  const [one] = rows;
  const table = [
    { ...one, ContractCommitmentLifecycleStatus: "Active", ContractCommitmentPaymentModel: "No Upfront", ServiceProviderName: "AWS" },
    { ...one, ContractCommitmentId: "" },
    { ...one, ContractCommitmentCost: "1.2.3" },
    { ...one, BillingCurrency: "" },
    { ...one, ContractCommitmentPeriodEnd: "soon" },
  ];
  const { files } = answerOf(await world.engine.ask("import.preview", { files: [world.file("k.csv", csv(table))], options: {} }));
  expect(files).toMatchObject([{ kind: "commitments", version: "1.4", state: "ready", rowsRead: 5, rowsPosted: 1, rowsSetAside: 4 }]);
  expect(files[0]?.setAside).toEqual([
    { line: 3, column: "ContractCommitmentId", value: "", reason: "required" },
    { line: 4, column: "ContractCommitmentCost", value: "1.2.3", reason: "decimal" },
    { line: 5, column: "BillingCurrency", value: "", reason: "currency" },
    { line: 6, column: "ContractCommitmentPeriodEnd", value: "soon", reason: "utc-time" },
  ]);
});

it("refuses a file that names commitments and not until when, and leaves nothing staged", async () => {
  expect(await world.refusalOf(world.file("k.csv", "ContractCommitmentId,BillingCurrency\nc-1,USD\n"))).toEqual({
    code: "import.column-missing", params: { file: "k.csv", format: "focus-contract-commitment", columns: "ContractCommitmentPeriodEnd" },
  });
  expect(await world.refusalOf(world.file("none.csv", "ContractCommitmentId,ContractCommitmentPeriodEnd\n,2026-01-01\n"))).toMatchObject({ code: "import.no-rows-usable" });
  expect(await contracts()).toEqual([]);
});
