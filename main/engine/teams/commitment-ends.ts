/** Commitments that are known to end, as what the forecast must add from that day on. */
import type { CostBasis } from "../../../shared/domain/figure.ts";
import { divideHalfEven } from "../../../shared/domain/rational.ts";
import { dayNumber } from "../budgets/calendar.ts";
import { storedTerms } from "../commitments/scenarios.ts";
import { isUnused } from "../metrics/charges.ts";
import { query, readAll, sql, sumMoneyOrNull, teamIn } from "../store/sql.ts";
import { coveredDays, keptAt } from "./daily.ts";
import type { PlannedChange } from "./forecast.ts";

export interface CommitmentEnd extends PlannedChange {
  readonly commitment: string;
  readonly provider: string | null;
}

/** What a commitment did in its last so many known days is what it does. */
const LOOK_BACK_DAYS = 28;

interface Covered {
  readonly commitment: string;
  readonly team: string | null;
  readonly provider: string | null;
  readonly isUnused: number;
  readonly cost: bigint | null;
  readonly contracted: bigint | null;
  readonly list: bigint | null;
}

/**
 * By team, what a day costs more once a commitment has ended and the same usage goes on: what its usage costs without it (the contracted
 * price, else list) less what it costs now, its unused part with it. Nothing is said where the bills state neither price.
 */
export function commitmentEnds(ledger: { readonly db: Parameters<typeof storedTerms>[0]; revision(): number }, currency: string, basis: CostBasis): readonly CommitmentEnd[] {
  const last = [...coveredDays(ledger).values()].flatMap((days) => [...days]).reduce((most, day) => Math.max(most, day), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(last)) return [];
  const ending = storedTerms(ledger.db).flatMap(({ commitment, endsOn }) => (endsOn !== null && dayNumber(endsOn) > last ? [{ commitment, day: dayNumber(endsOn) }] : []));
  if (ending.length === 0) return [];
  const covered = keptAt(ledger, `commitment-ends ${currency} ${basis}`, () =>
    readAll(ledger.db, query<Covered>("commitment", "team", "provider", "isUnused", "cost", "contracted", "list")`-- commitment-ends.covered
      SELECT
        s.CommitmentDiscountId AS commitment, ${teamIn(sql`c.Month`)} AS team, s.ProviderName AS provider,
        CASE WHEN ${isUnused} THEN 1 ELSE 0 END AS isUnused,
        ${sumMoneyOrNull(basis, "c")} AS cost, ${sumMoneyOrNull("ContractedCost", "c")} AS contracted, ${sumMoneyOrNull("ListCost", "c")} AS list
      FROM charge_day_current c
      JOIN series s ON s.SeriesId = c.SeriesId
      WHERE c.Day > ${last - LOOK_BACK_DAYS} AND s.BillingCurrency = ${currency} AND s.CommitmentDiscountId IS NOT NULL AND (s.ChargeCategory = 'Usage' OR ${isUnused})
      GROUP BY 1, 2, 3, 4
      ORDER BY 1, 2, 3, 4`),
  );
  return ending.flatMap(({ commitment, day }) =>
    covered.flatMap((row): CommitmentEnd[] => {
      const undiscounted = row.isUnused === 1 ? 0n : (row.contracted ?? row.list);
      if (row.commitment !== commitment || row.cost === null || undiscounted === null) return [];
      const attos = divideHalfEven(undiscounted - row.cost, BigInt(LOOK_BACK_DAYS));
      return attos === 0n ? [] : [{ commitment, provider: row.provider, name: commitment, team: row.team, currency, fromDay: day, toDay: null, isDaily: true, attos }];
    }),
  );
}
