/** Findings from telemetry and stop rules. */
export const findings = {
  version: 7,
  name: "0007-findings",
  sql: /* sql */ `
`,
} as const;
