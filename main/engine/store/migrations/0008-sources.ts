/** Sources: kept copies, rates between currencies, answers of Cost Explorer. */
export const sources = {
  version: 8,
  name: "0008-sources",
  sql: /* sql */ `
`,
} as const;
