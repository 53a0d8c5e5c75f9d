import { trainingRun } from "../../metrics/model/flops.ts";
import { divide, multiply, ONE, whole, ZERO } from "../../../../shared/domain/rational.ts";
import { ok } from "../../../../shared/result.ts";
import { fromAll, line, said, numberParam, valueOf, type Calculator } from "./given.ts";

const hours = ["parameters", "tokens", "peak-tflops", "mfu", "overhead"] as const;
const EXA = whole(10n ** 18n);

/** What a training run takes (model e.3). */
export const training: Calculator = {
  id: "training",
  work: (given) => {
    const run = fromAll(given, hours, (of) =>
      trainingRun({ activeParameters: of.parameters, tokens: of.tokens, peakTflopsDense: of["peak-tflops"], mfu: of.mfu, overheadShare: of.overhead, gpus: valueOf(given, "gpus") ?? ONE, pricePerGpuHour: valueOf(given, "gpu-price") ?? ZERO }),
    );
    const isPriced = valueOf(given, "gpu-price") !== null;
    const isCounted = valueOf(given, "gpus") !== null;
    const wallHours = isCounted ? (run?.wallHours ?? null) : null;
    const flop = fromAll(given, ["parameters", "tokens"], (of) => divide(multiply(whole(6), multiply(of.parameters, of.tokens)), EXA));
    const days = wallHours === null ? null : divide(wallHours, whole(24));
    return ok({
      lines: [
        line(given, "cost", isPriced ? (run?.cost ?? null) : null, "money", { isMain: true, needs: [...hours, "gpu-price"] }),
        line(given, "flop", flop, "exaflop", { needs: ["parameters", "tokens"] }),
        line(given, "gpu-hours", run?.gpuHours ?? null, "gpu-hours", { needs: hours }),
        line(given, "wall-hours", wallHours, "hours", { needs: [...hours, "gpus"] }),
        line(given, "cost-per-million", isPriced ? (run?.costPerMillionTokens ?? null) : null, "rate", { needs: [...hours, "gpu-price"] }),
      ],
      notes: days === null ? [] : [said("calc.training.note.days", { days: numberParam(days, 1) })],
    });
  },
};
