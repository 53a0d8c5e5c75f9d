import { fromNumber, toNumber, type Rational } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import type { Message } from "../../../../shared/contract/report.ts";
import { savingClaim } from "../interruptions.ts";
import { breakEvenMeanTime, checkpointIntervals, meanTimeFromBand, spotCost, spotWithNotice, spotWithoutCheckpoints } from "../spot.ts";
import { line, missingOf, moneyParam, numberParam, ratioParam, said, valueOf, type Calculator, type Given } from "./given.ts";

const MINUTES = 60;
const SECONDS = 3600;

/** Spot with checkpoints: the best interval, the net price, and whether the claimed saving holds (models c and k). */
export const spot: Calculator = {
  id: "spot",
  work: (given) => {
    const number = (field: string): number | null => numberOf(valueOf(given, field));
    const minutes = (field: string): number | null => divided(number(field), MINUTES);
    const log = given.facts.interruptions ?? null;
    const own = log?.meanHours ?? log?.atLeastHours ?? null;
    const band = number("band");
    const rough = own === null && number("mean-time") === null && band !== null ? meanTimeFromBand(band) : null;
    const meanTime = own ?? number("mean-time") ?? rough;
    const instances = number("instances") ?? 1;
    const [spotHourly, onDemandHourly, checkpoint, restart] = [number("spot-price"), number("on-demand-price"), minutes("checkpoint"), minutes("restart")];
    const gang = meanTime === null ? null : meanTime / instances;
    const best = gang === null || checkpoint === null ? null : checkpointIntervals(gang, checkpoint);
    const reservedHourly = number("reserved-price");
    const cost =
      meanTime === null || spotHourly === null || onDemandHourly === null || checkpoint === null || restart === null
        ? null
        : spotCost({
            meanTimeHours: meanTime, instances, spotHourly, onDemandHourly, checkpointHours: checkpoint, restartHours: restart, intervalHours: minutes("interval"), waitHours: 0, storagePerUsefulHour: number("storage") ?? 0,
            reserved: reservedHourly === null ? null : { effectiveHourly: reservedHourly, utilization: number("reserved-use") ?? 1 },
          });
    const claim = number("claim") ?? 0;
    const claimed = cost === null || spotHourly === null || onDemandHourly === null ? null : savingClaim({ spotHourly, onDemandHourly, overheadFactor: cost.overheadFactor, claim, storageShare: (number("storage") ?? 0) / cost.onDemandCostPerUsefulHour });
    const breakEven = spotHourly === null || onDemandHourly === null || checkpoint === null || restart === null ? null : breakEvenMeanTime({ spotHourly, alternativePerUsefulHour: onDemandHourly, checkpointHours: checkpoint, restartHours: restart });
    const job = number("job-hours");
    const naked = gang === null || job === null || restart === null ? null : spotWithoutCheckpoints(gang, restart, job);
    const notice = divided(number("notice"), SECONDS);
    const warned = meanTime === null || notice === null || checkpoint === null || restart === null || spotHourly === null || onDemandHourly === null ? null : spotWithNotice({ meanTimeHours: meanTime, instances, checkpointHours: checkpoint, restartHours: restart, noticeHours: notice, spotHourly, onDemandHourly });

    const time = log === null && rough === null ? ["mean-time"] : [];
    const all = [...time, "spot-price", "on-demand-price", "checkpoint", "restart"];
    const measured = { basis: own === null ? ("assumed" as const) : ("measured" as const) };
    return ok({
      lines: [
        line(given, "cost-per-useful-hour", cost?.costPerUsefulHour ?? null, "rate", { isMain: true, needs: all, why: "never" }),
        line(given, "saving", cost?.savingShare ?? null, "ratio", { needs: all, why: "never" }),
        line(given, "claim", claimed === null ? null : said(claimed.holds ? "calc.spot.claim-holds" : "calc.spot.claim-fails", { claim: ratioParam(claim, 0) }), "ratio", { needs: all, why: "never" }),
        line(given, "price-saving", claimed?.byPrice ?? null, "ratio", { needs: all, why: "never" }),
        line(given, "needs-price", claimed?.needsPriceShare ?? null, "ratio", { needs: all, why: "never" }),
        line(given, "mean-time", meanTime, "hours", { ...measured, needs: time }),
        line(given, "interval-exact", times(best?.exact, MINUTES), "minutes", { needs: [...time, "checkpoint"] }),
        line(given, "interval-young", times(best?.young, MINUTES), "minutes", { basis: "assumed", needs: [...time, "checkpoint"] }),
        line(given, "interval-daly", times(best?.daly, MINUTES), "minutes", { basis: "assumed", needs: [...time, "checkpoint"] }),
        line(given, "overhead", cost?.overheadFactor ?? null, "multiple", { needs: all, why: "never" }),
        line(given, "on-demand-cost", cost?.onDemandCostPerUsefulHour ?? null, "rate", { needs: all }),
        ...(reservedHourly === null ? [] : [line(given, "reserved-cost", cost?.reservedCostPerUsefulHour ?? null, "rate", { needs: all })]),
        line(given, "break-even-price", cost?.breakEvenSpotHourly ?? null, "rate", { needs: all, why: "never" }),
        line(given, "break-even-time", breakEven?.meanTimeHours ?? null, "hours", { needs: ["spot-price", "on-demand-price", "checkpoint", "restart"], why: "never" }),
        ...(job === null ? [] : [line(given, "without-checkpoints", naked?.expectedWallHours ?? null, "hours", { needs: [...time, "restart"], why: "never" })]),
        ...(notice === null ? [] : [line(given, "with-notice", warned?.costPerUsefulHour ?? null, "rate", { needs: all, why: "never" })]),
      ],
      notes: notesOf(given, { cheapest: missingOf(given, all).length > 0 ? null : (cost?.cheapest ?? "on_demand"), isEndless: cost === null && missingOf(given, all).length === 0, net: claimed?.net ?? null, claim, fits: warned?.fitsInNotice ?? null, cost: cost?.costPerUsefulHour ?? null, band: rough === null ? null : band }),
    });
  },
};

