import { add, compare, divide, floor, larger, multiply, ratio, whole, type Rational } from "../../../shared/domain/rational.ts";

export interface ServerlessInputs {
  /** A month. */
  readonly requests: Rational;
  readonly secondsPerRequest: Rational;
  /** Of a second of work. */
  readonly secondRate: Rational;
  readonly feePerRequest: Rational;
  readonly coldSeconds: Rational;
  /** Share of the requests that wait for a cold start. */
  readonly coldShare: Rational;
  /** An hour of one replica that is always on. */
  readonly replicaHourly: Rational;
  /** Requests a second that a replica serves at full load. */
  readonly replicaRate: Rational;
  /** Busiest moment ÷ mean. */
  readonly peakFactor: Rational;
  readonly leastReplicas: Rational;
  readonly monthHours: Rational;
}

export interface ServerlessComparison {
  readonly serverlessPerRequest: Rational;
  readonly serverlessMonthly: Rational;
  readonly replicas: Rational;
  readonly alwaysOnMonthly: Rational;
  /** Null without requests. */
  readonly alwaysOnPerRequest: Rational | null;
  /** Share of what the replicas could serve. */
  readonly load: Rational | null;
  /** Requests a month at which the fewest replicas cost the same; null if a request costs nothing. */
  readonly breakEvenRequests: Rational | null;
  /** The fewest replicas could serve so many. */
  readonly isBreakEvenReachable: boolean | null;
  readonly cheaper: "serverless" | "always-on" | "same";
}

/**
 * Serverless billed by the second beside replicas that always run.
 *
 * serverless   requests × ((seconds + cold share × cold seconds) × rate + fee)
 * replicas     ⌈requests a second × peak ÷ requests a second of one⌉, at least the fewest
 * always on    replicas × price × hours of the month
 * break-even   fewest replicas × price × hours ÷ cost of a serverless request; beyond what they serve there is none
 */
export function serverlessComparison(inputs: ServerlessInputs): ServerlessComparison {
  const seconds = add(inputs.secondsPerRequest, multiply(inputs.coldShare, inputs.coldSeconds));
  const serverlessPerRequest = add(multiply(seconds, inputs.secondRate), inputs.feePerRequest);
  const serverlessMonthly = multiply(inputs.requests, serverlessPerRequest);
  const monthSeconds = multiply(inputs.monthHours, whole(3600));
  const rate = divide(inputs.requests, monthSeconds);
  const replicas = larger(inputs.leastReplicas, ceiling(divide(multiply(rate, inputs.peakFactor), inputs.replicaRate)));
  const replicaMonthly = multiply(inputs.replicaHourly, inputs.monthHours);
  const alwaysOnMonthly = multiply(replicas, replicaMonthly);
  const breakEvenRequests = ratio(multiply(inputs.leastReplicas, replicaMonthly), serverlessPerRequest);
  const servedByFewest = divide(multiply(multiply(inputs.leastReplicas, inputs.replicaRate), monthSeconds), inputs.peakFactor);
  const difference = compare(serverlessMonthly, alwaysOnMonthly);
  return {
    serverlessPerRequest,
    serverlessMonthly,
    replicas,
    alwaysOnMonthly,
    alwaysOnPerRequest: ratio(alwaysOnMonthly, inputs.requests),
    load: ratio(rate, multiply(replicas, inputs.replicaRate)),
    breakEvenRequests,
    isBreakEvenReachable: breakEvenRequests === null ? null : compare(breakEvenRequests, servedByFewest) <= 0,
    cheaper: difference < 0 ? "serverless" : difference > 0 ? "always-on" : "same",
  };
}

function ceiling(value: Rational): Rational {
  const below = floor(value);
  return whole(value.denominator === 1n ? below : below + 1n);
}
