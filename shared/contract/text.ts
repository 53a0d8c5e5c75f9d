import type { z } from "zod";

/**
 * A question whose texts, wherever they stand in it, are texts: half of a surrogate pair is no character and has no UTF-8, and a NUL ends a text
 * early for some who read it. Every question of the contract is this (methods.ts), so that no name with one is ever kept.
 */
export function wholeTexts<S extends z.ZodType>(input: S): S {
  return input.check((context) => {
    const path = brokenText(context.value, []);
    if (path !== null) context.issues.push({ code: "custom", input: context.value, path: [...path], message: "no text" });
  });
}

/** Where the first text stands that is none; names of fields are texts too. */
function brokenText(value: unknown, path: readonly (string | number)[]): readonly (string | number)[] | null {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0") ? null : path;
  if (typeof value !== "object" || value === null) return null;
  for (const [name, held] of Object.entries(value)) {
    const found = brokenText(name, path) ?? brokenText(held, [...path, Array.isArray(value) ? Number(name) : name]);
    if (found !== null) return found;
  }
  return null;
}
