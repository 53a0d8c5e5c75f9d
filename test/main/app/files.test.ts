import fc from "fast-check";
import { z } from "zod";
import { methods } from "../../../shared/contract/methods.ts";
import { tokenFieldsOf } from "../../../shared/contract/token.ts";
import { describe, expect, it } from "vitest";
import { createFileTokens, withPaths } from "../../../main/app/files.ts";

function counted() {
  let count = 0;
  return createFileTokens(() => `t${(count += 1)}`);
}

describe("file tokens", () => {
  it("mean the path they were given for, and show its name", () => {
    const tokens = counted();
    expect(tokens.give("/bills/2026-09.csv")).toEqual({ token: "t1", name: "2026-09.csv" });
    expect(tokens.pathOf("t1")).toBe("/bills/2026-09.csv");
  });

  it("are the same for the same file, however its path is written", () => {
    const tokens = counted();
    expect(tokens.give("/bills/x/../2026-09.csv")).toEqual(tokens.give("/bills/2026-09.csv"));
  });

  it("cannot be made up", () => {
    const tokens = counted();
    tokens.give("/bills/2026-09.csv");
    fc.assert(
      fc.property(fc.string(), (word) => {
        fc.pre(word !== "t1");
        expect(tokens.pathOf(word)).toBeNull();
      }),
    );
    for (const word of ["__proto__", "constructor", "toString", "/bills/2026-09.csv"]) expect(tokens.pathOf(word)).toBeNull();
  });

  it("are known in every question that names a file, by the contract: nothing that is called a file is any other text", () => {
    const named = /^(file|files|sheet|log|path|folder)$/;
    const fields = Object.entries(methods).flatMap(([question, { input }]) => (input instanceof z.ZodObject ? Object.keys(input.shape).filter((name) => named.test(name)).map((name) => ({ question, name, isToken: tokenFieldsOf(input).includes(name) })) : []));
    expect(fields.filter(({ isToken }) => !isToken)).toEqual([]);
    expect(fields.length).toBeGreaterThan(15);
    const tokens = counted();
    const { token } = tokens.give("/in/rows.csv");
    expect(withPaths(tokens, "set-aside.correct", { batch: 1, sheet: token, file: token })).toEqual({ input: { batch: 1, sheet: "/in/rows.csv", file: "/in/rows.csv" } });
    expect(withPaths(tokens, "set-aside.correct", { batch: 1, sheet: token, file: "/etc/passwd" })).toBeNull();
    for (const question of ["mapping.guess", "prices.import", "stops.export", "ledger.open"] as const) expect(withPaths(tokens, question, { file: "/etc/passwd" })).toBeNull();
  });

  it("change only the field that holds them", () => {
    const tokens = counted();
    const { token } = tokens.give("/out/review.csv");
    const input = { request: { report: "review", period: "2026-09" }, as: "csv", language: "en", file: token };
    expect(withPaths(tokens, "report.export", input)).toEqual({ input: { ...input, file: "/out/review.csv" } });
    expect(withPaths(tokens, "batches.undo", { batch: 1, file: "/x" })).toEqual({ input: { batch: 1, file: "/x" } });
    expect(input.file).toBe(token);
  });
});
