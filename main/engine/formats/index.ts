import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Result } from "../../../shared/result.ts";
import { err, ok } from "../../../shared/result.ts";
import { awsCur } from "./billing/aws-cur.ts";
import { azure } from "./billing/azure.ts";
import { focus } from "./billing/focus.ts";
import { gcp } from "./billing/gcp.ts";
import { oci } from "./billing/oci.ts";
import type { BillingFormat, Recognition } from "./format.ts";
import { canonicalName, recognizeBill } from "./format.ts";

/** Every billing format, in the order in which they are asked. */
export const billingFormats: readonly BillingFormat[] = [focus, awsCur, azure, gcp, oci];

export { telemetryFormats } from "./telemetry/index.ts";

/** At least so many of a format's tell-tale columns, and half of them, make a file a claim to be of that format. */
const LEAST_TELLTALES = 2;

/**
 * Which billing format a header belongs to.
 *
 * errors   import.column-missing: it is of a format but lacks columns that format cannot do without; import.tie: two fit equally well;
 *          import.unrecognized: no format's, `closest` names a relative dataset or the format that shares most columns
 */
export function recognizeBilling({ name, header }: { readonly name: string; readonly header: readonly string[] }): Result<Recognition> {
  const candidates = billingFormats
    .map((format) => ({ format, recognition: recognizeBill(format, header) }))
    .sort((a, b) => b.recognition.score - a.recognition.score);
  const fitting = candidates.filter(({ format, recognition }) => recognition.score * format.telltale.length >= LEAST_TELLTALES);
  const complete = fitting.filter(({ recognition }) => recognition.missing.length === 0);
  const [best, second] = complete;
  if (best !== undefined) {
    if (second !== undefined && second.recognition.score === best.recognition.score) {
      return err(ledgerError("import.tie", { file: name, formats: complete.map(({ format }) => format.id).join(", ") }));
    }
    return ok(best.recognition);
  }
  const [close] = fitting;
  if (close !== undefined) {
    return err(ledgerError("import.column-missing", { file: name, format: close.format.id, columns: close.recognition.missing.join(", ") }));
  }
  const columns = new Set(header.map(canonicalName));
  const relative = billingFormats.flatMap(({ relatives }) => relatives).find(({ column }) => columns.has(canonicalName(column)));
  const [nearest] = candidates;
  const shares = nearest !== undefined && nearest.recognition.score > 0;
  return err(
    ledgerError("import.unrecognized", {
      file: name,
      closest: relative?.name ?? (shares ? nearest.format.id : null),
      missing: relative === undefined && shares ? nearest.recognition.missing.join(", ") : "",
    }),
  );
}
