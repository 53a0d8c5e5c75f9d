import { z } from "zod";

/**
 * A file the person chose. The window holds tokens, never paths; the terminal and tests hand in paths as tokens. Every field of a question that
 * names a file is this schema, and no other text: by it the app knows which words of the window to look up (`tokenFieldsOf`).
 */
export const fileToken = z.string().min(1).max(4096);

/** Fields of a question that hold a token, or a list of them, or null. */
export function tokenFieldsOf(input: z.ZodType): string[] {
  if (!(input instanceof z.ZodObject)) return [];
  return Object.entries(input.shape).flatMap(([name, field]) => (isToken(field) ? [name] : []));
}

function isToken(schema: unknown): boolean {
  if (schema === fileToken) return true;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly) return isToken(schema.unwrap());
  // Checks on a list (`min`, `max`) make another list of the same element.
  return schema instanceof z.ZodArray && isToken(schema.element);
}
