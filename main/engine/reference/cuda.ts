/** Which CUDA toolkit, driver and build a GPU needs: what "no kernel image is available" is about. */
import type { CudaVerdict } from "../../../shared/contract/findings.ts";
import { ok, type Result } from "../../../shared/result.ts";
import type { Provenance } from "./catalog.ts";
import { readTable } from "./table.ts";

export interface CudaCapability extends Provenance {
  /** "8.6": major and minor. */
  readonly capability: string;
  readonly architecture: string;
  readonly families: readonly string[];
  readonly firstToolkit: string;
  /** The last toolkit that builds for it; null: the newest still does. */
  readonly lastToolkit: string | null;
}
export interface CudaDriver extends Provenance {
  /** "12": any of the major version; "10.2": this one. */
  readonly toolkit: string;
  readonly linux: string;
  readonly windows: string | null;
}
export interface CudaTables {
  readonly capabilities: readonly CudaCapability[];
  readonly drivers: readonly CudaDriver[];
}

export function loadCudaTables(folder: string): Result<CudaTables> {
  const provenance = (cells: { text(column: string): string; date(column: string): string }): Provenance => ({ source: cells.text("source"), licence: cells.text("licence"), retrieved: cells.date("retrieved") });
  const capabilities = readTable(folder, "cuda_capabilities.csv", (cells): CudaCapability => ({
    capability: cells.text("compute_capability"),
    architecture: cells.text("architecture"),
    families: cells.text("families").split(";"),
    firstToolkit: cells.text("first_toolkit"),
    lastToolkit: cells.optionalText("last_toolkit"),
    ...provenance(cells),
  }), ({ capability }) => capability);
  if (!capabilities.ok) return capabilities;
  const drivers = readTable(folder, "cuda_drivers.csv", (cells): CudaDriver => ({ toolkit: cells.text("toolkit"), linux: cells.text("min_driver_linux"), windows: cells.optionalText("min_driver_windows"), ...provenance(cells) }), ({ toolkit }) => toolkit);
  return drivers.ok ? ok({ capabilities: capabilities.value, drivers: drivers.value }) : drivers;
}

export interface CudaCheck {
  readonly capability: CudaCapability | null;
  /** Does the toolkit build for the card? */
  readonly toolkit: CudaVerdict;
  /** Does the driver run programs of the toolkit? */
  readonly driver: CudaVerdict;
  readonly driverNeeded: CudaDriver | null;
  /** Does a program built for these capabilities have a kernel for the card? */
  readonly build: CudaVerdict;
}

export interface CudaAsked {
  /** The family of the card: "H100". */
  readonly family: string | null;
  /** "12.1". */
  readonly toolkit: string | null;
  /** "535.54.03". */
  readonly driver: string | null;
  readonly isWindows: boolean;
  /** What the program was built for, as PyTorch or nvcc name it: "8.0 8.6 9.0+PTX", "sm_80 compute_90". */
  readonly builtFor: string | null;
}

/**
 * Whether card, toolkit, driver and build fit (NVIDIA CUDA compatibility).
 *
 * toolkit  from the first that knows the card's compute capability to the last that builds for it
 * driver   at least the toolkit's least one
 * build    machine code runs on its own major capability, from its minor one up; PTX on any capability from its own up. Where the build is
 *          not stated, a toolkit that builds for the card says nothing of the program: unknown
 */
export function checkCuda({ capabilities, drivers }: CudaTables, { family, toolkit, driver, isWindows, builtFor }: CudaAsked): CudaCheck {
  const capability = family === null ? null : (capabilities.find(({ families }) => families.includes(family)) ?? null);
  const needed = toolkit === null ? null : (drivers.find((row) => row.toolkit === majorOf(toolkit)) ?? drivers.find((row) => row.toolkit === toolkit) ?? null);
  const least = needed === null ? null : isWindows ? needed.windows : needed.linux;
  return {
    capability,
    toolkit: capability === null || toolkit === null ? "unknown" : compareVersions(toolkit, capability.firstToolkit) >= 0 && (capability.lastToolkit === null || compareVersions(toolkit, capability.lastToolkit) <= 0) ? "fits" : "does-not",
    driver: least === null || driver === null ? "unknown" : compareVersions(driver, least) >= 0 ? "fits" : "does-not",
    driverNeeded: needed,
    build: capability === null || builtFor === null ? "unknown" : buildVerdict(capability.capability, builtFor),
  };
}

function buildVerdict(card: string, builtFor: string): CudaVerdict {
  const [cardMajor, cardMinor] = numbersOf(card);
  const targets = [...builtFor.toLowerCase().matchAll(/(?:(sm|compute)_)?(\d+(?:\.\d+)?)([a-z]?)(\+ptx)?/g)].flatMap(([, kind, number = "", suffix = "", ptx]) => {
    const dotted = number.includes(".") ? number : number.length >= 2 ? `${number.slice(0, -1)}.${number.slice(-1)}` : null;
    return dotted === null ? [] : [{ capability: dotted, isCode: kind !== "compute", isPtx: kind === "compute" || ptx !== undefined, isExact: suffix === "a" }];
  });
  if (targets.length === 0) return "unknown";
  const fits = targets.some(({ capability, isCode, isPtx, isExact }) => {
    const [major, minor] = numbersOf(capability);
    // "a" (sm_90a) is for that very capability and no later one.
    if (isExact) return major === cardMajor && minor === cardMinor;
    return (isCode && major === cardMajor && minor <= cardMinor) || (isPtx && compareVersions(capability, card) <= 0);
  });
  return fits ? "fits" : "does-not";
}

function numbersOf(version: string): readonly [number, number] {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return [major, minor];
}

function majorOf(version: string): string {
  return version.split(".")[0] ?? version;
}

/** Versions by their numbers: 535.54 is older than 535.104. */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let index = 0; index < Math.max(first.length, second.length); index += 1) {
    const difference = (first[index] ?? 0) - (second[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
