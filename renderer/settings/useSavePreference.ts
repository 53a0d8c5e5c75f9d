import { useTell } from "../ledger/useAsk.ts";
import type { Preferences } from "../state/preferences.ts";
import { preferenceKeys, usePreferences } from "../state/preferences.ts";

/** Shows the choice at once, and keeps it in the settings; where no ledger is open, the browser's memory has it. */
export function useSavePreference(): (change: Partial<Preferences>) => void {
  const prefer = usePreferences((preferences) => preferences.prefer);
  const { tell } = useTell("settings.save");
  return (change) => {
    prefer(change);
    const values = Object.fromEntries(Object.entries(change).map(([name, value]) => [preferenceKeys[name as keyof Preferences], value]));
    void tell({ values });
  };
}
