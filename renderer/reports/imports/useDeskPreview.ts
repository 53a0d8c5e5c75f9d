import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { LedgerError } from "../../../shared/contract/errors.ts";
import type { DeliveryPreview, ImportPreview } from "../../../shared/contract/methods.ts";
import { useLedger } from "../../ledger/LedgerProvider.tsx";
import { asked, useTell } from "../../ledger/useAsk.ts";
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

/** Says of a delivery on the desk that it is its whole month, or only what it holds; the preview shows at once what that changes. */
export function useCover(): { readonly run: (delivery: DeliveryPreview) => Promise<void>; readonly isBusy: boolean; readonly error: LedgerError | null } {
  const queries = useQueryClient();
  const attempt = useDesk((desk) => desk.attempt);
  const { tell, isBusy, error } = useTell("import.cover");
  const desk = useDeskPreview();
  return {
    isBusy,
    error,
    run: async ({ delivery, coverage }) => {
      if (desk.state !== "ready") return;
      const changed = await tell({ plan: desk.preview.plan, delivery, covers: coverage === "held" ? "period" : "held" });
      if (!changed.ok) return;
      const files = desk.preview.files.map((file) => ({ ...file, deliveries: file.deliveries.map((each) => (each.delivery === delivery ? changed.value : each)) }));
      queries.setQueryData(["desk", attempt], { result: { ok: true, value: { ...desk.preview, files } } });
    },
  };
}
