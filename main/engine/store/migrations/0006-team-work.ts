/** Team work: what the monthly close and its notices keep. */
export const teamWork = {
  version: 6,
  name: "0006-team-work",
  sql: /* sql */ `
-- Tags that no bill has. In the order of Place, the first rule of a tag whose conditions all hold gives its value.
CREATE TABLE virtual_tag_rule (
  RuleId     INTEGER PRIMARY KEY,
  Place      INTEGER NOT NULL,
  Tag        TEXT NOT NULL,
  Value      TEXT NOT NULL,
  Conditions TEXT NOT NULL                          -- JSON, shared/domain/allocation.ts
) STRICT;
`,
} as const;
