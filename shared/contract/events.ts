/** What the engine and the app tell the window without being asked. */
export const eventNames = ["import.progress", "ledger.changed", "work.progress", "engine.restarted", "alert.raised", "alert.opened", "connect.progress"] as const;
export type EventName = (typeof eventNames)[number];

export interface EventPayloads {
  /** While a file is read: bytes are of the file as it lies on disk. `secondsLeft` is null until it can be estimated. */
  "import.progress": {
    readonly plan: string;
    readonly file: string;
    readonly fileIndex: number;
    readonly fileCount: number;
    readonly bytesRead: number;
    readonly bytesTotal: number;
    readonly rowsRead: number;
    readonly bytesPerSecond: number | null;
    readonly secondsLeft: number | null;
    readonly stage: "reading" | "comparing" | "working-out" | "done";
  };
  /** The answers to all questions may differ from now on. */
  "ledger.changed": { readonly revision: number };
  /** Work behind the scenes that is no import: idle policy applied to history, generations rebuilt. */
  "work.progress": { readonly kind: "hours" | "undo" | "sample"; readonly done: number; readonly total: number };
  /** The engine died and was started again; nothing posted is lost. */
  "engine.restarted": { readonly reference: string };
  /** A budget's threshold is crossed: said once. Amounts are exact decimals of the unit. */
  "alert.raised": {
    readonly alert: number;
    readonly budget: number;
    readonly budgetName: string;
    readonly owner: string | null;
    readonly period: string;
    readonly type: "actual" | "forecast";
    readonly percent: string;
    readonly value: string;
    readonly amount: string;
    readonly unit: string;
  };
  /** The person came from an alert on the desktop. */
  "alert.opened": Readonly<Record<string, never>>;
  /** While a pull from AWS runs: `asked` questions, each of one or more pages. */
  "connect.progress": { readonly sent: number; readonly answered: number; readonly asked: number; readonly call: string };
}
export type LedgerEvent = { [N in EventName]: { readonly name: N; readonly payload: EventPayloads[N] } }[EventName];
