import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { StopReplay, StopRule } from "../../../shared/contract/findings.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { stopScript } from "../findings/stop-script.ts";
import { replayStopRule, saveStopRule, type ReplayAsked } from "../findings/stops.ts";
import { instantOf } from "../metrics/model/civil-time.ts";
import type { HandlersOf } from "./index.ts";
import { reportContext, scopeOf } from "./reports.ts";

export const findingHandlers: HandlersOf<"stops.replay" | "stops.export" | "stop-rule.save"> = {
  "stops.replay": (context, input) => replay(context, "stops.replay", { ...input, scope: scopeOf(input.scope) }),

  async "stops.export"(context, { tool, language, file, ...asked }) {
    const replayed = await replay(context, "stops.export", { ...asked, scope: scopeOf(asked.scope) });
    if (!replayed.ok) return replayed;
    const { wordsOf } = context.options;
    if (wordsOf === undefined) throw new Error("a script needs its words");
    const { text, commands, comments } = stopScript(replayed.value, tool, await wordsOf(language), context.now().toISOString());
    const unfinished = `${file}.new`;
    try {
      writeFileSync(unfinished, text);
      renameSync(unfinished, file);
    } catch {
      rmSync(unfinished, { force: true });
      return err(ledgerError("file.not-writable", { file: basename(file) }));
    }
    return ok({ file: basename(file), commands, comments });
  },

  async "stop-rule.save"(context, { rule }) {
    const opened = context.writable();
    if (!opened.ok) return opened;
    const trouble = troubleOf("stop-rule.save", rule);
    if (trouble !== null) return err(ledgerError("contract.invalid", trouble));
    const { ledger, jobs } = opened.value;
    return context.exclusive(() => {
      const revision = jobs.write(() =>
        ledger.db
          .transaction(() => {
            saveStopRule(ledger.db, rule);
            return ledger.bump();
          })
          .immediate(),
      );
      context.emit({ name: "ledger.changed", payload: { revision } });
      return Promise.resolve(ok({ revision }));
    });
  },
};

async function replay(context: EngineContext, question: string, asked: ReplayAsked): Promise<Result<StopReplay>> {
  const trouble = asked.rule === null ? null : troubleOf(question, asked.rule);
  if (trouble !== null) return err(ledgerError("contract.invalid", trouble));
  const opened = context.open();
  if (!opened.ok) return opened;
  const reading = reportContext(context);
  if (!reading.ok) return reading;
  const replayed = await replayStopRule(reading.value, asked, (input) => opened.value.jobs.run("replay-stops", input));
  return replayed === null ? err(ledgerError("period.invalid", { text: asked.period })) : ok(replayed);
}

/** What a schema cannot say of a rule: the thresholds in order, and a time zone that exists. */
function troubleOf(question: string, rule: StopRule): { readonly question: string; readonly path: string } | null {
  if (rule.busyAtOrOverPercent < rule.idleAtOrUnderPercent) return { question, path: "rule.busyAtOrOverPercent" };
  if (rule.keepOn !== null && instantOf("2026-01-01T00:00", rule.keepOn.zone) === null) return { question, path: "rule.keepOn.zone" };
  return null;
}
