/** Whose a charge is, and what each team bears. */
export const allocation = {
  "showback.title": "Showback for {{period}}",
  "showback.answer": "{{ratio}} of {{total}} in {{period}} is borne by a team.",
  "showback.answer.no-cost": "The bills of {{period}} state no cost to share.",
  "showback.context.even": "{{name}} is split evenly: no team has a measure to split it by.",
  "showback.context.negative": "{{name}}: a team with a net credit takes no part.",
  "showback.table.title": "What each team bears",
  "column.direct": "Its own",
  "column.shared-out": "Shared out",
  "column.pool": "{{name}}",
  "column.with-shared": "In all",
} as const;
