import { describe, expect, it } from "vitest";
import { fromText, toText } from "../../../renderer/ledger/host.ts";

describe("the loopback carrier", () => {
  it("carries bigints of any size as text", () => {
    const value = { attos: 123_456_789_012_345_678_901_234_567_890n, list: [1, null, "2n"], nested: { small: -5n } };
    expect(toText(value)).toContain('{"$bigint":"123456789012345678901234567890"}');
    expect(fromText(toText(value))).toEqual(value);
  });
});
