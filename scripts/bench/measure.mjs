/** What the benchmarks measure with: children of their own for everything that is timed, seconds by the clock and of the processors, peaks of memory. */
import { spawnSync } from "node:child_process";

/** Runs a task of a benchmark's file in a process of its own and answers what it prints as JSON. */
export function inChild(file, task, ...args) {
  const child = spawnSync(process.execPath, ["--disable-warning=ExperimentalWarning", file, task, ...args.map(String)], { encoding: "utf8", maxBuffer: 1 << 26 });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

/** For the child: does what it was asked for, when its file is the one that runs. */
export async function asChild(file, tasks) {
  if (process.argv[1] !== file) return;
  const [task, ...args] = process.argv.slice(2);
  console.log(JSON.stringify(await tasks[task](...args)));
}

/** Seconds of a command by the clock, and of the processors: on a busy machine only the second says anything. */
export function inShell(command) {
  const start = performance.now();
  const done = spawnSync("sh", ["-c", `${command}\nstatus=$?\ntimes 1>&2\nexit $status`], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
  const ofChildren = done.stderr.trim().split("\n").at(-1) ?? "";
  const cpuSeconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
  return { seconds: secondsSince(start), cpuSeconds };
}

export function hasCommand(command) {
  return spawnSync(command, ["--version"]).status === 0;
}

export function secondsSince(start) {
  return (performance.now() - start) / 1000;
}

export function cpuSecondsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The most memory that this process ever had, in MiB. */
export function peakMiB() {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

export function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}

/** The median of one measure over several results; null where nothing was measured. */
export function medianOf(results, key) {
  return results.length === 0 ? null : median(results.map((result) => result[key]));
}

/** With how much of the size a measure grows: the slope of its logarithm over that of the size, by least squares. */
export function growthExponent(points) {
  const logs = points.map(({ size, value }) => [Math.log(size), Math.log(value)]);
  const mean = (index) => logs.reduce((sum, each) => sum + each[index], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  return logs.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0) / logs.reduce((sum, each) => sum + (each[0] - x) ** 2, 0);
}

export function must(result) {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** DuckDB with as many threads as we have processors here: two. */
export async function duckdbConnection() {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  return (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
}
