/** The price book's own part of a ledger: sheets, own prices, discounts; and the book that they make with the app's lists. */
import { join } from "node:path";
import type { Discount, OwnPriceInput, Payment, PriceMode, PriceScope, PriceSheetFormat, PriceSheetLine, StatedPrice } from "../../../shared/contract/offers.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { rememberAnswer, type EngineContext } from "../context.ts";
import type { Reference } from "../reference/catalog.ts";
import { loadPrices, type ListPrice } from "../reference/load.ts";
import { priceBook, type PriceBook } from "../reference/price-book.ts";
import { typeKey } from "../reference/type-names.ts";
import { prepared, query, readAll, type Db } from "../store/sql.ts";
import type { Author } from "../teams/changes.ts";
import type { PriceSheet } from "./sheet.ts";

const lists = new Map<string, readonly StatedPrice[]>();

/** The prices that hold on a day (today without one): of the open ledger, or the app's lists alone where none is open. */
export function bookOf(context: EngineContext, on: string | null): Result<PriceBook> {
  const reference = context.reference();
  if (!reference.ok) return reference;
  const folder = join(context.options.resourcesFolder, "reference");
  let listed = lists.get(folder);
  if (listed === undefined) {
    const read = loadPrices(folder);
    if (!read.ok) return read;
    lists.set(folder, (listed = read.value.map((price) => ofList(price, reference.value))));
  }
  const day = on ?? dayOf(context.now());
  const opened = context.open();
  if (!opened.ok) return ok(listBook(folder, listed, day));
  const { ledger } = opened.value;
  const all = listed;
  return ok(rememberAnswer(ledger, `price-book ${day}`, () => priceBook([...all, ...sheetPrices(ledger.db), ...ownPrices(ledger.db).map(ofPerson)], discountsOf(ledger.db), day)));
}

let ofLists: { readonly key: string; readonly book: PriceBook } | null = null;

/** The book of the app's lists alone, kept for the day. */
function listBook(folder: string, listed: readonly StatedPrice[], day: string): PriceBook {
  const key = `${folder} ${day}`;
  if (ofLists?.key !== key) ofLists = { key, book: priceBook(listed, [], day) };
  return ofLists.book;
}

export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

function ofList(price: ListPrice, reference: Reference): StatedPrice {
  const { provider, instanceType, acceleratorId, region, mode, pricePerHour, currency, scope, status, priceDate, source } = price;
  const count = scope === "accelerator" ? 1 : (reference.lookups.typeByKey.get(typeKey(provider, instanceType))?.acceleratorCount ?? null);
  return {
    provider, instanceType, region, mode, payment: mode === "on-demand" || mode === "spot" ? null : "none", isConvertible: false, currency, pricePerHour, upfront: "0",
    acceleratorId, acceleratorCount: count, scope, priceDate, origin: "list", source, id: null, isSuperseded: status === "superseded",
  };
}

type OwnPrice = OwnPriceInput & { readonly id: number };

function ofPerson({ id, note, ...price }: OwnPrice): StatedPrice {
  return { ...price, isConvertible: false, scope: "machine", origin: "own", source: note ?? "", id, isSuperseded: false };
}

interface SheetRow {
  readonly id: number;
  readonly source: string;
  readonly provider: string;
  readonly instanceType: string;
  readonly region: string;
  readonly mode: PriceMode;
  readonly payment: Payment | null;
  readonly convertible: number;
  readonly currency: string;
  readonly pricePerHour: string;
  readonly upfront: string;
  readonly acceleratorId: string | null;
  readonly acceleratorCount: number | null;
  readonly scope: PriceScope;
  readonly priceDate: string;
}

function sheetPrices(db: Db): StatedPrice[] {
  const rows = readAll(db, query<SheetRow>("id", "source", "provider", "instanceType", "region", "mode", "payment", "convertible", "currency", "pricePerHour", "upfront", "acceleratorId", "acceleratorCount", "scope", "priceDate")`-- prices.sheet-prices
    SELECT
      p.SheetId AS id, s.FileName AS source, p.Provider AS provider, p.InstanceType AS instanceType, p.Region AS region, p.Mode AS mode, p.Payment AS payment,
      p.IsConvertible AS convertible, p.Currency AS currency, p.PricePerHour AS pricePerHour, p.Upfront AS upfront, p.AcceleratorId AS acceleratorId,
      p.AcceleratorCount AS acceleratorCount, p.Scope AS scope, p.PriceDate AS priceDate
    FROM sheet_price p JOIN price_sheet s USING (SheetId)
    ORDER BY p.SheetId, p.rowid`);
  return rows.map(({ convertible, ...row }) => ({ ...row, isConvertible: Number(convertible) === 1, origin: "sheet", isSuperseded: false }));
}

export function ownPrices(db: Db): OwnPrice[] {
  return readAll(db, query<OwnPrice>("id", "provider", "instanceType", "region", "mode", "payment", "currency", "pricePerHour", "upfront", "acceleratorId", "acceleratorCount", "priceDate", "note")`-- prices.own
    SELECT
      PriceId AS id, Provider AS provider, InstanceType AS instanceType, Region AS region, Mode AS mode, Payment AS payment, Currency AS currency, PricePerHour AS pricePerHour,
      Upfront AS upfront, AcceleratorId AS acceleratorId, AcceleratorCount AS acceleratorCount, PriceDate AS priceDate, Note AS note
    FROM own_price
    ORDER BY PriceId`);
}

