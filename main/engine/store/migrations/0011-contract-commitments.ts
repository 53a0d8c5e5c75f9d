/** Contract commitments: the FOCUS dataset of commitments, and what a delivery is said to cover. */
export const contractCommitments = {
  version: 11,
  name: "0011-contract-commitments",
  sql: /* sql */ `
`,
} as const;
