import { stringify } from "csv-stringify/sync";
import type { LedgerAccounts } from "../../../shared/contract/teams.ts";
import { minorDigits } from "../../../shared/domain/currency.ts";
import { shownParts } from "../../../shared/contract/table.ts";
import { formatFixed } from "../../../shared/domain/money.ts";
import { harmless } from "../print/csv.ts";
import type { Showback } from "./shared-costs.ts";

export const journalColumns = ["Date", "Journal", "Line", "Account", "Team", "Debit", "Credit", "Currency", "Description"] as const;

/**
 * A chargeback as a journal for the ledger of accounts: each team is debited, the clearing account credited; a team with a net credit the
 * other way round. Amounts are in whole minor units, those that the showback shows (maths.md i.6), and debits equal credits. What belongs to nobody stays on the clearing account and is no line.
 */
export function journalOf(showback: Showback, accounts: LedgerAccounts, { month, currency, lastDay }: { readonly month: string; readonly currency: string; readonly lastDay: string }): string {
  const digits = minorDigits(currency);
  const minorUnit = 10n ** BigInt(18 - digits);
  const shown = shownParts([...showback.teams.map(({ team, total }) => ({ id: `team ${team}`, amount: total })), { id: "not-allocated", amount: showback.unallocated, isRest: true }], currency);
  const journal = `GPU-${month}`;
  const lines = showback.teams
    .map(({ team }) => ({ account: Object.hasOwn(accounts.teams, team) ? (accounts.teams[team] ?? "") : "", team, units: (shown.get(`team ${team}`) ?? 0n) / minorUnit }))
    .filter(({ units }) => units !== 0n);
  const totalMinorUnits = lines.reduce((sum, { units }) => sum + units, 0n);
  const booked = [...lines, ...(totalMinorUnits === 0n ? [] : [{ account: accounts.clearing ?? "", team: "", units: -totalMinorUnits }])];
  const amount = (units: bigint): string => (units > 0n ? formatFixed(units, digits) : "");
  return stringify(
    [
      [...journalColumns],
      ...booked.map(({ account, team, units }, index) => [lastDay, journal, String(index + 1), harmless(account), harmless(team), amount(units), amount(-units), currency, harmless(`GPU ${month}`)]),
    ],
    { record_delimiter: "\r\n" },
  );
}
