import { resolve } from "node:path";
import type { CarbonAction } from "../../shared/contract/carbon-actions.ts";
import type { CarbonSettings, FactorsDifference, OwnFactorLine } from "../../shared/contract/carbon.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import { dash, sentences } from "../../shared/contract/words.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";
import type { Engine } from "../engine/serve.ts";
import type { CommandLine } from "./arguments.ts";
import type { CliStreams } from "./index.ts";

type Answer = Promise<Result<number, LedgerError>>;

/** `carbon actions`: what would emit less. `carbon factors import FILE | list | remove N` and `carbon settings`: factors of one's own, and who owns which hardware. */
export async function carbonCommand(line: CommandLine, words: Words, streams: CliStreams, open: (create: boolean, work: (engine: Engine) => Answer) => Answer): Answer {
  const [area, work, subject] = line.positionals;
  if (area === "actions") return open(false, (engine) => actions(engine, line, words, streams));
  if (area === "settings") return open(false, (engine) => settings(engine, line, words, streams));
  if (area !== "factors") return err(area === undefined ? ledgerError("use.missing", { option: "actions|factors|settings" }) : ledgerError("use.invalid", { option: "carbon", value: area }));
  if (work === "import") return subject === undefined ? err(ledgerError("use.missing", { option: "FILE" })) : open(true, (engine) => importFactors(engine, subject, line, words, streams));
  if (work === "list") return open(false, (engine) => list(engine, line, words, streams));
  if (work === "remove") return open(false, (engine) => remove(engine, subject, line, words, streams));
  return err(work === undefined ? ledgerError("use.missing", { option: "import|list|remove" }) : ledgerError("use.invalid", { option: "carbon factors", value: work }));
}

/** One tab-separated line a thing to do: what, team, kg CO2e less a month, money saved a month. */
async function actions(engine: Engine, line: CommandLine, words: Words, streams: CliStreams): Answer {
  const { period, currency } = line.options;
  if (period === undefined) return err(ledgerError("use.missing", { option: "--period" }));
  const asked = await engine.ask("carbon.actions", { period, currency: currency ?? null });
  if (!asked.ok) return asked;
  const { lines } = asked.value;
  if (line.flags.has("json")) streams.out(json(asked.value));
  else if (lines.length === 0) streams.out(`${words.say("carbon.cli.no-actions")}\n`);
  else {
    const head = [words.say("act.what"), words.say("column.team"), words.say("carbon-page.actions.less"), words.say("column.saving-a-month")];
    streams.out([head, ...lines.map((action) => actionCells(action, words))].map((cells) => `${cells.join("\t")}\n`).join(""));
  }
  return ok(0);
}

function actionCells({ kind, resource, resourceName, gpuModel, instanceType, region, to, team, micrograms, saving, currency }: CarbonAction, words: Words): readonly string[] {
  const what = kind === "idle"
    ? words.say("finding.idle", { resource: resourceName ?? resource ?? "", about: gpuModel ?? "", since: "" })
    : words.say("carbon-page.actions.move", { machine: instanceType ?? gpuModel ?? words.say("gpu.none"), from: region ?? "", to: to ?? "" });
  const amount = saving === null ? null : parseAmount(saving);
  return [what, team ?? "", words.figure({ metric: "emissions-location", value: Number(micrograms) / 1e9, unit: "kgCO2e", basis: "derived", coverage: 1 }), amount === null || currency === null ? dash : words.money(amount.value, currency)];
}

async function importFactors(engine: Engine, path: string, line: CommandLine, words: Words, streams: CliStreams): Answer {
  const isPreview = line.flags.has("preview");
  const read = await engine.ask("factors.import", { file: resolve(path), isPreview, restate: line.flags.has("restate"), by: null });
  if (!read.ok) return read;
  const { file, added, same, setAside, differences } = read.value;
  if (line.flags.has("json")) streams.out(json(read.value));
  else {
    const lines = [words.say(isPreview ? "carbon.cli.factors-preview" : "carbon.cli.factors-taken", { file, added: words.count(added), same: words.count(same), aside: words.count(setAside.length) })];
    for (const error of setAside) {
      lines.push(`  ${sentences(Object.values(words.error(error)), words.language)}`);
    }
    streams.out(`${[...lines, ...differenceLines(differences, words)].join("\n")}\n`);
  }
  return ok(0);
}

async function list(engine: Engine, line: CommandLine, words: Words, streams: CliStreams): Answer {
  const listed = await engine.ask("factors.list", {});
  if (!listed.ok) return listed;
  const { factors } = listed.value;
  if (line.flags.has("json")) streams.out(json({ factors }));
  else if (factors.length === 0) streams.out(`${words.say("carbon.cli.no-factors")}\n`);
  else streams.out(factors.map((factor) => `${lineOf(factor, words)}\n`).join(""));
  return ok(0);
}

