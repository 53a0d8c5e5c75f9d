/** Scale: what keeps questions short on large ledgers. */
export const scale = {
  version: 13,
  name: "0013-scale",
  sql: /* sql */ `
`,
} as const;
