/** Pulling from AWS, holding the ledger against invoices, and rates between currencies. */
export const connect = {
  "connect.plan": "{{requests}} requests to AWS at ${{price}}. Long answers have pages, each a request of its own: at most {{most}} requests, ${{mostPrice}}.",
  "connect.plan.kept_one": "{{count}} answer is in the ledger already and is not asked for again.",
  "connect.plan.kept_other": "{{count}} answers are in the ledger already and are not asked for again.",
  "connect.plan.left-out": "Left out, beyond what Cost Explorer holds or still to come: {{months}}.",
  "connect.plan.sent": "This month this ledger has sent {{requests}} requests (${{price}}).",
  "connect.confirm": "Send them now? [y/N]",
  "connect.progress": "{{call}}: {{answered}} of {{asked}} answered, {{sent}} requests sent",
  "connect.done": "Done: {{sent}} requests sent, ${{price}}.",
  "connect.all-kept": "Everything is in the ledger already; nothing was sent.",
  "connect.so-far": "{{sent}} requests sent (${{price}}); {{answered}} of {{asked}} questions answered, and kept.",
  "connect.line": "{{month}}  Cost Explorer unblended {{unblended}}, amortized {{amortized}}; bills billed {{billed}}, effective {{effective}}",
  "connect.line-estimated": "{{month}}  Cost Explorer unblended {{unblended}}, amortized {{amortized}} (estimated); bills billed {{billed}}, effective {{effective}}",
  "connect.line-forecast": "{{month}}  AWS foresees {{mean}} ({{low}} to {{high}})",
  "connect.nothing": "Cost Explorer has no amounts for this period.",
} as const;
