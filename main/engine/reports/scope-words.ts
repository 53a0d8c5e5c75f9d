import type { Scope } from "../../../shared/domain/scope.ts";

/** What a scope narrows to, each dimension with its values as the bills spell them. */
export function boundaryOf(scope: Scope): string[] {
  return Object.entries(scope).flatMap(([dimension, values]: [string, Scope[keyof Scope]]) => (values === undefined ? [] : [`${dimension}: ${values.map((value) => value ?? "—").join(", ")}`]));
}
