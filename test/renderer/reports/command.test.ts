import { describe, expect, it } from "vitest";
import { commandOf } from "../../../renderer/reports/command.ts";
import { request } from "../documents.ts";

describe("the terminal command of a page", () => {
  it("prints the same report", () => {
    expect(commandOf(request("review"), { ledgerName: "a b.gpuledger", language: "en", isPackaged: false })).toBe("npm run -s cli -- report review --ledger 'a b.gpuledger' --period 2026-09 --currency USD --lang en");
  });

  it("is the app itself when packaged, and names another cost basis", () => {
    expect(commandOf({ ...request("review"), currency: "~USD" }, { ledgerName: "x.gpuledger", language: "en", isPackaged: false })).toBe("npm run -s cli -- report review --ledger x.gpuledger --period 2026-09 --in USD --lang en");
    expect(commandOf({ ...request("efficiency"), basis: "ListCost", currency: null }, { ledgerName: "x.gpuledger", language: "zh-CN", isPackaged: true })).toBe("gpu-ledger --headless report efficiency --ledger x.gpuledger --period 2026-09 --basis ListCost --lang zh-CN");
  });

  it("cannot be broken by a quote in a name", () => {
    expect(commandOf({ ...request("review"), scope: { team: ["O'Neill"] } }, { ledgerName: "x.gpuledger", language: "en", isPackaged: false })).toContain("'team=O'\\''Neill'");
  });
});
