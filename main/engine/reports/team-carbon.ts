/** What the teams of another report's table emitted: location-based, since it is a place's and not a contract's. */
import type { Cell, TableBlock } from "../../../shared/contract/report.ts";
import type { CarbonRow } from "../../../shared/contract/carbon.ts";
import { emissionsLocation } from "../metrics/emissions-location.ts";
import { carbonFacts, carbonSumsOf } from "./carbon-rows.ts";
import { column, notApplicable, shown } from "./cells.ts";
import { message } from "./context.ts";
import { refTo, type Gathered } from "./gather.ts";

/** The table of teams with their kg CO2e as its last column; as it is where the period has no GPU-hours. */
export function withCarbon(block: TableBlock, gathered: Gathered): TableBlock {
  const read = carbonSumsOf(gathered.context, gathered.asked);
  if (!read.ok || read.value.rows.length === 0) return block;
  const facts = carbonFacts(read.value.rows, gathered.currency, read.value.settings);
  const byTeam = Map.groupBy(facts.rows, ({ team }: CarbonRow) => team);
  const cellOf = (id: string): Cell => {
    const team = id === "not-allocated" ? null : id.startsWith("team ") ? id.slice("team ".length) : undefined;
    const rows = team === undefined ? undefined : byTeam.get(team);
    return team === undefined || rows === undefined ? notApplicable : shown(emissionsLocation.figure({ ...facts, rows }), refTo(gathered, "emissions-location", { team: [team] }));
  };
  return {
    ...block,
    columns: [...block.columns, column("carbon", "figure", 2, message("esg.team-column"))],
    rows: block.rows.map((row) => ({ ...row, cells: [...row.cells, cellOf(row.id)] })),
    total: block.total === null ? null : { ...block.total, cells: [...block.total.cells, shown(emissionsLocation.figure(facts), refTo(gathered, "emissions-location"))] },
  };
}
