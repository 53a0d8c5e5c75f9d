import { defineConfig } from "@playwright/test";

/** Screenshots of every screen, in both languages and themes: for the eye, not for pass or fail. */
export default defineConfig({
  testDir: "test/screens",
  testMatch: "**/*.screens.ts",
  outputDir: "test-results/screens",
  workers: 1,
  retries: 0,
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: [["list"]],
});
