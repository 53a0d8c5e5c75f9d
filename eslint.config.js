import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig([
  globalIgnores(["dist/", "release/", ".tsbuild/", "coverage/", "test-results/", "playwright-report/", "screens/", "bench-data/", "test/fixtures/", "scripts/kernel/", "**/*.d.mts"]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [js.configs.recommended, tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "no-console": ["error", { allow: ["error"] }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      // We write functions over plain data, and no `this`: taking a function out of a record loses nothing.
      "@typescript-eslint/unbound-method": "off",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    files: ["renderer/**/*.{ts,tsx}", "test/renderer/**/*.{ts,tsx}"],
    extends: [reactHooks.configs.flat.recommended],
  },
  {
    // A test may say `rows[0]!`: if it is not there, the test fails, which is what it is for.
    files: ["test/**/*.{ts,tsx}"],
    rules: { "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    files: ["**/*.{js,mjs}"],
    extends: [js.configs.recommended],
    languageOptions: {
      globals: Object.fromEntries(
        "process console URL Buffer setTimeout clearTimeout setInterval clearInterval setImmediate performance structuredClone AbortSignal AbortController fetch TextEncoder TextDecoder"
          .split(" ")
          .map((name) => [name, "readonly"]),
      ),
    },
  },
]);
