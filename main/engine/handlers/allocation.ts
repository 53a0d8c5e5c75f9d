import { ledgerError } from "../../../shared/contract/errors.ts";
import type { AllocationState } from "../../../shared/contract/teams.ts";
import { monthsOf, parsePeriod, startOfDay, dayOf } from "../../../shared/domain/period.ts";
import { add, compare, decimal, whole, ZERO } from "../../../shared/domain/rational.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext, Opened } from "../context.ts";
import { writeWhole } from "../files.ts";
import { chargesOf } from "../reports/gather.ts";
import { lacksLines } from "../import/lines.ts";
import { bareKey } from "../allocation/assign.ts";
import { inboxOf, mainCurrency, previewRules } from "../teams/allocation.ts";
import { authorOf, changesOf, noteChange, type Author } from "../teams/changes.ts";
import { journalOf } from "../teams/journal.ts";
import { replaceRules, replaceVirtualTags, storedRules, storedVirtualTags } from "../teams/rules.ts";
import { ledgerAccounts, replacePools, saveLedgerAccounts, showbackOf, storedPools } from "../teams/shared-costs.ts";
import { query, readAll, type Db } from "../store/sql.ts";
import type { HandlersOf } from "./index.ts";

export const allocationHandlers: HandlersOf<
  "allocation.read" | "allocation.preview" | "allocation.save" | "allocation.inbox" | "virtual-tags.save" | "shared-costs.save" | "accounts.save" | "journal.export" | "changes.list"
> = {
  "allocation.read"(context) {
    const opened = context.open();
    return opened.ok ? ok(stateOf(opened.value.ledger.db)) : opened;
  },

  "allocation.preview"(context, { rules, period, currency }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const months = monthsIn(period);
    return months.ok ? ok(previewRules(opened.value.ledger.db, rules, period, months.value, currency)) : months;
  },

  async "allocation.save"(context, { rules, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      const before = storedRules(db).map(withoutId);
      replaceRules(db, rules);
      const names = new Set([...before, ...rules].map(({ name }) => name));
      const of = (list: readonly { readonly name: string }[], name: string): unknown => {
        const found = list.flatMap((rule, place) => (rule.name === name ? [{ place: place + 1, ...rule }] : []));
        return found.length === 0 ? null : found.length === 1 ? found[0] : found;
      };
      for (const name of names) {
        const [was, is] = [of(before, name), of(rules, name)];
        noteChange(db, author, "allocation", was === null ? "added" : is === null ? "removed" : "changed", name, was, is);
      }
    });
  },

  "allocation.inbox"(context, { period, currency }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const months = monthsIn(period);
    return months.ok ? ok(inboxOf(opened.value.ledger.db, period, months.value, currency)) : months;
  },

  async "virtual-tags.save"(context, { rules, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "allocation", "changed", "virtual-tags", storedVirtualTags(db), rules);
      replaceVirtualTags(db, rules);
    });
  },

  async "shared-costs.save"(context, { pools, by }) {
    const over = pools.findIndex(({ method, shares }) => method === "fixed" && compare(shares.reduce((sum, { percent }) => add(sum, decimal(percent)), ZERO), whole(100)) > 0);
    if (over !== -1) return err(ledgerError("contract.invalid", { question: "shared-costs.save", path: `pools.${over}.shares` }));
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "shared-costs", "changed", "shared-costs", storedPools(db), pools);
      replacePools(db, pools);
    });
  },

  async "accounts.save"(context, { accounts, by }) {
    return change(context, by, ({ ledger: { db } }, author) => {
      noteChange(db, author, "accounts", "changed", "ledger-accounts", ledgerAccounts(db), accounts);
      saveLedgerAccounts(db, accounts);
    });
  },

  "journal.export"(context, { period, currency: asked, basis, file }) {
    const opened = context.open();
    if (!opened.ok) return opened;
    const { db } = opened.value.ledger;
    const parsed = parsePeriod(period);
    if (parsed === null) return err(ledgerError("period.invalid", { text: period }));
    const months = monthsOf(parsed);
    const currency = asked ?? mainCurrency(db, months);
    const rows = currency === null ? [] : chargesOf(db, { months, scope: {}, currency, basis, by: ["team", "service"] });
    if (currency === null || rows.length === 0) return err(ledgerError("report.no-data", { period }));
    const showback = showbackOf(rows, storedPools(db));
    if (showback === null) throw new Error("pools over 100 % are refused when they are saved");
    const text = journalOf(showback, ledgerAccounts(db), { month: period, currency, lastDay: startOfDay(dayOf(parsed.end) - 1).slice(0, 10) });
    return writeWhole(file, text);
  },

  "changes.list"(context, { area, offset, limit }) {
    const opened = context.open();
    return opened.ok ? ok(changesOf(opened.value.ledger.db, area, offset, limit)) : opened;
  },
};

/** Makes a change in one transaction, counts the revision up and tells everyone. */
export async function change(context: EngineContext, by: string | null, work: (opened: Opened, author: Author) => void): Promise<Result<{ readonly revision: number }>> {
  const opened = context.writable();
  if (!opened.ok) return opened;
  return context.exclusive(() => {
    const { ledger, jobs } = opened.value;
    const author = authorOf(by, context);
    const revision = jobs.write(() =>
      ledger.db
        .transaction(() => {
          work(opened.value, author);
          return ledger.bump();
        })
        .immediate(),
    );
    context.emit({ name: "ledger.changed", payload: { revision } });
    // Lines of bills whose series are somebody else's now.
    if (lacksLines(ledger.db)) context.behindTheScenes(() => jobs.run("work-out-lines", null));
    return Promise.resolve(ok({ revision }));
  });
}

function monthsIn(period: string): Result<readonly string[]> {
  const parsed = parsePeriod(period);
  return parsed === null ? err(ledgerError("period.invalid", { text: period })) : ok(monthsOf(parsed));
}

function withoutId<Rule extends { readonly id: number }>({ id: _id, ...rule }: Rule): Omit<Rule, "id"> {
  return rule;
}

function stateOf(db: Db): AllocationState {
  const rules = storedRules(db);
  const pools = storedPools(db);
  const virtualTags = storedVirtualTags(db);
  const tagged = readAll(db, query<{ team: string }>("team")`-- allocation.team-names
    SELECT DISTINCT x_Team AS team FROM series WHERE x_Team IS NOT NULL ORDER BY x_Team`);
  const keys = readAll(db, query<{ key: string }>("key")`-- allocation.tag-keys
    SELECT DISTINCT t.key AS key FROM series s, json_each(s.Tags) t WHERE s.Tags IS NOT NULL ORDER BY t.key`);
  return {
    rules,
    pools,
    virtualTags,
    accounts: ledgerAccounts(db),
    teams: [...new Set([...tagged.map(({ team }) => team), ...rules.map(({ team }) => team), ...pools.flatMap(({ shares }) => shares.map(({ team }) => team))])].sort(),
    tagKeys: [...new Set([...keys.map(({ key }) => bareKey(key)), ...virtualTags.map(({ tag }) => tag)])].sort(),
  };
}
