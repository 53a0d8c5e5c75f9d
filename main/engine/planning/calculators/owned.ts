import { ledgerError } from "../../../../shared/contract/errors.ts";
import { compare, multiply, ONE, subtract, whole, ZERO, type Rational } from "../../../../shared/domain/rational.ts";
import { err, ok } from "../../../../shared/result.ts";
import { ownedVersusCloud, type OwnedInputs } from "../offer.ts";
import { fromAll, line, numberParam, ratioParam, said, valueOf, type Calculator } from "./given.ts";

const needs = ["capex", "residual", "life-months", "used-hours", "busy-kw", "idle-kw", "tariff", "upkeep", "cloud-price", "relative-speed"] as const;

/** An own card against a cloud GPU, and from which use on it saves what is claimed (models a.9 and k). */
export const owned: Calculator = {
  id: "owned",
  work: (given) => {
    const more = (field: string, other: string): boolean => {
      const [a, b] = [valueOf(given, field), valueOf(given, other)];
      return a !== null && b !== null && compare(a, b) > 0;
    };
    for (const [field, other] of [["residual", "capex"], ["idle-kw", "busy-kw"], ["used-hours", "powered-hours"]] as const) {
      if (more(field, other)) return err(ledgerError("calculator.contradiction", { field, other }));
    }
    const inputs = fromAll(given, needs, (of): OwnedInputs => ({
      capex: of.capex, residual: of.residual, lifeMonths: of["life-months"], usedHoursPerMonth: of["used-hours"], powerKilowattsBusy: of["busy-kw"], powerKilowattsIdle: of["idle-kw"],
      poweredHoursPerMonth: valueOf(given, "powered-hours"), tariffPerKilowattHour: of.tariff, fixedMonthly: of.upkeep, cloudHourly: of["cloud-price"], relativeSpeed: of["relative-speed"],
    }));
    const found = inputs === null ? null : ownedVersusCloud(inputs);
    const saving = found?.savingShare ?? null;
    const breakEven = found?.breakEvenUsedHoursPerMonth ?? null;
    const claim = valueOf(given, "claim") ?? ZERO;
    const claimHours = inputs === null ? null : hoursForSaving(inputs, claim);
    return ok({
      lines: [
        line(given, "saving", saving, "ratio", { isMain: true, needs }),
        line(given, "owned-monthly", found?.ownedMonthly ?? null, "money", { needs }),
        line(given, "cloud-monthly", found?.cloudMonthly ?? null, "money", { needs }),
        line(given, "owned-hour", found?.ownedCostPerCloudEquivalentHour ?? null, "rate", { needs }),
        line(given, "break-even-hours", breakEven, "hours", { needs, why: "never" }),
        line(given, "claim-hours", claimHours, "hours", { needs, why: "never" }),
      ],
      notes: [
        ...(saving === null ? [] : [said(compare(saving, claim) >= 0 ? "calc.owned.note.claim-holds" : "calc.owned.note.claim-fails", { claim: ratioParam(claim, 0), saving: ratioParam(saving) })]),
        ...(breakEven === null || compare(breakEven, MONTH) <= 0 ? [] : [said("calc.owned.note.beyond-month", { hours: numberParam(breakEven, 0) })]),
      ],
    });
  },
};

/**
 * Hours a month from which the card saves that share: its standing cost ÷ ((1 − share) × price × speed − tariff × (busy − idle kW)); null if
 * no use is enough.
 */
export function hoursForSaving(inputs: OwnedInputs, share: Rational): Rational | null {
  return ownedVersusCloud({ ...inputs, cloudHourly: multiply(inputs.cloudHourly, subtract(ONE, share)) }).breakEvenUsedHoursPerMonth;
}

const MONTH = whole(744);
