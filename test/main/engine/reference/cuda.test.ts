import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCuda, compareVersions, loadCudaTables, type CudaAsked } from "../../../../main/engine/reference/cuda.ts";
import { loadReference } from "../../../../main/engine/reference/load.ts";

const folder = join(import.meta.dirname, "../../../../resources/reference");
const loaded = loadCudaTables(folder);
if (!loaded.ok) throw new Error(loaded.error.code);
const tables = loaded.value;
const check = (asked: Partial<CudaAsked>) => {
  const { toolkit, driver, build } = checkCuda(tables, { family: null, toolkit: null, driver: null, isWindows: false, builtFor: null, ...asked });
  return { toolkit, driver, build };
};

describe("card, toolkit, driver and build", () => {
  it("an H100 needs toolkit 11.8 or newer, and a driver of the toolkit's major version", () => {
    expect(check({ family: "H100", toolkit: "11.7", driver: "470.82.01" })).toEqual({ toolkit: "does-not", driver: "fits", build: "unknown" });
    expect(check({ family: "H100", toolkit: "12.1", driver: "470.82.01" })).toMatchObject({ toolkit: "fits", driver: "does-not" });
    expect(check({ family: "H100", toolkit: "12.1", driver: "525.60.13" })).toMatchObject({ toolkit: "fits", driver: "fits" });
  });

  it("a V100 is left behind by toolkit 13", () => {
    expect([check({ family: "V100", toolkit: "12.9" }).toolkit, check({ family: "V100", toolkit: "13.0" }).toolkit]).toEqual(["fits", "does-not"]);
  });

  it("machine code runs on its own major capability from its minor one up, PTX on all later ones", () => {
    const build = (family: string, builtFor: string) => check({ family, builtFor }).build;
    expect(build("RTX 3090", "8.0")).toBe("fits");
    expect(build("A100", "sm_86")).toBe("does-not");
    expect(build("H100", "sm_80 sm_86")).toBe("does-not");
    expect(build("H100", "8.0 8.6+PTX")).toBe("fits");
    expect(build("B200", "sm_90a compute_80")).toBe("fits");
    expect(build("B200", "sm_90a")).toBe("does-not");
    expect(build("H100", "anything")).toBe("unknown");
  });

  it("what is not stated or not known is unknown, never a verdict", () => {
    expect(check({ family: "MI300X", toolkit: "12.1", builtFor: "9.0" })).toEqual({ toolkit: "unknown", driver: "unknown", build: "unknown" });
    expect(check({ family: "H100", toolkit: "13.0", driver: "600.1", isWindows: true }).driver).toBe("unknown");
  });

  it("versions go by their numbers", () => {
    expect(compareVersions("535.54", "535.104")).toBeLessThan(0);
    expect(compareVersions("12", "12.0")).toBe(0);
  });

  it("knows the capability of every NVIDIA card of the catalog that the published lists name", () => {
    const reference = loadReference(folder);
    if (!reference.ok) throw new Error(reference.error.code);
    const known = new Set(tables.capabilities.flatMap(({ families }) => families));
    const families = new Set(reference.value.accelerators.filter(({ vendor }) => vendor === "NVIDIA").map(({ family }) => family));
    // Neither stands in the lists that NVIDIA publishes.
    expect([...families].filter((family) => !known.has(family))).toEqual(["B100", "Rubin"]);
    expect([...known].filter((family) => !families.has(family))).toEqual([]);
  });
});
