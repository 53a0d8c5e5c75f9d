/**
 * Which of many files make up which delivery: manifests say it, folders of runs tell it, names of parts hint at it.
 * Of several versions of one export and period the newest that is whole is read; two of them never add.
 */
import { MEMBER_MARK } from "./scan/archive.ts";
import { executionTime, type Manifest } from "./manifest.ts";
import { partsAmong } from "./parts.ts";

/** A file as `look-at-file` saw it. */
export interface FileLook {
  readonly path: string;
  /** Of a bill; null for what is none. */
  readonly format: string | null;
  readonly manifest: Manifest | null;
  readonly modifiedMs: number;
}

export interface Sorted {
  /** Files, by their places in the list, that make one delivery only together. */
  readonly sets: readonly (readonly number[])[];
  readonly manifests: ReadonlySet<number>;
  /** Files of an older version than the one that is read. */
  readonly older: ReadonlySet<number>;
  /** Files of a version of which a part is not there. */
  readonly incomplete: ReadonlyMap<number, { readonly part: string; readonly parts: number }>;
  /** What a manifest says the rows of a file are. */
  readonly datasets: ReadonlyMap<number, string>;
}

/** One run of an export for one period. */
interface Version {
  readonly group: string;
  readonly id: string;
  readonly order: readonly [number, string, number];
  readonly files: readonly number[];
  readonly missing: readonly string[];
  readonly parts: number;
  readonly dataset: string | null;
}

export function sortDeliveries(files: readonly FileLook[]): Sorted {
  const manifests = new Set(files.flatMap(({ manifest }, index) => (manifest === null ? [] : [index])));
  const taken = new Set<number>();
  const older = new Set<number>();
  const incomplete = new Map<number, { part: string; parts: number }>();
  const datasets = new Map<number, string>();
  const sets: (readonly number[])[] = [];

  const settle = (versions: readonly Version[]): void => {
    for (const group of groupsOf(versions)) {
      const [newest, ...others] = group;
      if (newest === undefined) continue;
      const chosen = group.find(({ missing }) => missing.length === 0) ?? null;
      for (const file of chosen?.files ?? []) {
        taken.add(file);
        if (chosen !== null && chosen.dataset !== null) datasets.set(file, chosen.dataset);
      }
      if (chosen !== null && chosen.files.length > 1) sets.push(chosen.files);
      // What is newer than what is read, or the newest where nothing can be read, is refused for the part it lacks.
      for (const version of chosen === null ? [newest, ...others] : group) {
        if (version === chosen) continue;
        for (const file of version.files) {
          if (taken.has(file) && !incomplete.has(file) && chosen?.files.includes(file) === true) continue;
          taken.add(file);
          const [part] = version.missing;
          if (part === undefined || (chosen !== null && group.indexOf(version) > group.indexOf(chosen))) older.add(file);
          else incomplete.set(file, { part, parts: version.parts });
        }
      }
    }
  };

  settle(manifestVersions(files));
  // Runs of which no manifest speaks, beside one of which one does, are older ones.
  const spokenFor = new Set([...taken].flatMap((index) => runOf(files[index]?.path ?? "")?.period ?? []));
  const rest = files.flatMap(({ format, path }, index) => (format !== null && !taken.has(index) ? [{ index, run: runOf(path) }] : []));
  for (const { index, run } of rest) {
    if (run === null || !spokenFor.has(run.period)) continue;
    taken.add(index);
    older.add(index);
  }
  settle(folderVersions(files, taken));

  const free = files.flatMap((_file, index) => (taken.has(index) || manifests.has(index) ? [] : [index]));
  for (const set of partsAmong(free.map((index) => files[index] as FileLook))) sets.push(set.map((at) => free[at] as number));
  return { sets, manifests, older, incomplete, datasets };
}

/** Versions of one export and period together, the newest first. */
function groupsOf(versions: readonly Version[]): Version[][] {
  const groups = new Map<string, Version[]>();
  for (const version of versions) groups.set(version.group, [...(groups.get(version.group) ?? []), version]);
  return [...groups.values()].map((group) =>
    group.sort((a, b) => b.order[0] - a.order[0] || (a.order[1] === b.order[1] ? 0 : a.order[1] < b.order[1] ? 1 : -1) || b.order[2] - a.order[2] || (a.id < b.id ? 1 : -1)),
  );
}

/** What the manifests list, of what is there. A manifest of which no file is there says nothing. */
function manifestVersions(files: readonly FileLook[]): Version[] {
  const byName = new Map<string, number[]>();
  for (const [index, { path, manifest }] of files.entries()) {
    if (manifest !== null) continue;
    const name = lastOf(path);
    byName.set(name, [...(byName.get(name) ?? []), index]);
  }
  const versions = new Map<string, Version>();
  for (const { path, manifest, modifiedMs } of files) {
    if (manifest === null) continue;
    const found: number[] = [];
    const missing: string[] = [];
    for (const key of new Set(manifest.keys)) {
      const index = closestOf(key, byName.get(lastOf(key)) ?? [], files, path, manifest.version);
      if (index === null) missing.push(lastOf(key));
      else found.push(index);
    }
    if (found.length === 0) continue;
    const group = [manifest.kind, manifest.series, manifest.period ?? ""].join("\n");
    // The manifest that lies above the folder of its assembly is written anew each time: it names the newest.
    const isAbove = manifest.kind === "aws-cur" && manifest.version !== "" && !folders(path).includes(manifest.version) && manifest.keys.some((key) => folders(key).includes(manifest.version));
    const key = `${group}\n${manifest.version === "" ? path : manifest.version}`;
    const before = versions.get(key);
    const writtenMs = Math.max(modifiedMs, ...found.map((index) => files[index]?.modifiedMs ?? 0));
    const order = [isAbove || before?.order[0] === 1 ? 1 : 0, manifest.writtenAt, Math.max(writtenMs, before?.order[2] ?? 0)] as const;
    if (before !== undefined && before.missing.length <= missing.length) versions.set(key, { ...before, order });
    else versions.set(key, { group, id: manifest.version, order, files: [...new Set(found)].sort((a, b) => a - b), missing, parts: new Set(manifest.keys).size, dataset: manifest.dataset });
  }
  return [...versions.values()];
}

