/** Roll-ups: figures worked out once after an import. */
export const rollUps = {
  version: 9,
  name: "0009-roll-ups",
  sql: /* sql */ `
`,
} as const;
