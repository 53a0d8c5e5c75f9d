import { existsSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const pages = ["index.html", "report.html"].map((page) => join(import.meta.dirname, "renderer", page));

export default defineConfig({
  root: join(import.meta.dirname, "renderer"),
  base: "./",
  plugins: [react()],
  build: {
    outDir: join(import.meta.dirname, "dist/renderer"),
    emptyOutDir: true,
    target: "chrome130",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the page's rules allow no data: fonts or scripts
    chunkSizeWarningLimit: 4096, // read from the disk, not over a network
    rolldownOptions: { input: pages.filter((page) => existsSync(page)) },
  },
});
