/** Budgets, forecasts and their alerts. */
export const budgets = {
  "budgets.none": "The ledger has no budgets.",
  "budgets.line": "{{state}}: {{name}}, {{period}}: {{actual}} of {{budget}} ({{share}}), forecast {{forecast}}; owner: {{owner}}",
  "budgets.no-owner": "nobody",
  "budgets.state.over": "OVER",
  "budgets.state.forecast-over": "WILL BE OVER",
  "budgets.state.near": "near",
  "budgets.state.within": "within",
  "budgets.state.no-plan": "no plan",
  "budgets.state.unknown": "unknown",
  "budgets.imported": "Plan taken over: {{added}} budgets added, {{changed}} changed, {{same}} as they were; {{months}} months set.",
  "budgets.import-preview": "The plan would add {{added}} budgets, change {{changed}} and leave {{same}}; {{months}} months would be set.",
  "alert.actual": "{{name}} has spent {{value}}, {{percent}} % or more of the {{budget}} planned for {{period}}. Find what grew in the review by team, then stop it or move budget; {{owner}} decides.",
  "alert.forecast": "{{name}} will reach {{value}} in {{period}} if the forecast holds: {{percent}} % or more of the {{budget}} planned. There is time to act; {{owner}} decides.",
} as const;
