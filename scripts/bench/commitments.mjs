/**
 * How fast the best commitments are found: 8,760 hours × 500 machine types × three terms (goal: under 2 s), and how the time grows with the hours.
 * Usage is fractional, so that nearly every hour is a level of its own: the worst case for sorting.
 * Run alone: `node scripts/bench/commitments.mjs`; scripts/bench.mjs calls benchCommitments().
 */
import { join } from "node:path";
import { tmpdir } from "node:os";
import { mkdtempSync, rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

const self = fileURLToPath(import.meta.url);
const project = fileURLToPath(new URL("../../", import.meta.url));
const types = 500;
/** Effective and on-demand prices of three terms, in cents. */
const terms = [[66, 100], [48, 100], [39, 100]];

/** Median seconds over `runs`, and the exponent of the growth from a quarter of a year to four years. */
export async function benchCommitments({ runs = 3, hours = 8760 } = {}) {
  const { rankHours, optimalCommitmentOfRank } = await model();
  const rational = (cents) => ({ numerator: BigInt(cents), denominator: 100n });
  const prices = terms.map(([committed, onDemand]) => ({ committedHourly: rational(committed), onDemandHourly: rational(onDemand) }));
  const lot = { lot: { numerator: 8n, denominator: 1n }, maximum: null };
  const once = (profiles) => {
    const start = performance.now();
    let gpus = 0n;
    for (const usage of profiles) {
      const rank = rankHours(usage);
      for (const price of prices) gpus += optimalCommitmentOfRank(rank, price, lot).commitment.numerator;
    }
    return { seconds: (performance.now() - start) / 1000, gpus };
  };
  const timed = (profiles) => {
    once(profiles.slice(0, 20));
    return median(Array.from({ length: runs }, () => once(profiles).seconds));
  };
  const seconds = timed(profilesOf(hours, types));
  const sizes = [hours / 4, hours / 2, hours, hours * 2, hours * 4].map(Math.round);
  const growth = sizes.map((size) => ({ hours: size, seconds: timed(profilesOf(size, 100)) }));
  return { types, hours, terms: terms.length, seconds, growth, exponent: slope(growth.map((each) => [Math.log(each.hours), Math.log(each.seconds)])) };
}

/** A day and week rhythm with noise, in millionths of a GPU; the same every time. */
function profilesOf(hours, count) {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Array.from({ length: count }, () => {
    const base = 20 + random() * 200;
    return Float64Array.from({ length: hours }, (_, hour) => Math.round((base + base * 0.4 * Math.sin((hour % 24) / 3.8) + (hour % 168 > 120 ? -base * 0.3 : 0) + random() * 30) * 1e6));
  });
}

async function model() {
  const folder = mkdtempSync(join(tmpdir(), "gpu-ledger-bench-plan-"));
  try {
    const file = join(folder, "rank.mjs");
    await build({ input: join(project, "main/engine/planning/usage-rank.ts"), platform: "node", logLevel: "warn", output: { file, format: "esm" } });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function slope(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([a]) => a)), mean(points.map(([, b]) => b))];
  return points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

if (process.argv[1] === self) console.log(JSON.stringify(await benchCommitments(), null, 2));
