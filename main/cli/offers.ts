import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { ledgerError, type LedgerError } from "../../shared/contract/errors.ts";
import { defaultNeed, defaultTiers, type Need, needKeys, needSchema, type OfferLine, type OffersAnswer, type RejectedOffer } from "../../shared/contract/offers.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import { err, ok, type Result } from "../../shared/result.ts";
import type { Words } from "../../shared/i18n/format.ts";

type Key = keyof typeof needKeys;

/** The need of a command line: `key=value` pairs, or a JSON file of the contract's fields; what is not said is the default. */
export function needOf(text: string): Result<Need, LedgerError> {
  const invalid = (value: string): Result<never, LedgerError> => err(ledgerError("use.invalid", { option: "--need", value }));
  let stated: Record<string, unknown> = {};
  if (/\.json$/i.test(text)) {
    try {
      stated = JSON.parse(readFileSync(text, "utf8")) as Record<string, unknown>;
    } catch {
      return invalid(basename(text));
    }
  } else {
    for (const pair of text.split(",").map((each) => each.trim()).filter((each) => each !== "")) {
      const at = pair.indexOf("=");
      const key = pair.slice(0, at);
      if (at < 1 || !Object.hasOwn(needKeys, key)) return invalid(pair);
      stated[needKeys[key as Key]] = valueOf(key as Key, pair.slice(at + 1));
    }
  }
  const checked = needSchema.safeParse({ ...defaultNeed, ...stated });
  if (checked.success) return ok(checked.data);
  const field = checked.error.issues[0]?.path[0];
  const key = Object.entries(needKeys).find(([, name]) => name === field)?.[0] ?? String(field);
  return invalid(`${key}=${JSON.stringify(stated[String(field)] ?? null)}`);
}

function valueOf(key: Key, text: string): unknown {
  if (key === "providers" || key === "regions" || key === "countries" || key === "modes") return text.split("+").filter((value) => value !== "");
  if (key === "gpus" || key === "max-age") return text === "" ? null : Number(text);
  if (key === "confidential") return /^(yes|true|1)$/i.test(text);
  return text === "" && key !== "workload" ? null : text;
}

export function tiersOf(text: string | undefined): Result<readonly string[], LedgerError> {
  if (text === undefined) return ok(defaultTiers);
  const tiers = text.split(",").map((each) => each.trim());
  const wrong = tiers.find((tier) => !/^\d{1,12}(\.\d{1,6})?$/.test(tier) || Number(tier) === 0);
  return wrong === undefined ? ok(tiers) : err(ledgerError("use.invalid", { option: "--tiers", value: wrong }));
}

