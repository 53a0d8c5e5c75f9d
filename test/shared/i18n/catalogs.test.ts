import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { billingFormats, telemetryFormats } from "../../../main/engine/formats/index.ts";
import { chargeClasses } from "../../../main/engine/metrics/charges.ts";
import { precisions } from "../../../main/engine/reference/catalog.ts";
import { explainFigure, readReport } from "../../../main/engine/reports/index.ts";
import { catalogs, languages, type Language } from "../../../shared/i18n/index.ts";
import { expectedKinds } from "../../../shared/contract/errors.ts";
import { reportIds, type Message, type MessageParam } from "../../../shared/contract/report.ts";
import { costBases, metricIds } from "../../../shared/domain/figure.ts";
import { company, contextOf, requestOf } from "../../main/engine/reports/company.ts";
import { messagesOf, opened } from "../../main/engine/reports/look.ts";

const keys = Object.keys(catalogs.en);
const placeholders = (text: string | undefined): string[] => [...new Set([...(text ?? "").matchAll(/\{\{\s*([\w-]+)\s*\}\}/g)].map((match) => match[1] ?? ""))].sort();

describe("the catalogs", () => {
  it("have the same keys in every language", () => {
    for (const language of languages) expect(Object.keys(catalogs[language]).sort()).toEqual([...keys].sort());
  });

  it("use the same facts in every language", () => {
    // A plural form may leave its number to the word ("one file").
    const differing = keys.filter((key) => !key.endsWith("_one") && placeholders(catalogs.en[key]).join() !== placeholders(catalogs["zh-CN"][key]).join());
    expect(differing).toEqual([]);
  });

  it("have words for every repair that the fold of a bill counts", () => {
    const folder = join(import.meta.dirname, "../../../main/engine/import");
    const sources = ["fold.ts", ...readdirSync(join(folder, "fold")).map((file) => join("fold", file))].map((file) => readFileSync(join(folder, file), "utf8"));
    const repairs = sources.flatMap((source) => [...source.matchAll(/\bcount\("([a-z-]+)"/g)].map(([, repair = ""]) => repair));
    expect(repairs.length).toBeGreaterThan(4);
    expect(repairs.filter((repair) => catalogs.en[`imports.repair.${repair}`] === undefined)).toEqual([]);
  });

  it("say something under every key", () => {
    for (const language of languages) expect(keys.filter((key) => (catalogs[language][key] ?? "").trim() === "" && !isUnit(key))).toEqual([]);
  });

  it("say each key in one place", () => {
    for (const language of languages) {
      const said = areas(language).flatMap(({ text }) => [...text.matchAll(/^\s+"([^"]+)":/gm)].map((match) => match[1] ?? ""));
      expect(said.filter((key, index) => said.indexOf(key) !== index)).toEqual([]);
    }
  });

  it("write Chinese with Chinese marks", () => {
    const latin = Object.entries(catalogs["zh-CN"]).filter(([, text]) => /[\u4e00-\u9fff”」）][.,;:?!](?![\w./])/.test(text) || /[\u4e00-\u9fff]\s*\((?!\{)/.test(text));
    expect(latin).toEqual([]);
  });

  it("pair every singular with a plural", () => {
    for (const key of keys.filter((name) => name.endsWith("_one"))) expect(keys).toContain(key.replace(/_one$/, "_other"));
  });

  it("name every metric, basis, format, precision, kind of charge and expected value", () => {
    const wanted = [
      ...metricIds.flatMap((id) => [`metric.${id}.name`, `metric.${id}.what`, `metric.${id}.formula`]),
      ...costBases.flatMap((basis) => [`basis.${basis}.name`, `basis.${basis}.sentence`]),
      ...[...billingFormats, ...telemetryFormats].map(({ id }) => `format.${id}`),
      ...precisions.map((precision) => `precision.${precision}`),
      ...chargeClasses.filter((id) => id !== "gpu" && id !== "other").map((id) => `line.${id}`),
      ...expectedKinds.map((kind) => `expected.${kind}`),
      ...["more", "less", "same", "first"].flatMap((way) => ["idle", "idle-apart", "idle-unknown", "no-gpu"].map((idle) => `review.answer.${way}.${idle}`)),
    ];
    expect(wanted.filter((key) => !keys.includes(key))).toEqual([]);
  });

  it("word every message that the reports' source names, with the facts it hands over", () => {
    const folder = join(import.meta.dirname, "../../../main/engine/reports");
    const named = readdirSync(folder).flatMap((file) => [...readFileSync(join(folder, file), "utf8").matchAll(/\b(?:message|words)\("([^"]+)"/g)].map((match) => match[1] ?? ""));
    expect(named.length).toBeGreaterThan(150);
    expect(named.filter((key) => !isWorded(key))).toEqual([]);
  });

  it("word every message of the golden company's reports and explanations", () => {
    const context = contextOf(company());
    const documents: unknown[] = [];
    for (const report of reportIds) for (const basis of costBases) documents.push(opened(readReport(context, requestOf(report, { basis }))));
    for (const metric of metricIds) documents.push(opened(explainFigure(context, { metric, period: "2026-09", scope: {}, basis: "EffectiveCost", currency: null })));
    for (const { key, params = {} } of messagesOf(documents).filter(isMessage)) {
      expect([key, isWorded(key)]).toEqual([key, true]);
      const text = catalogs.en[isPlural(params) ? `${key}_other` : key] ?? catalogs.en[key];
      expect([key, placeholders(text).filter((name) => params[name] === undefined)]).toEqual([key, []]);
    }
  });
});

/** Heads that are a unit or nothing at all. */
function isUnit(key: string): boolean {
  return key.startsWith("unit.");
}

function isWorded(key: string): boolean {
  return keys.includes(key) || keys.includes(`${key}_other`);
}

function isPlural(params: Readonly<Record<string, MessageParam>>): boolean {
  return Object.values(params).some((param) => "count" in param);
}

/** A row's id or a column's may be called key too; a message has only key and params. */
function isMessage(found: Message): boolean {
  return Object.keys(found).every((name) => name === "key" || name === "params");
}

function areas(language: Language): { readonly text: string }[] {
  const folder = join(import.meta.dirname, "../../../shared/i18n", language);
  return readdirSync(folder).map((file) => ({ text: readFileSync(join(folder, file), "utf8") }));
}
