import { en } from "../../shared/i18n/en.ts";
import type { PlainKey, Say } from "./WordsProvider.tsx";

/** The words of a code that the engine hands out, `imports.repair.repeated-header`; a code without words stands for itself. */
export function sayCode(say: Say, family: "format" | "imports.repair" | "imports.reason" | "imports.match-rule" | "imports.match-reason" | "expected" | "pivot.class" | "option", code: string, values: Readonly<Record<string, string>> = {}): string {
  const key = `${family}.${code}`;
  return key in en ? say(key as PlainKey, values) : code;
}
