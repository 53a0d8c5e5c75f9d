import { placeOf, openBytes } from "./scan/archive.ts";

/** What a provider lays beside the files of an export: which of them make up which version of which period. */
export interface Manifest {
  readonly kind: "aws-cur" | "aws-data-export" | "azure-export";
  /** The export itself, whatever its period: account and name. */
  readonly series: string;
  /** As the manifest writes it; null where it says none. */
  readonly period: string | null;
  /** The run or assembly that wrote the files. */
  readonly version: string;
  /** When, in ISO text that sorts; empty where the manifest does not say. */
  readonly writtenAt: string;
  /** Azure: the kind of data, such as ActualCost. */
  readonly dataset: string | null;
  /** The files, as the provider's storage names them. */
  readonly keys: readonly string[];
}

const MOST_BYTES = 16 * 1024 * 1024;
const MOST_UNNAMED_BYTES = 256 * 1024;

/** Whether it is worth asking: JSON, of a size that a list of files has. */
export function mayBeManifest(path: string, size: number): boolean {
  const { file, member } = placeOf(path);
  const name = member ?? file;
  return /\.json$/i.test(name) && size > 1 && size <= (/manifest[^/\\]*$/i.test(name) ? MOST_BYTES : MOST_UNNAMED_BYTES);
}

/** null: no manifest, or none that can be read. */
export async function readManifest(path: string): Promise<Manifest | null> {
  try {
    const { stream } = await openBytes(path);
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of stream as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > MOST_BYTES) return null;
      pieces.push(piece);
    }
    return manifestOf(Buffer.concat(pieces).toString("utf8").replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

/**
 * A manifest by what it lists:
 *
 * AWS CUR          `reportKeys`, `assemblyId`, `billingPeriod` {start, end}, `account`, `reportName`
 * Data Exports     `dataFiles` (texts, or objects that hold one), `executionId`, the period in the paths as `BILLING_PERIOD=2026-09`
 * Azure            `blobs` [{ blobName }], `exportConfig` {exportName, resourceId, type}, `runInfo` {runId, submittedTime, startDate, endDate}
 */
export function manifestOf(text: string): Manifest | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const reportKeys = keysOf(at(json, "reportKeys"));
  if (reportKeys !== null) {
    const period = at(json, "billingPeriod");
    return {
      kind: "aws-cur",
      series: [textAt(json, "account"), textAt(json, "reportName")].join(" "),
      period: period === null ? null : `${textAt(period, "start").slice(0, 8)}-${textAt(period, "end").slice(0, 8)}`,
      version: textAt(json, "assemblyId"),
      writtenAt: "",
      dataset: null,
      keys: reportKeys,
    };
  }
  const blobs = at(json, "blobs");
  const runInfo = at(json, "runInfo");
  const exportConfig = at(json, "exportConfig");
  if (Array.isArray(blobs) && (runInfo !== null || exportConfig !== null)) {
    return {
      kind: "azure-export",
      series: [textAt(exportConfig, "resourceId").toLowerCase(), textAt(exportConfig, "exportName"), textAt(exportConfig, "type")].join(" "),
      period: runInfo === null ? null : `${textAt(runInfo, "startDate").slice(0, 10)} ${textAt(runInfo, "endDate").slice(0, 10)}`,
      version: textAt(runInfo, "runId"),
      writtenAt: textAt(runInfo, "submittedTime"),
      dataset: textAt(exportConfig, "type") || null,
      keys: keysOf(blobs) ?? [],
    };
  }
  const dataFiles = keysOf(at(json, "dataFiles")) ?? keysOf(at(json, "data_files")) ?? (at(json, "executionId") === null ? null : keysOf(at(json, "files")));
  if (dataFiles === null) return null;
  const [first = ""] = dataFiles;
  return {
    kind: "aws-data-export",
    series: textAt(json, "exportArn") || textAt(json, "exportName") || first.replace(/\/data\/.*$/, ""),
    period: /BILLING_PERIOD=(\d{4}-\d{2})/i.exec(first)?.[1] ?? (textAt(json, "billingPeriod") || null),
    version: textAt(json, "executionId"),
    writtenAt: executionTime(first),
    dataset: null,
    keys: dataFiles,
  };
}

/** The time that a path names its run by: `2026-10-03T04:05:06.789Z-…` (AWS), `202610030405` (Azure); empty where it names none. */
export function executionTime(path: string): string {
  const aws = /(?:^|\/)(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2}):?(\d{2})[^/]*\//.exec(path);
  if (aws !== null) return aws.slice(1, 7).join("");
  return /(?:^|\/)(20\d{10}(?:\d{2})?)\//.exec(path)?.[1] ?? "";
}

function at(json: unknown, key: string): unknown {
  return typeof json === "object" && json !== null && !Array.isArray(json) && Object.hasOwn(json, key) ? ((json as Record<string, unknown>)[key] ?? null) : null;
}

function textAt(json: unknown, key: string): string {
  const value = at(json, key);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** A list of files, by texts or by objects that hold one; null for what is no such list. */
function keysOf(list: unknown): readonly string[] | null {
  if (!Array.isArray(list)) return null;
  const keys = list.map((item: unknown) => (typeof item === "string" ? item : textAt(item, "blobName") || textAt(item, "key") || textAt(item, "path") || textAt(item, "s3Path")));
  return keys.length === 0 || keys.includes("") ? null : keys;
}
