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
import { providerOf } from "../reference/type-names.ts";
import { carbonOf, carbonReference } from "../reports/carbon-rows.ts";
import { gather } from "../reports/gather.ts";
import { carbonActions, cleanerRegions } from "../reports/index.ts";
import { boundaryOf } from "../reports/scope-words.ts";
import { query, readAll } from "../store/sql.ts";
import { actionsOf } from "../teams/actions.ts";
import { authorOf, noteChange } from "../teams/changes.ts";
import { change } from "./allocation.ts";
import type { HandlersOf } from "./index.ts";
import { replayKeptRule, reportContext, scopeOf } from "./reports.ts";

export const esgHandlers: HandlersOf<"esg.export" | "esg.list" | "provider-emissions.compare" | "carbon.regions" | "carbon.actions"> = {
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
    const author = authorOf(by, context);
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

  async "carbon.actions"(context, { period, currency }) {
    const reading = reportContext(context);
    if (!reading.ok) return reading;
    const gathered = gather(reading.value, { period, scope: {}, basis: "EffectiveCost", currency });
    if (gathered === null) return err(ledgerError("period.invalid", { text: period }));
    const prices = pricesIn(join(context.options.resourcesFolder, "reference"));
    if (!prices.ok) return prices;
    const [carbon, regions, tables] = [carbonOf(reading.value, { period, scope: {} }), cleanerRegions(reading.value, prices.value, { period, scope: {}, need: "anywhere" }), carbonReference(reading.value.reference)];
    if (!carbon.ok) return carbon;
    if (!regions.ok) return regions;
    if (!tables.ok) return tables;
    await replayKeptRule(context, { period, scope: {}, currency });
    const gpus = new Map(tables.value.machineTypes.map(({ provider, instanceType, acceleratorCount }) => [`${provider} ${instanceType.toLowerCase()}`, acceleratorCount]));
    const hosts = new Map(gathered.hosts().map(({ resource, host }) => [resource.toLowerCase(), host]));
    return ok({
      period,
      lines: carbonActions({
        rows: carbon.value.rows, regions: regions.value.lines, actions: actionsOf(gathered, period), months: gathered.months.length,
        gpusOf: (provider, instanceType) => gpus.get(`${providerOf(provider) ?? ""} ${instanceType.toLowerCase()}`) ?? null,
        hostOf: (resource) => hosts.get(resource.toLowerCase()) ?? null,
      }),
    });
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
