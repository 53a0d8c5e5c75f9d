import { compare, multiply, ONE, subtract, whole } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import { slicePrice, type SliceInputs } from "../../metrics/model/sizing.ts";
import { line, missingOf, ratioParam, said, valueOf, type Calculator } from "./given.ts";

/** What a slice or a virtual GPU costs beside a whole one (model e.7). */
export const slice: Calculator = {
  id: "slice",
  work: (given) => {
    const profile = given.facts.profile ?? null;
    const computeShare = valueOf(given, "compute-share") ?? profile?.computeShare ?? null;
    const memoryShare = valueOf(given, "memory-share") ?? profile?.memoryShare ?? null;
    const price = valueOf(given, "gpu-price");
    const basis = (given.choices.get("paid-by") ?? "max") as SliceInputs["basis"];
    const loss = valueOf(given, "loss") ?? whole(0);
    const found = price === null || computeShare === null || memoryShare === null ? null : slicePrice({ gpuPriceHourly: price, computeShare, memoryShare, basis, virtualizationLoss: loss });
    const needs = ["gpu-price", ...(profile === null ? ["compute-share", "memory-share"] : [])];
    const reached = profile === null ? null : multiply(profile.computeShare, whole(profile.count));
    const stranded = reached === null || compare(reached, ONE) > 0 ? null : subtract(ONE, reached);
    const penalty = found?.penaltyVersusFullGpu ?? null;
    const isMissing = missingOf(given, needs).length > 0;
    return ok({
      lines: [
        line(given, "full-equivalent", found?.pricePerFullGpuEquivalent ?? null, "rate", { isMain: true, needs, why: "never" }),
        line(given, "penalty", penalty, "ratio", { needs, why: "no-denominator" }),
        line(given, "allocated", found?.allocatedCostHourly ?? null, "rate", { needs }),
        line(given, "effective", found?.effectiveComputeShare ?? null, "ratio", { needs }),
        ...(profile === null ? [] : [line(given, "stranded", stranded, "ratio", { basis: "assumed" })]),
      ],
      notes: [
        ...(profile !== null ? [said("calc.slice.note.profile", { profile: { text: profile.text }, compute: ratioParam(profile.computeShare), memory: ratioParam(profile.memoryShare) })] : []),
        ...(!isMissing && penalty !== null && compare(penalty, whole(0)) > 0 ? [said("calc.slice.note.dearer", { loss: ratioParam(loss, 0), penalty: ratioParam(penalty) })] : []),
      ],
    });
  },
};