function lineOf({ id, kind, provider, region, subject, fromMonth, toMonth, value, share, statedValue, statedUnit, source, file, line }: OwnFactorLine, words: Words): string {
  return words.say("carbon.cli.factor", {
    id: String(id),
    kind: words.say(`carbon.factor.${kind}`),
    place: [provider, region, subject].filter((part) => part !== null).join(" ") || "*",
    months: fromMonth === null && toMonth === null ? "*" : `${fromMonth ?? ""}–${toMonth ?? ""}`,
    value: `${value} ${words.say(`carbon.unit.${kind}`)}${share === null ? "" : ` × ${words.ratio(Number(share))}`}`,
    stated: `${statedValue} ${statedUnit}`.trim(),
    source,
    file: `${file}:${line}`,
  });
}

async function remove(engine: Engine, subject: string | undefined, line: CommandLine, words: Words, streams: CliStreams): Answer {
  if (subject === undefined || !/^[1-9]\d{0,8}$/.test(subject)) return err(subject === undefined ? ledgerError("use.missing", { option: "N" }) : ledgerError("use.invalid", { option: "carbon factors remove", value: subject }));
  const isPreview = line.flags.has("preview");
  const removed = await engine.ask("factors.remove", { id: Number(subject), isPreview, restate: line.flags.has("restate"), by: null });
  if (!removed.ok) return removed;
  if (line.flags.has("json")) streams.out(json(removed.value));
  else streams.out(`${[words.say(isPreview ? "carbon.cli.remove-preview" : "carbon.cli.removed", { id: subject }), ...differenceLines(removed.value.differences, words)].join("\n")}\n`);
  return ok(0);
}

/** What each month comes to now and came to before: kWh, then kg by place, by market, and of making the hardware. */
function differenceLines(differences: readonly FactorsDifference[], words: Words): string[] {
  if (differences.length === 0) return [words.say("carbon.cli.no-difference")];
  const amount = (value: bigint | null, unit: number): string => (value === null ? "—" : words.number(Number(value) / unit, { digits: 0 }));
  return [
    words.say("carbon.cli.difference-head"),
    ...differences.map((each) =>
      words.say(each.isClosed ? "carbon.cli.difference-closed" : "carbon.cli.difference", {
        month: words.period(each.month),
        energyBefore: amount(each.energyBefore, 1e6), energyAfter: amount(each.energyAfter, 1e6),
        locationBefore: amount(each.locationBefore, 1e9), locationAfter: amount(each.locationAfter, 1e9),
        marketBefore: amount(each.marketBefore, 1e9), marketAfter: amount(each.marketAfter, 1e9),
        embodiedBefore: amount(each.embodiedBefore, 1e9), embodiedAfter: amount(each.embodiedAfter, 1e9),
      }),
    ),
  ];
}

async function settings(engine: Engine, line: CommandLine, words: Words, streams: CliStreams): Answer {
  const { owned, grid, currency } = line.options;
  const price = line.options["carbon-price"];
  const read = await engine.ask("carbon.read", { period: "2000-01", scope: {} });
  if (!read.ok) return read;
  const now = read.value.settings;
  if (grid !== undefined && grid !== "nearest" && grid !== "life-cycle") return err(ledgerError("use.invalid", { option: "--grid", value: grid }));
  if (price !== undefined && price !== "none" && !/^\d{1,9}(\.\d{1,6})?$/.test(price)) return err(ledgerError("use.invalid", { option: "--carbon-price", value: price }));
  if (price !== undefined && price !== "none" && currency === undefined && now.priceCurrency === null) return err(ledgerError("use.missing", { option: "--currency" }));
  const next: CarbonSettings = {
    ownedProviders: owned === undefined ? now.ownedProviders : owned.split(",").map((name) => name.trim()).filter((name) => name !== ""),
    pricePerTonne: price === undefined ? now.pricePerTonne : price === "none" ? null : price,
    priceCurrency: price === "none" ? null : (currency ?? now.priceCurrency),
    gridChoice: grid ?? now.gridChoice,
  };
  if (owned !== undefined || grid !== undefined || price !== undefined || currency !== undefined) {
    const saved = await engine.ask("carbon-settings.save", { settings: next, by: null });
    if (!saved.ok) return saved;
  }
  if (line.flags.has("json")) streams.out(json(next));
  else {
    streams.out(`${words.say("carbon.cli.settings", {
      owned: next.ownedProviders.length === 0 ? "—" : next.ownedProviders.join(", "),
      price: next.pricePerTonne === null ? "—" : `${next.pricePerTonne} ${next.priceCurrency ?? ""}`,
      grid: words.say(`carbon.grid-choice.${next.gridChoice}`),
    })}\n`);
  }
  return ok(0);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? String(inner) : inner), 2)}\n`;
}
