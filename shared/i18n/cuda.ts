import type { CudaAnswer } from "../contract/findings.ts";
import type { TextKey } from "./en.ts";

/** What is said of a card, toolkit, driver and build: keys of the catalogs with their facts, a sentence each. For window and terminal alike. */
export function cudaSentences({ gpu, capability, architecture, firstToolkit, lastToolkit, leastDriver, toolkit, driver, build, sources }: CudaAnswer): readonly (readonly [TextKey, Readonly<Record<string, string>>])[] {
  if (gpu === null || capability === null || firstToolkit === null) return [["cuda.unknown-gpu", {}]];
  const span = { first: firstToolkit, last: lastToolkit ?? "" };
  return [
    ["cuda.capability", { gpu, capability, architecture: architecture ?? "" }],
    [toolkit === "fits" ? "cuda.toolkit.fits" : toolkit === "does-not" ? (lastToolkit === null ? "cuda.toolkit.does-not" : "cuda.toolkit.does-not-any-more") : lastToolkit === null ? "cuda.toolkit.unknown" : "cuda.toolkit.unknown-last", span],
    ...(leastDriver === null ? [] : [[`cuda.driver.${driver}`, { least: leastDriver }] as const]),
    [`cuda.build.${build}`, { capability }],
    ["cuda.sources", { sources: sources.join("; ") }],
  ];
}
