import { reservationsNc, reservedG6, savingsPlans } from "./company.ts";

/** When the made-up company's commitments end, as its people would state it: its bills name them and do not say. */
export function termsCsv(): string {
  const lines = [
    ...savingsPlans.map(({ id, from, to }) => [id, from, to, "36", "no-upfront", ""]),
    // It was taken again for another year under the same name.
    [reservedG6.arn, reservedG6.to, reservedG6.to.replace("2026", "2027"), "12", "no-upfront", ""],
    ...reservationsNc.map(({ order, id, from, to, payment, machines }) => [
      `/providers/Microsoft.Capacity/reservationOrders/${order}/reservations/${id}`, from, to, machines > 1 ? "36" : "12", payment === "upfront" ? "all-upfront" : "no-upfront", "2.62",
    ]),
  ];
  return `${[["commitment", "starts-on", "ends-on", "months", "payment", "renewal-hourly"], ...lines].map((cells) => cells.join(",")).join("\n")}\n`;
}

/** Two quotes for A100 that the company got in September, and the scenario that holds them against the renewal. */
export const sampleScenario = {
  name: "A100: new against renewal",
  quotes: "commitment,36,no-upfront,hourly=1.96,on=2026-09-22;commitment,12,no-upfront,hourly=2.81,on=2026-09-22",
} as const;
