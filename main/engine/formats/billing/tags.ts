/** Tags as the ledger keeps them, and the team they name. */

/** JSON text of an object with its keys sorted; null for none. */
export function canonicalTags(tags: ReadonlyMap<string, unknown>): string | null {
  if (tags.size === 0) return null;
  const sorted = [...tags].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return JSON.stringify(Object.fromEntries(sorted));
}

/**
 * The tags of a JSON column, or null when it is not readable as tags.
 * Besides an object it may be a list of `{key, value}`, or the inside of an object without its braces, as some exports write.
 */
export function parseTags(text: string): Map<string, unknown> | null {
  const parsed = parseJson(text) ?? parseJson(`{${text}}`);
  if (parsed === null || typeof parsed !== "object") return null;
  if (!Array.isArray(parsed)) return new Map(Object.entries(parsed));
  const tags = new Map<string, unknown>();
  for (const item of parsed as readonly unknown[]) {
    if (typeof item !== "object" || item === null || !("key" in item) || typeof item.key !== "string") return null;
    tags.set(item.key, "value" in item ? item.value : true);
  }
  return tags;
}

/** The value of the tag `team`, whatever its case and prefix (`user:team`, `resourceTags/user:team`, `k8s-label/team`); null for none. */
export function teamOf(tags: ReadonlyMap<string, unknown>): string | null {
  for (const [key, value] of tags) {
    if (!isTeamKey(key) || typeof value !== "string") continue;
    const team = value.trim();
    if (team !== "") return team;
  }
  return null;
}

function isTeamKey(key: string): boolean {
  return /^(?:.*[/:])?(?:user_)?team$/i.test(key.trim());
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
