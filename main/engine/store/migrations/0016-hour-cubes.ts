/** GPU hours rolled up for questions. */
export const hourCubes = {
  version: 16,
  name: "0016-hour-cubes",
  sql: /* sql */ ``,
} as const;
