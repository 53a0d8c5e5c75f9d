import { ledgerError } from "../../../shared/contract/errors.ts";
import type { Result } from "../../../shared/result.ts";
import { err, ok } from "../../../shared/result.ts";
import { alibaba } from "./billing/alibaba.ts";
import { awsCur } from "./billing/aws-cur.ts";
import { azure } from "./billing/azure.ts";
import { baidu } from "./billing/baidu.ts";
import { focus } from "./billing/focus.ts";
import { gcp } from "./billing/gcp.ts";
import { huawei } from "./billing/huawei.ts";
import { oci } from "./billing/oci.ts";
import { runpod } from "./billing/runpod.ts";
import { tencent } from "./billing/tencent.ts";
import { vast } from "./billing/vast.ts";
import { volcengine } from "./billing/volcengine.ts";
import { recognizeEmissions } from "./emissions/index.ts";
import type { BillingFormat, Recognition } from "./format.ts";
import { canonicalName, recognizeBill } from "./format.ts";

/** Every billing format, in the order in which they are asked. */
export const billingFormats: readonly BillingFormat[] = [focus, awsCur, azure, gcp, oci, alibaba, tencent, huawei, baidu, volcengine, runpod, vast];

export { telemetryFormats } from "./telemetry/index.ts";

/** At least so many of a format's tell-tale columns, and half of them, make a file a claim to be of that format. */
const LEAST_TELLTALES = 2;

/** Up to this share of tell-tale columns a relative's own column decides. */
const RELATIVE_SCORE = 0.5;

/**
 * Which billing format a header belongs to.
 *
 * errors   import.other-dataset: another dataset of a format's family, which holds no charges;
 *          import.column-missing: it is of a format but lacks columns that format cannot do without; import.tie: two fit equally well;
 *          emissions.no-bill: a provider's own emissions report, which is imported by itself;
 *          import.unrecognized: no format's, `closest` names the format that shares most columns
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
  const emissions = recognizeEmissions(header);
  if (emissions !== null) return err(ledgerError("emissions.no-bill", { file: name, format: emissions.id }));
  const [close] = fitting;
  const columns = new Set(header.map(canonicalName));
  const relative = billingFormats.flatMap(({ relatives }) => relatives).find(({ column }) => columns.has(canonicalName(column)));
  // A relative shares a column or two with the bill it belongs to; what has most of them is a bill that lacks something.
  const isBill = close !== undefined && (relative === undefined || close.recognition.score > RELATIVE_SCORE);
  if (isBill) return err(ledgerError("import.column-missing", { file: name, format: close.format.id, columns: close.recognition.missing.join(", ") }));
  if (relative !== undefined) return err(ledgerError("import.other-dataset", { file: name, dataset: relative.name }));
  const [nearest] = candidates;
  const shares = nearest !== undefined && nearest.recognition.score > 0;
  return err(
    ledgerError("import.unrecognized", { file: name, closest: shares ? nearest.format.id : null, missing: shares ? nearest.recognition.missing.join(", ") : "" }),
  );
}

// Beside the formats: what a mapping could be, and files about GPUs that are no logs.
export { columnsNotIn, MAPPED, mappedFormat } from "./billing/mapped.ts";
export { guessMapping } from "./billing/mapped-guess.ts";
export { guessLogMapping } from "./telemetry/mapped-log-guess.ts";
export { logColumnsNotIn, MAPPED_LOG, measuresIn } from "./telemetry/mapped-log.ts";
export { knownNoLog } from "./telemetry/no-logs.ts";
