/** Every question the window, the terminal and the tests may ask, in one list. methods.ts gives each its schemas. */
export const methodNames = [
  "app.info",
  "ledger.status",
  "ledger.open",
  "ledger.close",
  "sample.open",
  "settings.read",
  "settings.save",
  "files.choose",
  "import.preview",
  "import.post",
  "import.discard",
  "import.cancel",
  "import.set-aside",
  "batches.list",
  "batches.undo",
  "batches.redo",
  "scope.values",
  "totals.read",
  "report.read",
  "report.export",
  "figure.explain",
  "rows.read",
  "match.list",
  "match.save",
  "policy.save",
] as const;
export type MethodName = (typeof methodNames)[number];

/** Answered by the app around the engine, since the engine knows no windows and the window knows no paths. */
export const appMethodNames = ["files.choose"] as const satisfies readonly MethodName[];
