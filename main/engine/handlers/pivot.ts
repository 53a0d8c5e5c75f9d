import type { MethodInput } from "../../../shared/contract/methods.ts";
import { ledgerError } from "../../../shared/contract/errors.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { rereadRows } from "../import/rows.ts";
import { readPivot, seriesOfGroup } from "../pivot/pivot.ts";
import { pivotSheet } from "../pivot/sheet.ts";
import { gather, type Gathered } from "../reports/gather.ts";
import type { HandlersOf } from "./index.ts";
import { writeWhole } from "../files.ts";
import { reportContext, scopeOf } from "./reports.ts";

export const pivotHandlers: HandlersOf<"pivot.read" | "pivot.rows" | "pivot.export"> = {
  "pivot.read"(context, { view, offset, limit, ...asked }) {
    const gathered = gatheredOf(context, asked);
    return gathered.ok ? readPivot(gathered.value, { view, offset, limit }) : gathered;
  },

  async "pivot.rows"(context, { view, keys, offset, limit, ...asked }) {
    const gathered = gatheredOf(context, asked);
    if (!gathered.ok) return gathered;
    const behind = seriesOfGroup(gathered.value, view, keys);
    if (!behind.ok) return behind;
    if (behind.value.seriesIds.length === 0) return ok({ total: 0, columns: [], rows: [], missing: [] });
    const { ledger, reference } = gathered.value.context;
    return ok(await rereadRows(ledger.db, { ...behind.value, offset, limit }, reference));
  },

  async "pivot.export"(context, { view, language, as, file, ...asked }) {
    const gathered = gatheredOf(context, asked);
    if (!gathered.ok) return gathered;
    const { wordsOf } = context.options;
    if (wordsOf === undefined) throw new Error("an export needs its words");
    const sheet = await pivotSheet(gathered.value, view, as, await wordsOf(language));
    return sheet.ok ? writeWhole(file, sheet.value) : sheet;
  },
};

function gatheredOf(context: EngineContext, { period, scope, currency }: Pick<MethodInput<"pivot.read">, "period" | "scope" | "currency">): Result<Gathered> {
  const reading = reportContext(context);
  if (!reading.ok) return reading;
  const gathered = gather(reading.value, { period, scope: scopeOf(scope), basis: "EffectiveCost", currency });
  return gathered === null ? err(ledgerError("period.invalid", { text: period })) : ok(gathered);
}
