/** What did each team cost, with its part of what is shared? */
import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Cell, ReportDocument, ReportRequest, TableBlock } from "../../../shared/contract/report.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import { share } from "../metrics/metric.ts";
import { showbackOf, storedPools, type Showback } from "../teams/shared-costs.ts";
import { amount, column, notApplicable, row, shown, text, words } from "./cells.ts";
import { message, type ReportContext } from "./context.ts";
import { gather, provenanceOf, refTo, type Gathered } from "./gather.ts";
import { withCarbon } from "./team-carbon.ts";

export function readShowback(context: ReportContext, request: ReportRequest): Result<ReportDocument> {
  const gathered = gather(context, request);
  if (gathered === null) return err(ledgerError("period.invalid", { text: request.period }));
  const { currency } = gathered;
  if (gathered.isEmpty) return err(ledgerError("report.no-data", { period: request.period }));
  const showback = showbackOf(gathered.charges(["team", "service"]), storedPools(context.ledger.db));
  if (showback === null) throw new Error("pools over 100 % are refused when they are saved");
  const period = { period: { period: request.period } };
  const allocated = share(showback.total - showback.unallocated, showback.total);
  return ok({
    report: "showback",
    request,
    period: gathered.period,
    currency,
    otherCurrencies: gathered.otherCurrencies,
    provenance: provenanceOf(gathered),
    title: message("showback.title", period),
    answer:
      currency === null || allocated === null
        ? message("showback.answer.no-cost", period)
        : message("showback.answer", { ...period, total: { figure: amount("spend", showback.total, currency, gathered.billCoverage), explain: refTo(gathered, "spend") }, ratio: { ratio: allocated } }),
    context: [
      message(`basis.${request.basis}.sentence`),
      ...showback.pools.flatMap(({ rule, fallback }) => (fallback === null ? [] : [message(fallback === "even" ? "showback.context.even" : "showback.context.negative", { name: { text: rule.name } })])),
    ],
    blocks: currency === null ? [] : [withCarbon(teamTable(gathered, showback, currency), gathered)],
  });
}

/** Teams with what is theirs, what went into pools, a column a pool, and all of it; what is nobody's stands below, so that the table closes. */
function teamTable(gathered: Gathered, { teams, pools, rest, unallocated, total }: Showback, currency: string): TableBlock {
  const money = (attos: bigint): Cell => shown(amount("spend", attos, currency, gathered.billCoverage));
  const hasGiven = teams.some(({ given }) => given !== 0n);
  const rows = teams.map(({ team, direct, given, shares, total: own }) =>
    row(`team ${team}`, [
      text(team),
      shown(amount("spend", direct, currency, gathered.billCoverage), refTo(gathered, "spend", { team: [team] })),
      ...(hasGiven ? [money(given)] : []),
      ...shares.map(money),
      money(own),
    ]),
  );
  if (unallocated !== 0n) rows.push(row("not-allocated", [words("team.none"), money(rest), ...(hasGiven ? [notApplicable] : []), ...pools.map(({ unallocated: left }) => money(left)), money(unallocated)], "muted"));
  const direct = teams.reduce((sum, team) => sum + team.direct, rest);
  return {
    kind: "table",
    id: "showback",
    title: message("showback.table.title"),
    note: message("note.in-currency", { currency: { text: currency } }),
    chart: null,
    columns: [
      column("team", "text", 1, message("column.team")),
      column("direct", "figure", 1, message("column.direct")),
      ...(hasGiven ? [column("given", "figure", 2, message("column.shared-out"))] : []),
      ...pools.map(({ rule }, index) => column(`pool ${index + 1}`, "figure", 2, message("column.pool", { name: { text: rule.name } }))),
      column("spend", "figure", 1, message("column.with-shared")),
    ],
    rows,
    total: row("total", [
      words("row.total"),
      money(direct),
      ...(hasGiven ? [money(teams.reduce((sum, { given }) => sum + given, 0n))] : []),
      ...pools.map(({ amount: pooled }) => money(pooled)),
      shown(amount("spend", total, currency, gathered.billCoverage), refTo(gathered, "spend")),
    ]),
  };
}
