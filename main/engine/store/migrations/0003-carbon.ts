/** Carbon: factors a person imported, providers' own reports, issued ESG packs. */
export const carbon = {
  version: 3,
  name: "0003-carbon",
  sql: /* sql */ `
`,
} as const;
