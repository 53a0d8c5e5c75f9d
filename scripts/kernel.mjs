/**
 * Compiles the scanner's kernel: `node scripts/kernel.mjs` writes main/engine/import/scan/kernel-bytes.ts, which is kept with the sources so
 * that nothing has to be compiled before the product runs. A test compiles it again and compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const project = join(self, "../..");

/** The kernel as WebAssembly, in base64. */
export async function compileKernel() {
  const { default: asc } = await import("assemblyscript/asc");
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    ["kernel.as.ts", "--outFile", "kernel.wasm", "--runtime", "stub", "--enable", "simd", "--enable", "threads", "--importMemory", "--sharedMemory", "--maximumMemory", "65536", "--noAssert", "-O3", "--converge"],
    {
      readFile: (name, baseDir) => {
        try {
          return readFileSync(join(project, "scripts/kernel", baseDir === "." ? "" : baseDir, name), "utf8");
        } catch {
          return null;
        }
      },
      writeFile: (name, contents) => outputs.set(name, contents),
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  return Buffer.from(outputs.get("kernel.wasm")).toString("base64");
}

if (process.argv[1] === self) {
  const base64 = await compileKernel();
  const lines = base64.match(/.{1,140}/g).map((line) => `  "${line}",`);
  writeFileSync(
    join(project, "main/engine/import/scan/kernel-bytes.ts"),
    `/** The scanner's kernel in base64, made by \`node scripts/kernel.mjs\` from scripts/kernel/kernel.as.ts. */\nexport const kernelBytes = [\n${lines.join("\n")}\n].join("");\n`,
  );
  console.error(`kernel: ${Buffer.from(base64, "base64").length} bytes`);
}
