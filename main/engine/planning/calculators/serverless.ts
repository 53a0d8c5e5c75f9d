import { ok } from "../../../../shared/result.ts";
import { serverlessComparison } from "../serverless.ts";
import { fromAll, line, said, type Calculator } from "./given.ts";

const needs = ["requests", "request-seconds", "second-rate", "request-fee", "cold-seconds", "cold-share", "replica-price", "replica-rate", "peak-factor", "least-replicas", "month-hours"] as const;

/** Serverless by the second against replicas that always run. */
export const serverless: Calculator = {
  id: "serverless",
  work: (given) => {
    const found = fromAll(given, needs, (of) =>
      serverlessComparison({
        requests: of.requests, secondsPerRequest: of["request-seconds"], secondRate: of["second-rate"], feePerRequest: of["request-fee"], coldSeconds: of["cold-seconds"], coldShare: of["cold-share"],
        replicaHourly: of["replica-price"], replicaRate: of["replica-rate"], peakFactor: of["peak-factor"], leastReplicas: of["least-replicas"], monthHours: of["month-hours"],
      }),
    );
    return ok({
      lines: [
        line(given, "serverless-monthly", found?.serverlessMonthly ?? null, "money", { isMain: true, needs }),
        line(given, "always-on-monthly", found?.alwaysOnMonthly ?? null, "money", { isMain: true, needs }),
        line(given, "break-even-requests", found === null || found.isBreakEvenReachable === false ? null : found.breakEvenRequests, "count", { needs, why: "never" }),
        line(given, "serverless-per-request", found?.serverlessPerRequest ?? null, "rate", { needs }),
        line(given, "always-on-per-request", found?.alwaysOnPerRequest ?? null, "rate", { needs }),
        line(given, "replicas", found?.replicas ?? null, "count", { needs }),
        line(given, "load", found?.load ?? null, "ratio", { needs }),
      ],
      notes: found === null ? [] : [said(`calc.serverless.note.${found.cheaper}`), ...(found.isBreakEvenReachable === false ? [said("calc.serverless.note.no-break-even")] : [])],
    });
  },
};
