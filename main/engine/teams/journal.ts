import { stringify } from "csv-stringify/sync";
import type { LedgerAccounts } from "../../../shared/contract/teams.ts";
import { minorDigits } from "../../../shared/domain/currency.ts";
import { displayRound, formatFixed } from "../../../shared/domain/money.ts";
import { harmless } from "../print/csv.ts";
import type { Showback } from "./shared-costs.ts";

export const journalColumns = ["Date", "Journal", "Line", "Account", "Team", "Debit", "Credit", "Currency", "Description"] as const;

/**
 * A chargeback as a journal for the ledger of accounts: each team is debited, the clearing account credited; a team with a net credit the
 * other way round. Amounts are in whole minor units, rounded so that the lines add to the rounded total (maths.md i.6), and debits equal
 * credits. What belongs to nobody stays on the clearing account and is no line.
 */
export function journalOf(showback: Showback, accounts: LedgerAccounts, { month, currency, lastDay }: { readonly month: string; readonly currency: string; readonly lastDay: string }): string {
  const digits = minorDigits(currency);
  const { rows, totalMinorUnits } = displayRound(showback.teams.map(({ team, total }) => ({ id: team, amount: total })), digits);
  const journal = `GPU-${month}`;
  const lines = rows
    .filter(({ minorUnits }) => minorUnits !== 0n)
    .map(({ id: team, minorUnits }) => ({ account: Object.hasOwn(accounts.teams, team) ? (accounts.teams[team] ?? "") : "", team, units: minorUnits }));
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
