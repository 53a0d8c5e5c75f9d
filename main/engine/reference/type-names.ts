/** How each provider spells its machine types, and where a type stands inside other text. */
import type { ProviderId } from "./catalog.ts";

/** The provider a name means ("Amazon Web Services", "Microsoft", "阿里云"), or null when it is none we know. */
export function providerOf(name: string | null | undefined): ProviderId | null {
  if (name === null || name === undefined) return null;
  return providerWords.find(([words]) => words.test(name))?.[1] ?? null;
}

const providerWords: readonly (readonly [RegExp, ProviderId])[] = [
  [/\baws\b|amazon/i, "aws"],
  [/azure|microsoft/i, "azure"],
  [/google|\bgcp\b/i, "gcp"],
  [/oracle|\boci\b/i, "oracle"],
  [/alibaba|aliyun|阿里/i, "alibaba"],
  [/tencent|qcloud|腾讯/i, "tencent"],
  [/huawei|华为/i, "huawei"],
  [/baidu|百度/i, "baidu"],
  [/coreweave/i, "coreweave"],
  [/^lambda\b/i, "lambda"],
  [/runpod/i, "runpod"],
  [/\bvast(\.ai)?\b/i, "vast"],
];

/** The lookup key of a type: letter case never counts, nor do Azure's underscores and spaces and the prefixes of managed services. */
export function typeKey(provider: ProviderId, name: string): string {
  return `${provider} ${bareType(provider, name)}`;
}

export function familyKey(provider: ProviderId, family: string): string {
  return `${provider} ${family.toLowerCase()}`;
}

/** `ml.g5.2xlarge` is a g5.2xlarge, `Standard_ND96isr_H100_v5` and `ND96isr H100 v5` are one size. */
function bareType(provider: ProviderId, name: string): string {
  const lower = name.trim().toLowerCase();
  if (provider === "azure") return lower.replace(/^standard[_ ]/, "").replace(/[_\s]/g, "");
  return lower.replace(/^(ml|db|cache|search)\./, "");
}

/** The family part of a type's name, where the provider's names have one. */
export function familyOfType(provider: ProviderId, name: string): string | null {
  const bare = bareType(provider, name);
  if (provider === "aws") return /^([a-z][\w-]*)\./.exec(bare)?.[1] ?? null;
  if (provider === "alibaba") return /^ecs\.([a-z]+\d+[a-z]*)/.exec(bare)?.[1] ?? null;
  if (provider === "tencent" || provider === "huawei") return /^([a-z]+\d+[a-z]*)\./.exec(bare)?.[1] ?? null;
  return null;
}

/**
 * EC2 families with accelerators as whole words: p, g, gr, trn, inf and dl with their generation. So m7g and c7gn (Graviton),
 * t4g, f1 and f2 (FPGA) and vt1 (video) are none. `p6-b200` has a second part.
 */
const awsType = /(?<![A-Za-z0-9])((?:p|gr?|trn|inf|dl)\d+[a-z]*(?:-[a-z0-9]+)?)\.((?:\d*x)?large|metal(?:-\d+xl)?)(?![A-Za-z0-9])/gi;
/** Azure's accelerated series: NC, ND, NV and NG. NP is FPGA, whatever lists of sizes say. */
const azureType = /(?<![A-Za-z0-9])(?:Standard_)?NC?[CDGV]\d+[A-Za-z]*(?:-\d+[A-Za-z]*)?(?:[_ ][A-Za-z0-9]+)*/gi;
const gcpType = /(?<![A-Za-z0-9-])(?:a\d+x?-[a-z]+gpu-\d+g|g[24]-standard-\d+|ct\d\w*-[a-z]+-\d+t|tpu\d+x-[a-z]+-\d+t)(?![A-Za-z0-9])/gi;
const oracleType = /(?<![A-Za-z0-9])(?:BM|VM)\.GPU(?:\d+|\.[A-Z0-9]+(?:-v\d+)?)\.\d+(?![A-Za-z0-9])/gi;
const alibabaType = /(?<![A-Za-z0-9])ecs\.(?:ebm|scc|v|s)?gn\d+[a-z]*(?:-[\w-]+)?\.(?:\d*x)?large(?![A-Za-z0-9])/gi;
const tencentType = /(?<![A-Za-z0-9])(?:GN|GT|GI|PNV)\d+[A-Za-z]*\.\w+/gi;
const huaweiType = /(?<![A-Za-z0-9])(?:p\d+[a-z]*|pi\d+|g\d+[a-z]*|k?ai\d+s?)\.\d*x?large(?:\.\d+)?(?![A-Za-z0-9])/gi;
const lambdaType = /(?<![A-Za-z0-9])gpu_\d+x_\w+/gi;
const coreweaveType = /(?<![A-Za-z0-9])(?:gd-\d+x[a-z0-9]+(?:-i\d+)?|[a-z0-9]+-\d+x)(?![A-Za-z0-9-])/gi;
const baiduType = /(?<![A-Za-z0-9])[a-z]+\.[a-z]+\d*[a-z]*\.c\d+m\d+\.\d+[a-z]+\d+[a-z0-9]*(?![A-Za-z0-9])/gi;

const patterns: readonly (readonly [ProviderId, RegExp])[] = [
  ["gcp", gcpType],
  ["oracle", oracleType],
  ["alibaba", alibabaType],
  ["lambda", lambdaType],
  ["baidu", baiduType],
  ["aws", awsType],
  ["azure", azureType],
  ["tencent", tencentType],
  ["huawei", huaweiType],
  ["coreweave", coreweaveType],
];

export interface TypeName {
  readonly provider: ProviderId;
  readonly name: string;
}

/** Every accelerated machine type that stands in the text, as whole words. An unknown provider may be any of them. */
export function typesIn(provider: ProviderId | null, text: string): TypeName[] {
  const found: TypeName[] = [];
  for (const [owner, pattern] of patterns) {
    if (provider !== null ? owner !== provider : owner === "huawei" || owner === "coreweave") continue;
    for (const match of text.matchAll(pattern)) found.push({ provider: owner, name: owner === "azure" ? withoutPurchaseWords(match[0]) : match[0] });
  }
  return found;
}

/** Azure meters end in how the size was bought: `ND96isr H100 v5 Spot`, `NC24rs v3 Low Priority`. */
function withoutPurchaseWords(meter: string): string {
  return meter.replace(/[_ ]+(Spot|Low Priority|Reserved|Expired|in|running|US|East|West)\b.*$/i, "").trim();
}
