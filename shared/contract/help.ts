/** Every page of the help, in reading order; resources/help holds one file a page and language. */
export const helpPages = ["start", "import", "review", "efficiency", "commitments", "offers", "carbon", "esg", "method", "months-and-time", "money", "calculators", "terminal", "privacy", "files", "claims", "glossary"] as const;
export type HelpPageId = (typeof helpPages)[number];

/** One line of the contents. `id` of a section is the same in every language, so that `#/help/method/four-ways` is an address. */
export interface HelpEntry {
  readonly page: HelpPageId;
  readonly title: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}
/** A page as its file has it: Markdown of the kind that renderer/help/markdown.ts reads. */
export interface HelpText {
  readonly page: HelpPageId;
  readonly text: string;
}

export interface HelpHeading {
  readonly level: number;
  readonly text: string;
  readonly id: string | null;
}

/** A heading of a help page, `## Four ways {#four-ways}`; null for any other line. */
export function helpHeadingOf(line: string): HelpHeading | null {
  const found = /^(#{1,3}) (.+?)(?: \{#([a-z0-9-]+)\})?$/.exec(line);
  if (found === null) return null;
  const [, marks = "", text = "", id = null] = found;
  return { level: marks.length, text, id };
}
