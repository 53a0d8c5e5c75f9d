/** Commitment plans: saved scenarios and their inputs. */
export const plan = {
  version: 4,
  name: "0004-commitment-plans",
  sql: /* sql */ `
`,
} as const;
