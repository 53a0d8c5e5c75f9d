import { join } from "node:path";
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { EsgIssue } from "../../../shared/contract/esg.ts";
import { monthsOf, parsePeriod } from "../../../shared/domain/period.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { comparisonOf, gatherPack } from "../esg/gather.ts";
import { keepPack } from "../esg/issued.ts";
import { isFrozen, packTables } from "../esg/tables.ts";
import { writePack } from "../esg/write.ts";
import { packFiles } from "../print/index.ts";
import { loadPrices, type ListPrice } from "../reference/load.ts";
import { carbonOf } from "../reports/carbon-rows.ts";
import { cleanerRegions } from "../reports/index.ts";
import { boundaryOf } from "../reports/scope-words.ts";
import { query, readAll } from "../store/sql.ts";
import { authorOf, noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";
import { reportContext, scopeOf } from "./reports.ts";

export const esgHandlers: HandlersOf<"esg.export" | "esg.list" | "provider-emissions.compare" | "carbon.regions"> = {
  async "esg.export"(context, { period, scope: asked, language, file, by, statement }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const { wordsOf } = context.options;
    if (wordsOf === undefined) throw new Error("an export needs its words");
    const scope = scopeOf(asked);
    const gathered = await gatherPack(reading.value, period, scope);
    if (!gathered.ok) return gathered;
    const { facts, figures, sha256, sameAs } = gathered.value;
    const { ledger } = reading.value;
    const author = authorOf(by, context.now());
    const head = { period, ledger: ledger.name, boundary: boundaryOf(scope), issuedAt: author.at, issuedBy: author.who, sha256, isFrozen: isFrozen(facts) };
    const files = await packFiles(packTables(facts), head, statement === null ? null : Buffer.from(statement, "base64"), await wordsOf(language));
    const written = writePack(file, files, new Date(author.at));
    if (!written.ok) return written;
    let issue = sameAs;
    // A ledger that can only be read gives its pack all the same, and cannot remember it.
    if (sameAs === null && context.writable().ok) {
      const kept = await change(context, by, ({ ledger: { db } }) => {
        issue = keepPack(db, { period, scope, language, revision: ledger.revision(), sha256, figures }, author);
        noteChange(db, author, "emissions", "issued", `ESG ${period}`, null, { issue, sha256 });
      });
      if (!kept.ok) return kept;
    }
    return ok({
      file, files: files.map(({ name }) => name), issue, isSame: sameAs !== null, sha256, coveredDays: facts.coveredDays, days: facts.days, isFrozen: isFrozen(facts), hasStatement: statement !== null,
    });
  },

  "esg.list"(context) {
    const opened = context.open();
    if (!opened.ok) return opened;
    return ok({
      issues: readAll(opened.value.ledger.db, query<EsgIssue>("issue", "issuedAt", "issuedBy", "period", "boundary", "language", "sha256")`-- esg.issues
        SELECT PackId AS issue, IssuedAt AS issuedAt, IssuedBy AS issuedBy, Period AS period, Boundary AS boundary, Language AS language, Sha256 AS sha256
        FROM esg_pack
        ORDER BY PackId DESC`),
    });
  },

  "carbon.regions"(context, { period, scope, need }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    if (parsePeriod(period) === null) return err(ledgerError("period.invalid", { text: period }));
    const prices = pricesIn(join(context.options.resourcesFolder, "reference"));
    return prices.ok ? cleanerRegions(reading.value, prices.value, { period, scope: scopeOf(scope), need }) : prices;
  },

  "provider-emissions.compare"(context, { period }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const span = parsePeriod(period);
    if (span === null) return err(ledgerError("period.invalid", { text: period }));
    const read = carbonOf(reading.value, { period, scope: {} });
    return read.ok ? ok(comparisonOf(reading.value, period, monthsOf(span), read.value)) : read;
  },
};

const lists = new Map<string, Result<readonly ListPrice[]>>();

/** The price lists, read once. */
function pricesIn(folder: string): Result<readonly ListPrice[]> {
  let known = lists.get(folder);
  if (known === undefined) lists.set(folder, (known = loadPrices(folder)));
  return known;
}
