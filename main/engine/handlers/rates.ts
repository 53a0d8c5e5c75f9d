import { basename } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { compare, decimal } from "../../../shared/domain/rational.ts";
import { err, ok } from "../../../shared/result.ts";
import { readText } from "../files.ts";
import { readRates } from "../rates/csv.ts";
import { currenciesWithRates, keepRates, ratePairs, removeRate, storedRates } from "../rates/store.ts";
import { convertedTotals } from "../rates/totals.ts";
import { change } from "./allocation.ts";
import { noteChange } from "../teams/changes.ts";
import { scopeOf } from "./reports.ts";
import type { HandlersOf } from "./index.ts";

export const rateHandlers: HandlersOf<"rates.list" | "rates.read" | "rates.import" | "rate.save" | "totals.converted"> = {
  "rates.list"(context) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    return ok({ pairs: ratePairs(db), currencies: currenciesWithRates(db) });
  },

  "rates.read"(context, { base, quote, offset, limit }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const all = storedRates(opened.value.ledger.db, [{ base, quote }]).reverse();
    return ok({ total: all.length, rates: all.slice(offset, offset + limit) });
  },

  async "rates.import"(context, { file, base, isPreview, by }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { ledger } = opened.value;
    const text = readText(file);
    if (!text.ok) return text;
    const read = readRates(text.value, basename(file), base);
    if (!read.ok) return read;
    const rates = read.value;
    const pairs = [...new Map(rates.map(({ base: one, quote }) => [`${one} ${quote}`, { base: one, quote }])).values()];
    const before = new Map(storedRates(ledger.db, pairs).map((known) => [`${known.base} ${known.quote} ${known.day}`, known.rate]));
    const was = rates.map((rate) => before.get(`${rate.base} ${rate.quote} ${rate.day}`) ?? null);
    const isSame = (place: number): boolean => was[place] !== null && was[place] !== undefined && compare(decimal(was[place]), decimal(rates[place]?.rate ?? "0")) === 0;
    const same = rates.filter((_, place) => isSame(place)).length;
    const added = was.filter((known) => known === null).length;
    if (!isPreview && rates.length > same) {
      const done = await change(context, by, ({ ledger: { db } }, author) => {
        keepRates(db, rates.filter((_, place) => !isSame(place)), basename(file), author);
        noteChange(db, author, "rates", "imported", basename(file), null, { added, changed: rates.length - added - same, pairs: pairs.length });
      });
      if (!done.ok) return done;
    }
    const days = rates.map(({ day }) => day).sort();
    return ok({ added, changed: rates.length - added - same, same, pairs: pairs.length, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null, revision: ledger.revision() });
  },

  async "rate.save"(context, { base, quote, day, rate, source, by }) {
    if (base === quote) return err(ledgerError("contract.invalid", { question: "rate.save", path: "quote" }));
    return change(context, by, ({ ledger: { db } }, author) => {
      const before = storedRates(db, [{ base, quote }]).find((known) => known.day === day)?.rate ?? null;
      if (rate === null) removeRate(db, { base, quote, day });
      else keepRates(db, [{ base, quote, day, rate }], source ?? author.who, author);
      noteChange(db, author, "rates", rate === null ? "removed" : before === null ? "added" : "changed", `${base}/${quote} ${day}`, before, rate);
    });
  },

  "totals.converted"(context, { period, by, scope, in: target }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const parsed = period === null ? null : parsePeriod(period);
    if (period !== null && parsed === null) return err(ledgerError("period.invalid", { text: period }));
    return ok(convertedTotals(opened.value.ledger.db, { months: parsed === null ? null : monthsOf(parsed), by, scope: scopeOf(scope), in: target }));
  },
};
