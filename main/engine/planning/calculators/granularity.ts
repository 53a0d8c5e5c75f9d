import { compare, whole, type Rational } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import { billingGranularity } from "../billing-granularity.ts";
import { line, moneyParam, numberParam, said, valued, valueOf, type Calculator } from "./given.ts";

/** The busy time of a month of the ledger, billed by the second, by started hours and by the month. */
export const granularity: Calculator = {
  id: "granularity",
  work: (given) => {
    const busy = given.facts.busy ?? null;
    const isChosen = (given.choices.get("gpu-model") ?? null) !== null;
    const costs = busy === null ? null : billingGranularity({ devices: busy.devices, monthHours: busy.hours, secondHourly: valueOf(given, "second-price"), hourHourly: valueOf(given, "hour-price"), monthly: valueOf(given, "month-price"), startSeconds: valueOf(given, "start-seconds") ?? whole(0) });
    const ways = costs === null ? [] : [
      { id: "second", hours: costs.billedBySecond, cost: costs.bySecond },
      { id: "hour", hours: costs.billedByHour, cost: costs.byHour },
      { id: "month", hours: costs.billedByMonth, cost: costs.byMonth },
    ];
    const priced = ways.flatMap(({ id, cost }) => (cost === null ? [] : [{ id, cost }]));
    const [cheapest] = priced.toSorted((a, b) => compare(a.cost, b.cost));
    const missing = isChosen ? [] : ["gpu-model"];
    const own = (id: string, value: Rational | null | undefined, unit: "gpu-hours" | "ratio", isMain = false, needs: readonly string[] = []) => {
      const made = line(given, id, value ?? null, unit, { basis: unit === "ratio" && id === "use" ? "measured" : id === "busy-hours" ? "measured" : "derived", isMain, needs, why: "no-telemetry" });
      return made.shown === null && !isChosen ? { ...made, missing: [...missing, ...made.missing], why: null } : made;
    };
    return ok({
      lines: [
        own("use", costs?.use, "ratio", true),
        own("busy-hours", costs?.busyGpuHours, "gpu-hours"),
        own("break-even-use", costs?.breakEvenUse, "ratio", false, ["second-price", "month-price"]),
      ],
      ...(costs === null ? {} : {
        table: {
          id: "granularity",
          columns: ["billing", "billed-hours", "cost"],
          rows: ways.map(({ id, hours, cost }) => ({ id, tone: id === cheapest?.id && priced.length > 1 ? ("well" as const) : ("plain" as const), cells: [{ message: said(`calc.granularity.by-${id}`) }, valued(hours, "gpu-hours"), cost === null ? null : valued(cost, "money")] })),
        },
      }),
      notes: [
        ...(costs !== null && busy !== null ? [said("calc.granularity.note.profile", { devices: numberParam(busy.devices.length, 0), known: numberParam(busy.knownGpuHours, 0) })] : []),
        ...(cheapest !== undefined && priced.length > 1 ? [said(`calc.granularity.note.cheapest-${cheapest.id}`, { cost: moneyParam(cheapest.cost, given) })] : []),
      ],
    });
  },
};
