import { copyFileSync, cpSync, existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { LedgerError } from "../../shared/contract/errors.ts";
import { ledgerError } from "../../shared/contract/errors.ts";
import { makeFolder } from "../engine/files.ts";
import { pointSampleTo } from "../engine/sample-files.ts";
import { err, ok } from "../../shared/result.ts";
import type { Result } from "../../shared/result.ts";

/** Where the build leaves the sample company: its ledger, and its files beside it. */
export const SAMPLE_LEDGER = "dist/sample/sample.gpuledger";
const SAMPLE_FILES = "dist/sample/files";
/** The month its review shows first: the last of its twelve. */
const SAMPLE_PERIOD = "2026-09";

/**
 * Copies the built sample ledger to where the person wants it, its source files beside it so that rows stay within reach.
 * A ledger that is already there is left alone: it may be the person's own.
 */
export function takeSample(project: string, target: string): Result<{ readonly period: string }, LedgerError> {
  const built = join(project, SAMPLE_LEDGER);
  if (resolve(built) === resolve(target)) return existsSync(built) ? ok({ period: SAMPLE_PERIOD }) : err(ledgerError("ledger.not-found", { file: basename(target) }));
  if (!existsSync(built)) return err(ledgerError("ledger.not-found", { file: basename(built) }));
  if (existsSync(target)) return err(ledgerError("file.exists", { file: basename(target) }));
  try {
    makeFolder(dirname(target));
    if (existsSync(join(project, SAMPLE_FILES))) cpSync(join(project, SAMPLE_FILES), join(dirname(target), "files"), { recursive: true });
    copyFileSync(built, target);
  } catch {
    return err(ledgerError("file.not-writable", { file: basename(target) }));
  }
  // Both lie in the person's folder now, not where they were built.
  const pointed = pointSampleTo(target, join(dirname(target), "files"));
  return pointed.ok ? ok({ period: SAMPLE_PERIOD }) : pointed;
}
