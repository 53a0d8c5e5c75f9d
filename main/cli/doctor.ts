import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { loadReference } from "../engine/reference/load.ts";
import { inspectLedger } from "../engine/store/inspect.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import type { Words } from "../../shared/i18n/format.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

export interface DoctorTask {
  readonly project: string;
  readonly resourcesFolder: string;
  readonly ledger: string | null;
  readonly isJson: boolean;
  readonly words: Words;
}

/** Checks the installation (versions, reference data, time zone) and, where one is named, a ledger's schema and integrity. Changes nothing. */
export async function doctor({ project, resourcesFolder, ledger, isJson, words }: DoctorTask): Promise<Result<{ readonly text: string; readonly isWell: boolean }, LedgerError>> {
  const version = (JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string }).version;
  const reference = loadReference(join(resourcesFolder, "reference"));
  if (!reference.ok) return reference;
  if (ledger !== null && !existsSync(ledger)) return err(ledgerError("ledger.not-found", { file: basename(ledger) }));
  const inspected = ledger === null ? null : await Promise.resolve(inspectLedger(ledger));
  if (inspected !== null && !inspected.ok) return inspected;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const counts = { accelerators: reference.value.accelerators.length, instances: reference.value.instanceTypes.length };
  const isWell = inspected === null || inspected.value.isIntact;
  if (isJson) return ok({ isWell, text: `${JSON.stringify({ version, node: process.versions.node, zone, reference: counts, ledger: inspected === null ? null : inspected.value }, null, 2)}\n` });
  const lines = [
    words.say("terminal.doctor-version", { version, node: process.versions.node, sqlite: inspected === null ? "—" : inspected.value.sqliteVersion }),
    words.say("terminal.doctor-reference", { accelerators: words.count(counts.accelerators), instances: words.count(counts.instances) }),
    words.say("terminal.doctor-zone", { zone }),
  ];
  if (inspected !== null && ledger !== null) {
    const { schemaVersion, batches, isIntact } = inspected.value;
    lines.push(words.say("terminal.doctor-ledger", { file: basename(ledger), schema: String(schemaVersion), batches: String(batches), integrity: words.say(isIntact ? "terminal.doctor-ok" : "terminal.doctor-bad") }));
  }
  return ok({ text: `${lines.join("\n")}\n`, isWell });
}