/** The file that a key means: its folders from the end on agree most, and it does not lie in the folder of another version. */
function closestOf(key: string, candidates: readonly number[], files: readonly FileLook[], manifestPath: string, version: string): number | null {
  const wanted = folders(key).reverse();
  const isVersioned = version !== "" && wanted.includes(version);
  const home = folders(manifestPath);
  let best: { readonly index: number; readonly score: number; readonly near: number } | null = null;
  for (const index of candidates) {
    const there = folders(files[index]?.path ?? "").reverse();
    let score = 0;
    while (score < wanted.length && score < there.length && wanted[score] === there[score]) score += 1;
    // A folder of some other run holds some other run's file.
    if (isVersioned && score === 0 && there[0] !== undefined && isRun(there[0]) && there[0] !== version) continue;
    const near = commonOf(home, folders(files[index]?.path ?? ""));
    if (best === null || score > best.score || (score === best.score && near > best.near)) best = { index, score, near };
  }
  return best?.index ?? null;
}

/** Runs by folders alone: `BILLING_PERIOD=2026-09/2026-10-01T…Z-…/`, `20260901-20261001/<run>/`, `…/<time>/<run>/`. */
function folderVersions(files: readonly FileLook[], taken: ReadonlySet<number>): Version[] {
  const runs = new Map<string, { period: string; run: string; files: number[] }>();
  for (const [index, { path, format }] of files.entries()) {
    if (format === null || taken.has(index)) continue;
    const found = runOf(path);
    if (found === null) continue;
    const group = `${found.period}\n${format}\n${lastOf(path).replace(/\d+/g, "#")}`;
    const key = `${group}\n${found.run}`;
    const run = runs.get(key) ?? { period: group, run: found.run, files: [] };
    run.files.push(index);
    runs.set(key, run);
  }
  const counts = new Map<string, number>();
  for (const { period } of runs.values()) counts.set(period, (counts.get(period) ?? 0) + 1);
  return [...runs.values()]
    .filter(({ period }) => (counts.get(period) ?? 0) > 1)
    .map(({ period, run, files: inside }) => ({
      group: period,
      id: run,
      order: [0, executionTime(`${run}/`), Math.max(...inside.map((index) => files[index]?.modifiedMs ?? 0))] as const,
      files: inside,
      missing: gapsOf(inside.map((index) => lastOf(files[index]?.path ?? ""))),
      parts: inside.length + gapsOf(inside.map((index) => lastOf(files[index]?.path ?? ""))).length,
      dataset: null,
    }));
}

/** Names of parts that numbered names leave out between the first and the last, counted from 1 (or 0). */
function gapsOf(names: readonly string[]): string[] {
  const numbered = names.flatMap((name) => {
    const found = /^(.*?)(\d+)((?:\.\w+)+)$/.exec(name);
    return found === null ? [] : [{ stem: found[1] ?? "", digits: found[2] ?? "", end: found[3] ?? "", number: Number(found[2]) }];
  });
  const [first] = numbered;
  if (first === undefined || numbered.length !== names.length || numbered.some(({ stem }) => stem !== first.stem)) return [];
  const numbers = new Set(numbered.map(({ number }) => number));
  const last = Math.max(...numbers);
  if (last > 100_000) return [];
  const gaps: string[] = [];
  for (let number = numbers.has(0) ? 0 : 1; number < last; number += 1) {
    if (!numbers.has(number)) gaps.push(`${first.stem}${String(number).padStart(first.digits.length, "0")}${first.end}`);
  }
  return gaps;
}

/** The folder of a period, and what lies between it and the file. */
function runOf(path: string): { readonly period: string; readonly run: string } | null {
  const parts = folders(path);
  const at = parts.findLastIndex((part) => /^(?:BILLING_PERIOD=\d{4}-\d{2}|\d{8}-\d{8})$/i.test(part));
  return at === -1 ? null : { period: parts.slice(0, at + 1).join("/"), run: parts.slice(at + 1).join("/") };
}

function isRun(folder: string): boolean {
  return /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(folder);
}

function folders(path: string): string[] {
  return path
    .replaceAll(MEMBER_MARK, "/")
    .split(/[\\/]+/)
    .filter((part) => part !== "")
    .slice(0, -1);
}

function lastOf(path: string): string {
  return path.replaceAll(MEMBER_MARK, "/").replace(/^.*[\\/]/, "");
}

function commonOf(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count += 1;
  return count;
}
