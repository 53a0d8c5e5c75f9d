/** Who decides about a machine or a team: one answer wherever an owner is named. */
import { query, readAll, type Db } from "../store/sql.ts";
import { storedBudgets } from "./budgets.ts";
import { keptAt } from "./daily.ts";

/** The person for a resource of a team; null: nobody is named. */
export type OwnerOf = (resource: string | null, team: string | null) => string | null;

/** Whoever took up an action on the resource, else whom a tag of its bill names, else the owner of the team's budget. */
export function ownerIn(db: Db): OwnerOf {
  const ofResources = ownersOfResources(db);
  const ofTeams = new Map(storedBudgets(db).flatMap(({ scope, owner }) => (owner !== null && scope.team?.length === 1 && typeof scope.team[0] === "string" ? [[scope.team[0], owner] as const] : [])));
  return (resource, team) => (resource === null ? undefined : ofResources.get(resource.toLowerCase())) ?? (team === null ? undefined : ofTeams.get(team)) ?? null;
}

/** Persons by resource, in lower case: of the actions that someone took up, else of a tag of the bill. */
function ownersOfResources(db: Db): ReadonlyMap<string, string> {
  const owners = new Map(keptAt({ db }, "owners-by-tag", () => ownersByTag(db)));
  for (const { resource, owner } of readAll(db, query<{ resource: string; owner: string }>("resource", "owner")`-- findings.owners-of-actions
    SELECT lower(Resource) AS resource, Owner AS owner FROM action WHERE Resource IS NOT NULL AND Owner IS NOT NULL AND State IN ('open', 'agreed') ORDER BY ActionId`)) owners.set(resource, owner);
  return owners;
}

function ownersByTag(db: Db): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { resource, tags } of readAll(db, query<{ resource: string; tags: string }>("resource", "tags")`-- findings.tags
    SELECT lower(ResourceId) AS resource, max(Tags) AS tags
    FROM series
    WHERE x_GpuModel IS NOT NULL AND ResourceId IS NOT NULL AND Tags IS NOT NULL
    GROUP BY 1`)) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(tags);
    } catch {
      continue;
    }
    if (typeof parsed !== "object" || parsed === null) continue;
    const owner = Object.entries(parsed).find(([key, value]) => /^(user:)?(owner|created[-_ ]?by|creator|maintainer|contact)$/i.test(key) && typeof value === "string" && value !== "");
    if (owner !== undefined) owners.set(resource, String(owner[1]));
  }
  return owners;
}
