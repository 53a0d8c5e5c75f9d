import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { LedgerError } from "../../../shared/contract/errors.ts";
import type { ImportPreview } from "../../../shared/contract/methods.ts";
import { useLedger } from "../../ledger/LedgerProvider.tsx";
import { asked } from "../../ledger/useAsk.ts";
import { useDesk } from "../../state/desk.ts";

export type DeskPreview =
  | { readonly state: "empty" }
  | { readonly state: "reading" }
  | { readonly state: "refused"; readonly error: LedgerError }
  | { readonly state: "ready"; readonly preview: ImportPreview };

/**
 * The preview of the files on the desk. It is read once for each attempt, whatever the person looks at meanwhile, and is not
 * asked again when the ledger changes: the plan is posted as it was shown, or refused.
 */
export function useDeskPreview(): DeskPreview {
  const { client } = useLedger();
  const files = useDesk((desk) => desk.files);
  const options = useDesk((desk) => desk.options);
  const attempt = useDesk((desk) => desk.attempt);
  const { data } = useQuery({
    queryKey: ["desk", attempt],
    queryFn: async () => ({ result: await asked(client, "import.preview", { files: files.map(({ token }) => token), options }) }),
    enabled: files.length > 0,
    gcTime: Number.POSITIVE_INFINITY,
  });
  if (files.length === 0) return { state: "empty" };
  if (data === undefined) return { state: "reading" };
  return data.result.ok ? { state: "ready", preview: data.result.value } : { state: "refused", error: data.result.error };
}

/** Forgets what was read of earlier attempts. */
export function useForgetPreviews(): () => void {
  const queries = useQueryClient();
  return () => queries.removeQueries({ queryKey: ["desk"] });
}
