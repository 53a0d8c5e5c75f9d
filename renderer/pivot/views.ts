import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { PivotView } from "../../shared/contract/pivot.ts";
import { pivotViewSchema } from "../../shared/contract/pivot.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";

const PREFIX = "ledger-view.";

export interface NamedView {
  readonly name: string;
  readonly view: PivotView;
}

/** What the screen shows when nothing was chosen: who bought what. */
export const firstPivot: PivotView = { table: "charges", by: ["provider", "service"], filters: [], sort: { column: "EffectiveCost", descending: true } };

/** Views that the person saved, by name; what cannot be read any more is left out. */
export function useSavedViews(): { readonly views: readonly NamedView[]; readonly save: (name: string, view: PivotView | null) => Promise<boolean> } {
  const settings = useAsk("settings.read", {});
  const { tell } = useTell("settings.save");
  const queries = useQueryClient();
  const values = settings.state === "answered" ? settings.value : null;
  const views = useMemo(
    () => Object.entries(values ?? {}).flatMap(([key, text]) => {
      if (!key.startsWith(PREFIX) || text === null) return [];
      const view = viewOfText(text);
      return view === null ? [] : [{ name: key.slice(PREFIX.length), view }];
    }).sort((one, other) => (one.name < other.name ? -1 : 1)),
    [values],
  );
  const save = async (name: string, view: PivotView | null): Promise<boolean> => {
    const saved = await tell({ values: { [`${PREFIX}${name}`]: view === null ? null : JSON.stringify(view) } });
    // Settings are no part of the ledger: its revision does not tell that they changed.
    await queries.invalidateQueries({ queryKey: ["settings.read"] });
    return saved.ok;
  };
  return { views, save };
}

function viewOfText(text: string): PivotView | null {
  try {
    const read = pivotViewSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
