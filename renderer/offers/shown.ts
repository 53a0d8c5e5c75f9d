/** How the figures of offers are said. */
import type { OfferLine, OffersAnswer, PriceMode } from "../../shared/contract/offers.ts";
import { parseAmount } from "../../shared/domain/money.ts";
import { dash } from "../../shared/contract/words.ts";
import type { Speech } from "../words/WordsProvider.tsx";

type Spoken = Pick<Speech, "words" | "say">;

/** Exact decimal text as money: under a tenth with four digits, so that a price of a token is not shown as nothing. */
export function moneyOf({ words }: Spoken, text: string | null, currency: string, { bare = false, digits }: { readonly bare?: boolean; readonly digits?: number } = {}): string {
  const parsed = text === null ? null : parseAmount(text);
  if (parsed === null) return dash;
  const isSmall = parsed.value !== 0n && parsed.value < 10n ** 17n;
  const shown = digits ?? (isSmall ? 4 : undefined);
  return words.money(parsed.value, currency, { bare, ...(shown === undefined ? {} : { digits: shown }) });
}

export function attosOf(text: string): bigint {
  return parseAmount(text)?.value ?? 0n;
}

/** `8`, or `2 × 8` of two machines; a part of a card with its three digits. */
export function gpusText({ words }: Spoken, { gpusPerMachine, machines }: Pick<OfferLine, "gpusPerMachine" | "machines">): string {
  const count = words.number(gpusPerMachine, { digits: Number.isInteger(gpusPerMachine) ? 0 : 3 });
  return machines === 1 ? count : `${words.number(machines, { digits: 0 })} × ${count}`;
}

export function whatText(speech: Spoken, line: Pick<OfferLine, "gpusPerMachine" | "machines" | "accelerator">): string {
  const { words, say } = speech;
  const count = words.number(line.gpusPerMachine, { digits: Number.isInteger(line.gpusPerMachine) ? 0 : 3 });
  return line.machines === 1 ? say("offers.what", { count, accelerator: line.accelerator }) : say("offers.what.machines", { machines: words.number(line.machines, { digits: 0 }), count, accelerator: line.accelerator });
}

export function modeText({ say, words }: Spoken, { mode, payment }: { readonly mode: PriceMode; readonly payment: OfferLine["payment"] }): string {
  return payment === null || payment === "none" ? say(`prices.mode.${mode}`) : `${say(`prices.mode.${mode}`)}${comma({ words })}${say(`prices.payment.${payment}`)}`;
}

export function placeText({ say, words }: Spoken, { region, location }: { readonly region: string; readonly location: string | null }): string {
  return region === "*" ? say("prices.every-region") : location === null ? region : words.reference(location);
}

/** What a converted price was stated as, and the rate; null where it is in the need's currency. */
export function statedText(speech: Spoken, { stated }: Pick<OfferLine, "stated">): string | null {
  if (stated === null) return null;
  const { words, say } = speech;
  return say("offers.converted", { price: moneyOf(speech, stated.pricePerHour, stated.currency), rate: words.number(Number(stated.rate), { digits: Number(stated.rate) < 0.1 ? 6 : 4 }), day: words.instant(`${stated.rateDay}T00:00:00Z`, "day"), source: stated.rateSource }).trim();
}

export function unitText({ say }: Spoken, { need, per }: Pick<OffersAnswer, "need" | "per">): string {
  return per === 1 ? need.unit : say("offers.million-tokens");
}

const providerNames: Readonly<Record<string, { readonly en: string; readonly "zh-CN": string }>> = {
  aws: { en: "AWS", "zh-CN": "AWS" }, azure: { en: "Azure", "zh-CN": "Azure" }, gcp: { en: "Google Cloud", "zh-CN": "Google Cloud" }, oracle: { en: "Oracle", "zh-CN": "Oracle" }, alibaba: { en: "Alibaba Cloud", "zh-CN": "阿里云" },
  tencent: { en: "Tencent Cloud", "zh-CN": "腾讯云" }, huawei: { en: "Huawei Cloud", "zh-CN": "华为云" }, baidu: { en: "Baidu AI Cloud", "zh-CN": "百度智能云" }, lambda: { en: "Lambda", "zh-CN": "Lambda" }, coreweave: { en: "CoreWeave", "zh-CN": "CoreWeave" }, runpod: { en: "RunPod", "zh-CN": "RunPod" }, vast: { en: "Vast", "zh-CN": "Vast" },
};

export function providerText({ language }: Pick<Speech, "language">, provider: string): string {
  return Object.hasOwn(providerNames, provider) ? (providerNames[provider]?.[language] ?? provider) : provider;
}

/** Between two parts of a cell. */
export function comma({ words }: Pick<Speech, "words">): string {
  return words.language === "zh-CN" ? "，" : ", ";
}

export function speedText({ words }: Spoken, times: number): string {
  return words.number(times, { digits: times < 10 ? 2 : 1 });
}
