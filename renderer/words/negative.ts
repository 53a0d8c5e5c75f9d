import type { AmountStyle, Words } from "../../shared/i18n/format.ts";

/** The same words with negative amounts in parentheses, for those who read statements that way. Changes keep their sign. */
export function withParentheses(words: Words): Words {
  const wrap = (text: string, style: AmountStyle | undefined): string => (style?.signed === true || !text.startsWith("\u2212") ? text : `(${text.slice(1)})`);
  return {
    ...words,
    money: (attos, currency, style) => wrap(words.money(attos, currency, style), style),
    figure: (figure, style) => (typeof figure.value === "bigint" ? wrap(words.figure(figure, style), style) : words.figure(figure, style)),
  };
}