interface Verdict {
  readonly cheapest: "spot" | "on_demand" | "reserved" | null;
  readonly isEndless: boolean;
  readonly net: number | null;
  readonly claim: number;
  readonly fits: boolean | null;
  readonly cost: number | null;
  /** The band that the mean time comes from; null if it does not. */
  readonly band: number | null;
}

function notesOf(given: Given, { cheapest, isEndless, net, claim, fits, cost, band }: Verdict): readonly Message[] {
  const log = given.facts.interruptions ?? null;
  const notes: Message[] = [];
  if (log !== null && log.meanHours !== null) notes.push(said("calc.spot.note.log", { runs: numberParam(log.runs, 0), hours: numberParam(log.hours, 1), interruptions: numberParam(log.interruptions, 0), mean: numberParam(log.meanHours, 1) }));
  if (log !== null && log.atLeastHours !== null) notes.push(said("calc.spot.note.rule-of-three", { hours: numberParam(log.hours, 1), least: numberParam(log.atLeastHours, 1) }));
  if (band !== null) notes.push(said("calc.spot.note.band", { band: ratioParam(band, 0) }));
  if (net !== null && cost !== null) notes.push(said("calc.spot.note.claim", { net: ratioParam(net), claim: ratioParam(claim, 0), cost: moneyParam(fromNumber(cost), given) }));
  if (isEndless) notes.push(said("calc.spot.note.endless"));
  else if (cheapest !== null) notes.push(said(`calc.spot.note.cheapest-${cheapest.replace("_", "-")}`));
  if (fits !== null) notes.push(said(fits ? "calc.spot.note.fits-notice" : "calc.spot.note.longer-than-notice"));
  return notes;
}

function numberOf(value: Rational | null): number | null {
  return value === null ? null : toNumber(value);
}

function divided(value: number | null, by: number): number | null {
  return value === null ? null : value / by;
}

function times(value: number | undefined, by: number): number | null {
  return value === undefined ? null : value * by;
}
