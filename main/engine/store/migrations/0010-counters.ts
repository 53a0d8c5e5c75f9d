/** Counters: what each activity counter measured, by day and series. */
export const counters = {
  version: 10,
  name: "0010-counters",
  sql: /* sql */ `
`,
} as const;
