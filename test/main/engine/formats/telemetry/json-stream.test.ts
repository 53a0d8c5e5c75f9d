import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonStream } from "../../../../../main/engine/formats/telemetry/json-stream.ts";

/** The document that the events build; undefined if the stream broke or did not end. */
function rebuilt(bytes: Uint8Array, pieceLength: number): unknown {
  let root: unknown;
  const open: (unknown[] | Record<string, unknown>)[] = [];
  let key = "";
  const keys: string[] = [];
  const put = (value: unknown): void => {
    const into = open.at(-1);
    if (into === undefined) root = value;
    else if (Array.isArray(into)) into.push(value);
    else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  };
  const stream = jsonStream({
    open(kind) {
      const made = kind === "array" ? [] : {};
      put(made);
      keys.push(key);
      open.push(made);
    },
    close() {
      open.pop();
      key = keys.pop() ?? "";
    },
    key(name) {
      key = name;
    },
    value: (text, isString) => {
      put(isString ? text : JSON.parse(text));
    },
  });
  for (let at = 0; at < bytes.length; at += pieceLength) if (!stream.take(bytes.subarray(at, at + pieceLength))) return undefined;
  return stream.isComplete() ? root : undefined;
}

describe("JSON in pieces", () => {
  it("is what JSON.parse makes of the whole, wherever the pieces end", () => {
    const document = fc.oneof(fc.dictionary(fc.constantFrom("a", "é\\\"", "键", "\u0001\n", ""), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }), fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }));
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 40 }), fc.boolean(), (value, pieceLength, isSpaced) => {
        const text = JSON.stringify(value, null, isSpaced ? 2 : 0);
        expect(rebuilt(new TextEncoder().encode(text), pieceLength)).toEqual(JSON.parse(text));
      }),
      { numRuns: 60 },
    );
  });

  it("is incomplete until its last bracket", () => {
    const bytes = new TextEncoder().encode('{"data":{"result":[[1.5,"2"],{"a":"\\u00e9 \\"q\\""}]}}');
    for (let length = 0; length < bytes.length; length++) expect(rebuilt(bytes.subarray(0, length), 7)).toBeUndefined();
    expect(rebuilt(bytes, 7)).toBeDefined();
  });

  it.each(["hello", "{]", '{"a":nope}', "[1,01x]", "{1:2}", '"alone"'])("%s is none", (text) => {
    expect(rebuilt(new TextEncoder().encode(`${text} `), 64)).toBeUndefined();
  });
});
