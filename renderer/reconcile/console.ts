const consoles = [
  ["aws", /\baws\b|amazon/i],
  ["azure", /azure|microsoft/i],
  ["gcp", /google|\bgcp\b/i],
  ["oracle", /oracle|\boci\b/i],
  ["alibaba", /alibaba|aliyun|阿里/i],
  ["tencent", /tencent|腾讯/i],
  ["huawei", /huawei|华为/i],
] as const;

/** Whose console it is, of those whose words we know. */
export function consoleOf(provider: string): (typeof consoles)[number][0] | "other" {
  return consoles.find(([, words]) => words.test(provider))?.[0] ?? "other";
}
