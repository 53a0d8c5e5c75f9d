import type { PriceList, PriceSheetImport } from "../../shared/contract/offers.ts";
import type { Words } from "../../shared/i18n/format.ts";

/** What `prices list` prints: one tab-separated line a price, so that it can be cut and pasted; then how old the app's own lists are. */
export function pricesText({ prices, total, lists }: PriceList, words: Words): string {
  const head = ["provider", "machine", "region", "mode", "currency", "an-hour", "off", "from", "date", "age"] as const;
  const rows = prices.map((price) => [
    price.provider,
    price.instanceType,
    price.region === "*" ? words.say("prices.every-region") : price.region,
    [words.say(`prices.mode.${price.mode}`), ...(price.payment === null ? [] : [words.say(`prices.payment.${price.payment}`)])].join(" "),
    price.currency,
    price.effectivePerHour,
    price.discount === null ? "" : `${price.discount.percent} %`,
    price.origin === "list" ? words.say("prices.origin.list") : `${words.say(`prices.origin.${price.origin}`)} ${price.source}`.trim(),
    price.priceDate,
    words.say("prices.age", { count: price.ageDays }),
  ]);
  const lines = [head.map((name) => words.say(`terminal.prices.${name}`)), ...rows].map((cells) => cells.join("\t"));
  const shown = prices.length < total ? [words.say("terminal.prices.more", { shown: words.count(prices.length), total: words.count(total) })] : [];
  const ages = lists.map(({ provider, prices: count, oldest, newest }) => words.say("terminal.prices.list", { provider, prices: words.count(count), oldest, newest }));
  return `${[...lines, ...shown, ...ages].join("\n")}\n`;
}

export function sheetText(sheet: PriceSheetImport, isPreview: boolean, words: Words): string {
  const { file, format, prices, rowsRead, rowsSkipped, priceDate, added, cheaper, dearer, same, sample } = sheet;
  const lines = [
    words.say(isPreview ? "prices.sheet.preview" : "prices.sheet.taken", { file, format: words.say(`prices.format.${format}`), prices: words.count(prices), rows: words.count(rowsRead), skipped: words.count(rowsSkipped), date: priceDate }),
    words.say("prices.sheet.compared", { added: words.count(added), cheaper: words.count(cheaper), dearer: words.count(dearer), same: words.count(same) }),
    ...sample.map(({ provider, instanceType, region, mode, currency, before, now }) => `  ${provider}\t${instanceType}\t${region}\t${words.say(`prices.mode.${mode}`)}\t${before ?? "—"} → ${now} ${currency}`),
  ];
  return `${lines.join("\n")}\n`;
}
