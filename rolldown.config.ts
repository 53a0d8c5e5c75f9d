import { existsSync } from "node:fs";
import { defineConfig, type RolldownOptions } from "rolldown";

const common = {
  platform: "node",
  external: ["electron", "better-sqlite3"],
  transform: { target: "node20.18" }, // the oldest Node that may run this, inside the Electron of the tests
} satisfies RolldownOptions;

/** One entry a process, and one each for the terminal and the test vectors. */
const entries = {
  main: "main/index.ts",
  engine: "main/app/engine-process.ts",
  reader: "main/engine/import/reader.ts",
  "rows-thread": "main/engine/import/scan/rows-thread.ts",
  connect: "main/connect/process.ts",
  cli: "main/cli/index.ts",
  vectors: "main/engine/vectors/index.ts",
};

export default defineConfig([
  {
    ...common,
    input: Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file))),
    output: {
      dir: "dist/main",
      format: "esm",
      sourcemap: true,
      cleanDir: true,
      // Flat, so that a file beside the running one is found the same way from every chunk.
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
    },
  },
  {
    ...common,
    // A sandboxed preload must be one CommonJS file.
    input: { preload: "preload/index.ts" },
    output: { dir: "dist/preload", format: "cjs", sourcemap: true, cleanDir: true, entryFileNames: "[name].cjs" },
  },
]);
