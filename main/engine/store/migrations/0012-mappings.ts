/** Mappings: column mappings kept by name. */
export const mappings = {
  version: 12,
  name: "0012-mappings",
  sql: /* sql */ `
`,
} as const;
