/** Which billed resource each telemetry host is, as the hours were worked out (hours/match.ts). */
import { deviceHosts, gpuResources, hostMap } from "../hours/work-out.ts";
import { matchHosts, type MatchRule } from "../hours/match.ts";
import type { Db } from "../store/sql.ts";

export interface HostJoin {
  readonly host: string;
  readonly resource: string;
  readonly rule: MatchRule;
  /** Hours since 1970-01-01T00:00Z: inclusive, exclusive. */
  readonly fromHour: number;
  readonly toHour: number;
}

export function hostJoins(db: Db): readonly HostJoin[] {
  return matchHosts(deviceHosts(db), gpuResources(db), hostMap(db)).matches.map(({ host, resourceId, rule, fromHour, toHour }) => ({
    host,
    resource: resourceId,
    rule,
    fromHour,
    toHour,
  }));
}
