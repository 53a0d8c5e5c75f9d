import { batchSize } from "../../metrics/model/sizing.ts";
import { ONE, subtract, whole, ZERO, type Rational } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import { fromAll, line, numberParam, said, valueOf, type Calculator } from "./given.ts";

const needs = ["gpu-memory", "parameters", "bytes-per-parameter", "reserve"] as const;
/** The formula as guides print it, without the bytes of a parameter. */
const guideNeeds = ["gpu-memory", "parameters", "sample-memory"] as const;

/** How many samples fit beside the weights (model e.9), beside the fullest that the chosen model's memory was seen. */
export const batch: Calculator = {
  id: "batch",
  work: (given) => {
    const sample = valueOf(given, "sample-memory");
    const sized = fromAll(given, needs, (of) =>
      batchSize({ gpuMemoryGigabytes: of["gpu-memory"], parameters: of.parameters, bytesPerParameter: of["bytes-per-parameter"], reserveShare: of.reserve, gigabytesPerSample: sample ?? ZERO }),
    );
    const guide = fromAll(given, guideNeeds, (of) =>
      batchSize({ gpuMemoryGigabytes: of["gpu-memory"], parameters: of.parameters, bytesPerParameter: ONE, reserveShare: ZERO, gigabytesPerSample: of["sample-memory"] }),
    );
    const peak = given.facts.memoryPeak ?? null;
    const memory = valueOf(given, "gpu-memory");
    const isChosen = given.choices.get("gpu-model") !== null && given.choices.get("gpu-model") !== undefined;
    return ok({
      lines: [
        line(given, "batch-size", counted(sized), "count", { isMain: true, needs: [...needs, "sample-memory"] }),
        line(given, "weights", sized?.weightsWithOverheadGigabytes ?? null, "gb", { needs }),
        line(given, "free", sized?.freeGigabytes ?? null, "gb", { needs }),
        line(given, "guide-batch", counted(guide), "count", { basis: "assumed", needs: guideNeeds }),
        ...(isChosen
          ? [
              line(given, "memory-peak", peak?.gigabytes ?? null, "gb", { basis: "measured", why: "no-telemetry" }),
              line(given, "peak-left", peak === null || memory === null ? null : subtract(memory, peak.gigabytes), "gb", { basis: "measured", needs: ["gpu-memory"], why: "no-telemetry" }),
            ]
          : []),
      ],
      notes: [
        ...(sized !== null && !sized.fits ? [said("calc.batch.note.does-not-fit")] : []),
        ...(peak !== null ? [said("calc.batch.note.peak", { share: { ratio: peak.share }, devices: numberParam(peak.devices, 0) })] : []),
      ],
    });
  },
};

function counted(sized: ReturnType<typeof batchSize> | null): Rational | null {
  return sized === null || sized.batchSize === null ? null : whole(sized.batchSize);
}
