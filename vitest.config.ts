import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  test: {
    environment: "node", // a component's test says `// @vitest-environment happy-dom` in its first line
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: ["test/e2e/**", "test/screens/**"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: "forks",
    maxWorkers: 2,
    coverage: { include: ["main/**", "preload/**", "renderer/**", "shared/**"] },
  },
});