export function offersText(answer: OffersAnswer, words: Words): string {
  const { ranked, rankedTotal, rejected, rejectedTotal, reasons, tiers, currency, per, need } = answer;
  const best = ranked[0];
  const lines: string[] = [];
  if (best === undefined) lines.push(words.say("offers.none", { rejected: words.count(rejectedTotal) }));
  else lines.push(words.say("offers.best", { machine: best.instanceType, accelerator: best.accelerator, region: regionText(best.region, words), mode: words.say(`prices.mode.${best.mode}`), cost: moneyText(best.costPer, currency, words), unit: unitText(need, per, words), total: moneyText(best.cost, currency, words) }));
  lines.push(words.say(`offers.rates.${answer.mfuSource}`, { mfu: words.ratio(answer.mfuUsed, { digits: 1 }) }), "");
  const head = ["rank", "offer", "accelerator", "gpus", "mode", "price", "cost", "year", "hours", "carbon", "rate", "age"] as const;
  lines.push(head.map((name) => words.say(`offers.column.${name}`)).join("\t"));
  for (const line of ranked) lines.push(rowOf(line, answer, words).join("\t"));
  if (ranked.length < rankedTotal) lines.push(words.say("offers.more", { shown: words.count(ranked.length), total: words.count(rankedTotal) }));
  if (rejectedTotal > 0) {
    lines.push("", words.say("offers.rejected", { count: rejectedTotal }));
    for (const [reason, count] of Object.entries(reasons).sort((a, b) => b[1] - a[1])) lines.push(`  ${words.say(`offers.reason.${reason as keyof OffersAnswer["reasons"]}`)}\t${words.count(count)}`);
    for (const offer of rejected) lines.push(`  ${rejectedText(offer, words)}`);
  }
  lines.push("", words.say("offers.tiers.title"));
  for (const tier of tiers) {
    for (const pick of tier.picks) {
      if (pick.kind === "any") continue;
      lines.push(
        pick.offer === null
          ? words.say("offers.tier.nothing", { budget: moneyText(tier.budget, currency, words), kind: words.say(`offers.tier.${pick.kind}`) })
          : words.say("offers.tier.buys", { budget: moneyText(tier.budget, currency, words), kind: words.say(`offers.tier.${pick.kind}`), offer: nameOf(pick.offer, answer, words), hours: words.number(pick.hours, { digits: 0 }), gpuHours: words.number(pick.gpuHours, { digits: 0 }), units: words.number(pick.units / per, { digits: 0 }), unit: unitText(need, per, words) }),
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

function rowOf(line: OfferLine, { currency }: OffersAnswer, words: Words): readonly string[] {
  return [
    `${line.rank}${line.isPareto ? "*" : ""}`,
    `${line.provider} ${line.instanceType} ${regionText(line.region, words)}`,
    line.accelerator,
    line.machines === 1 ? words.number(line.gpusPerMachine, { digits: Number.isInteger(line.gpusPerMachine) ? 0 : 3 }) : `${line.machines} × ${words.number(line.gpusPerMachine, { digits: Number.isInteger(line.gpusPerMachine) ? 0 : 3 })}`,
    words.say(`prices.mode.${line.mode}`),
    `${moneyText(line.pricePerHour, currency, words)}${line.stated === null ? "" : ` (${moneyText(line.stated.pricePerHour, line.stated.currency, words)} × ${words.number(Number(line.stated.rate), { digits: Number(line.stated.rate) < 0.1 ? 6 : 4 })})`}`,
    moneyText(line.costPer, currency, words),
    moneyText(line.cost, currency, words),
    words.number(line.hours, { digits: 0 }),
    line.carbonKg === null ? "—" : words.number(line.carbonKg, { digits: 0 }),
    words.say(`offers.rate.${line.rateBasis}`),
    words.say("prices.age", { count: line.ageDays }),
  ];
}

/** Machine, place and way of buying of an offer that stands in the ranking. */
function nameOf(id: string, { ranked }: OffersAnswer, words: Words): string {
  const line = ranked.find((offer) => offer.id === id);
  return line === undefined ? id : [`${line.provider} ${line.instanceType} ${regionText(line.region, words)}`, words.say(`prices.mode.${line.mode}`)].join(words.language === "zh-CN" ? "，" : ", ");
}

function rejectedText({ provider, instanceType, region, mode, reasons }: RejectedOffer, words: Words): string {
  const [comma, colon, semicolon] = words.language === "zh-CN" ? ["，", "：", "；"] : [", ", ": ", "; "];
  return `${provider} ${instanceType} ${regionText(region, words)}${comma}${words.say(`prices.mode.${mode}`)}${colon}${reasons.map((reason) => words.say(`offers.reason.${reason}`)).join(semicolon)}`;
}

function regionText(region: string, words: Words): string {
  return region === "*" ? words.say("prices.every-region") : region;
}

function unitText({ unit }: Need, per: number, words: Words): string {
  return per === 1 ? unit : words.say("offers.million-tokens");
}

function moneyText(text: string, currency: string, words: Words): string {
  const parsed = parseAmount(text);
  return parsed === null ? "—" : words.money(parsed.value, currency, parsed.value !== 0n && parsed.value < 10n ** 17n ? { digits: 4 } : {});
}