export function discountsOf(db: Db): Discount[] {
  return readAll(db, query<Discount>("id", "name", "provider", "instanceType", "region", "mode", "percent", "fromDay", "untilDay", "note")`-- prices.discounts
    SELECT DiscountId AS id, Name AS name, Provider AS provider, InstanceType AS instanceType, Region AS region, Mode AS mode, Percent AS percent, FromDay AS fromDay, UntilDay AS untilDay, Note AS note
    FROM negotiated_discount
    ORDER BY DiscountId`);
}

export function sheetsOf(db: Db): PriceSheetLine[] {
  return readAll(db, query<Omit<PriceSheetLine, "format"> & { readonly format: PriceSheetFormat }>("id", "format", "file", "priceDate", "importedAt", "importedBy", "prices", "rowsRead", "rowsSkipped")`-- prices.sheets
    SELECT
      s.SheetId AS id, s.FormatId AS format, s.FileName AS file, s.PriceDate AS priceDate, s.ImportedAt AS importedAt, s.ImportedBy AS importedBy,
      (SELECT count(*) FROM sheet_price p WHERE p.SheetId = s.SheetId) AS prices, s.RowsRead AS rowsRead, s.RowsSkipped AS rowsSkipped
    FROM price_sheet s
    ORDER BY s.SheetId`);
}

/** Inside the caller's transaction. The same file taken again replaces itself. */
export function keepSheet(db: Db, { format, file, sha256, priceDate, rowsRead, rowsSkipped, prices }: PriceSheet, { who, at }: Author): number {
  prepared(db, "DELETE FROM price_sheet WHERE Sha256 = ?").run(sha256);
  const { lastInsertRowid } = prepared(db, "INSERT INTO price_sheet (FormatId, FileName, Sha256, PriceDate, ImportedAt, ImportedBy, RowsRead, RowsSkipped) VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(format, file, sha256, priceDate, at, who, BigInt(rowsRead), BigInt(rowsSkipped));
  const insert = prepared(db, "INSERT INTO sheet_price (SheetId, Line, Provider, InstanceType, Region, Mode, Payment, IsConvertible, Currency, PricePerHour, Upfront, AcceleratorId, AcceleratorCount, Scope, PriceDate) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const price of prices) {
    insert.run(lastInsertRowid, BigInt(price.line), price.provider, price.instanceType, price.region, price.mode, price.payment, price.isConvertible ? 1n : 0n, price.currency, price.pricePerHour, price.upfront, price.acceleratorId, price.acceleratorCount, price.scope, price.priceDate);
  }
  return Number(lastInsertRowid);
}

export function removeSheet(db: Db, id: number): void {
  prepared(db, "DELETE FROM price_sheet WHERE SheetId = ?").run(id);
}

export function keepOwnPrice(db: Db, price: OwnPriceInput, { who, at }: Author): number {
  const values = [price.provider, price.instanceType, price.region, price.mode, price.payment, price.currency, price.pricePerHour, price.upfront, price.acceleratorId, price.acceleratorCount, price.priceDate, price.note, at, who] as const;
  if (price.id !== null) {
    prepared(db, "UPDATE own_price SET Provider = ?, InstanceType = ?, Region = ?, Mode = ?, Payment = ?, Currency = ?, PricePerHour = ?, Upfront = ?, AcceleratorId = ?, AcceleratorCount = ?, PriceDate = ?, Note = ?, SavedAt = ?, SavedBy = ? WHERE PriceId = ?").run(...values, price.id);
    return price.id;
  }
  return Number(prepared(db, "INSERT INTO own_price (Provider, InstanceType, Region, Mode, Payment, Currency, PricePerHour, Upfront, AcceleratorId, AcceleratorCount, PriceDate, Note, SavedAt, SavedBy) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...values).lastInsertRowid);
}

export function removeOwnPrice(db: Db, id: number): void {
  prepared(db, "DELETE FROM own_price WHERE PriceId = ?").run(id);
}

export function keepDiscount(db: Db, { id, name, provider, instanceType, region, mode, percent, fromDay, untilDay, note }: Omit<Discount, "id"> & { readonly id: number | null }): number {
  const values = [name, provider, instanceType, region, mode, percent, fromDay, untilDay, note] as const;
  if (id !== null) {
    prepared(db, "UPDATE negotiated_discount SET Name = ?, Provider = ?, InstanceType = ?, Region = ?, Mode = ?, Percent = ?, FromDay = ?, UntilDay = ?, Note = ? WHERE DiscountId = ?").run(...values, id);
    return id;
  }
  return Number(prepared(db, "INSERT INTO negotiated_discount (Name, Provider, InstanceType, Region, Mode, Percent, FromDay, UntilDay, Note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").run(...values).lastInsertRowid);
}

export function removeDiscount(db: Db, id: number): void {
  prepared(db, "DELETE FROM negotiated_discount WHERE DiscountId = ?").run(id);
}
