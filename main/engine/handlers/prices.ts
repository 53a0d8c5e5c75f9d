import { ledgerError } from "../../../shared/contract/errors.ts";
import type { BookPrice, PriceList, PriceSheetImport } from "../../../shared/contract/offers.ts";
import { compare, decimal, toDecimal, toNumber } from "../../../shared/domain/rational.ts";
import { compareIds } from "../../../shared/domain/money.ts";
import { err, ok } from "../../../shared/result.ts";
import { readPriceSheet } from "../prices/read.ts";
import { bookOf, dayOf, discountsOf, keepDiscount, keepOwnPrice, keepSheet, ownPrices, removeDiscount, removeOwnPrice, removeSheet, sheetsOf } from "../prices/store.ts";
import type { SheetPrice } from "../prices/sheet.ts";
import { hourlyOf, type PriceBook } from "../reference/price-book.ts";
import { providerOf } from "../reference/type-names.ts";
import { noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";

export const priceHandlers: HandlersOf<"prices.list" | "prices.import" | "prices.remove-sheet" | "price.save" | "price.remove" | "discount.save" | "discount.remove"> = {
  "prices.list"(context, { text, provider, mode, origin, on, offset, limit }) {
    const book = bookOf(context, on);
    if (!book.ok) return book;
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const found = book.value.prices.filter(
      (price) =>
        (provider === null || price.provider === provider) &&
        (mode === null || price.mode === mode) &&
        (origin === null || price.origin === origin) &&
        words.every((word) => `${price.provider} ${price.instanceType} ${price.region} ${price.mode} ${price.acceleratorId ?? ""} ${price.source}`.toLowerCase().includes(word)),
    );
    // What the person brought comes first; the book is in order otherwise.
    found.sort((a, b) => weightOf(b) - weightOf(a));
    const opened = context.open();
    const db = opened.ok ? opened.value.ledger.db : null;
    return ok({
      on: book.value.on,
      total: found.length,
      prices: found.slice(offset, offset + limit),
      counts: {
        all: book.value.prices.length,
        own: book.value.prices.filter((price) => price.origin === "own").length,
        sheet: book.value.prices.filter((price) => price.origin === "sheet").length,
        discounted: book.value.prices.filter((price) => price.discount !== null).length,
      },
      providers: [...new Set(book.value.prices.map((price) => price.provider))].sort(compareIds),
      regions: [...new Set(book.value.prices.map((price) => price.region))].sort(compareIds),
      lists: listsOf(book.value),
      sheets: db === null ? [] : sheetsOf(db),
      discounts: db === null ? [] : discountsOf(db),
      own: db === null ? [] : ownPrices(db),
    });
  },

  async "prices.import"(context, { file, isPreview, by }) {
    const reference = context.reference();
    if (!reference.ok) return reference;
    const opened = isPreview ? context.open() : context.writable();
    if (!opened.ok) return opened;
    const read = await readPriceSheet(file, reference.value, dayOf(context.now()));
    if (!read.ok) return read;
    const book = bookOf(context, null);
    if (!book.ok) return book;
    const sheet = read.value;
    const compared = comparedWith(book.value, sheet.prices);
    const said = {
      format: sheet.format, file: sheet.file, priceDate: sheet.priceDate, rowsRead: sheet.rowsRead, rowsSkipped: sheet.rowsSkipped, prices: sheet.prices.length,
      currencies: [...new Set(sheet.prices.map(({ currency }) => currency))].sort(compareIds), providers: [...new Set(sheet.prices.map(({ provider }) => provider))].sort(compareIds), ...compared,
    };
    if (isPreview) return ok({ ...said, sheet: null, revision: opened.value.ledger.revision() });
    let id = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      id = keepSheet(db, sheet, author);
      noteChange(db, author, "prices", "imported", sheet.file, null, { prices: sheet.prices.length, priceDate: sheet.priceDate });
    });
    return done.ok ? ok({ ...said, sheet: id, revision: done.value.revision }) : done;
  },

  async "prices.remove-sheet"(context, { id, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const found = sheetsOf(opened.value.ledger.db).find((sheet) => sheet.id === id);
    if (found === undefined) return err(ledgerError("prices.not-found", { id }));
    return change(context, by, ({ ledger: { db } }, author) => {
      removeSheet(db, id);
      noteChange(db, author, "prices", "removed", found.file, { prices: found.prices, priceDate: found.priceDate }, null);
    });
  },

  async "price.save"(context, { price, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const before = ownPrices(opened.value.ledger.db).find(({ id }) => id === price.id) ?? null;
    if (price.id !== null && before === null) return err(ledgerError("prices.not-found", { id: price.id }));
    const kept = { ...price, provider: providerOf(price.provider) ?? price.provider.toLowerCase() };
    let id = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      id = keepOwnPrice(db, kept, author);
      noteChange(db, author, "prices", before === null ? "added" : "changed", `${kept.provider} ${kept.instanceType} ${kept.region} ${kept.mode}`, before, { ...kept, id });
    });
    return done.ok ? ok({ ...done.value, id }) : done;
  },

  async "price.remove"(context, { id, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const found = ownPrices(opened.value.ledger.db).find((price) => price.id === id);
    if (found === undefined) return err(ledgerError("prices.not-found", { id }));
    return change(context, by, ({ ledger: { db } }, author) => {
      removeOwnPrice(db, id);
      noteChange(db, author, "prices", "removed", `${found.provider} ${found.instanceType} ${found.region} ${found.mode}`, found, null);
    });
  },

  async "discount.save"(context, { discount, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const before = discountsOf(opened.value.ledger.db).find(({ id }) => id === discount.id) ?? null;
    if (discount.id !== null && before === null) return err(ledgerError("prices.not-found", { id: discount.id }));
    const kept = { ...discount, provider: providerOf(discount.provider) ?? discount.provider.toLowerCase() };
    let id = 0;
    const done = await change(context, by, ({ ledger: { db } }, author) => {
      id = keepDiscount(db, kept);
      noteChange(db, author, "prices", before === null ? "added" : "changed", kept.name, before, { ...kept, id });
    });
    return done.ok ? ok({ ...done.value, id }) : done;
  },

  async "discount.remove"(context, { id, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const found = discountsOf(opened.value.ledger.db).find((discount) => discount.id === id);
    if (found === undefined) return err(ledgerError("prices.not-found", { id }));
    return change(context, by, ({ ledger: { db } }, author) => {
      removeDiscount(db, id);
      noteChange(db, author, "prices", "removed", found.name, found, null);
    });
  },
};

function listsOf(book: PriceBook): PriceList["lists"] {
  const listed = book.prices.filter(({ origin }) => origin === "list");
  return [...Map.groupBy(listed, ({ provider }) => provider)].map(([provider, prices]) => {
    const days = prices.map(({ priceDate }) => priceDate).sort(compareIds);
    return { provider, prices: prices.length, oldest: days[0] ?? "", newest: days.at(-1) ?? "", source: [...new Set(prices.filter(({ isSuperseded }) => !isSuperseded).map(({ source }) => source))].sort(compareIds).join("; ") };
  });
}

function weightOf({ origin, discount }: BookPrice): number {
  return origin === "own" ? 3 : origin === "sheet" ? 2 : discount === null ? 0 : 1;
}

const SAMPLE = 12;

/** A sheet beside what holds now: new, dearer, cheaper or the same, and the largest changes. */
function comparedWith(book: PriceBook, prices: readonly SheetPrice[]): Pick<PriceSheetImport, "added" | "dearer" | "cheaper" | "same" | "sample"> {
  const lines = prices.map((price) => {
    const rival = book.find(price.provider, price.instanceType, price.region).find((held) => held.mode === price.mode && held.payment === price.payment && held.isConvertible === price.isConvertible && held.scope === price.scope && held.currency === price.currency) ?? null;
    return { price, rival, order: rival === null ? null : compare(hourlyOf(price), hourlyOf(rival)) };
  });
  const count = (order: -1 | 0 | 1 | null): number => lines.filter((line) => line.order === order).length;
  const shown = lines.filter(({ order }) => order !== 0).toSorted((a, b) => changeOf(b) - changeOf(a)).slice(0, SAMPLE);
  return {
    added: count(null), dearer: count(1), cheaper: count(-1), same: count(0),
    sample: shown.map(({ price, rival }) => ({ provider: price.provider, instanceType: price.instanceType, region: price.region, mode: price.mode, currency: price.currency, before: rival?.statedPerHour ?? null, now: toDecimal(hourlyOf(price)) })),
  };
}

/** How far a price moved; new ones come last. */
function changeOf({ price, rival }: { readonly price: SheetPrice; readonly rival: BookPrice | null }): number {
  if (rival === null) return -1;
  const before = toNumber(decimal(rival.statedPerHour));
  const now = toNumber(hourlyOf(price));
  return before === 0 ? 0 : Math.abs(now / before - 1);
}
