/** Charges rolled up for questions. */
export const chargeCubes = {
  version: 15,
  name: "0015-charge-cubes",
  sql: /* sql */ ``,
} as const;
