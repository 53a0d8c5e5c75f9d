import { canonicalName } from "../format.ts";

/**
 * Names of a header by what they mean, for bills whose columns are spelled in two languages and renamed by their vendor from time to time.
 * A name is looked up as it stands, then without its group (`标识信息/账单明细ID`), then without what stands in brackets (`应付金额（含税）`, of
 * either width); a name that is none of the listed ones stays as it is.
 */
export function namedColumns(groups: Readonly<Record<string, readonly string[]>>): (name: string) => string {
  const meanings = new Map<string, string>();
  for (const [meaning, names] of Object.entries(groups)) {
    for (const name of [meaning, ...names]) if (!meanings.has(canonicalName(name))) meanings.set(canonicalName(name), meaning);
  }
  return (name) => {
    for (const candidate of spellingsOf(name)) {
      const meaning = meanings.get(canonicalName(candidate));
      if (meaning !== undefined) return meaning;
    }
    return name;
  };
}

function spellingsOf(name: string): readonly string[] {
  const ungrouped = name.slice(name.indexOf("/") + 1);
  const bare = (text: string): string => text.replace(/[（(][^（）()]*[）)]/g, "");
  return [name, ungrouped, bare(name), bare(ungrouped)];
}
