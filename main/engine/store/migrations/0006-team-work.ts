/** Team work: what the monthly close and its notices keep. */
export const teamWork = {
  version: 6,
  name: "0006-team-work",
  sql: /* sql */ `
`,
} as const;
