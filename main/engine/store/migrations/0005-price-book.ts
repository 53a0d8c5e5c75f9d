/** Price book: a person's own prices, negotiated discounts, imported price sheets, own benchmarks, scorecards. */
export const prices = {
  version: 5,
  name: "0005-price-book",
  sql: /* sql */ `
`,
} as const;
