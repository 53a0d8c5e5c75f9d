import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentSecurityPolicy, isOurs, page } from "../../../main/app/protocol.ts";

let root: string;
let pages: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "gpu-ledger-pages-"));
  pages = join(root, "pages");
  mkdirSync(join(pages, "assets"), { recursive: true });
  mkdirSync(join(root, "pages-other"));
  writeFileSync(join(pages, "index.html"), "<p>费用</p>");
  writeFileSync(join(pages, "assets/app.js"), "1");
  writeFileSync(join(pages, "assets/run.exe"), "no type of ours");
  writeFileSync(join(root, "secret.json"), "{}");
  writeFileSync(join(root, "pages-other/secret.json"), "{}");
});
afterAll(() => rmSync(root, { recursive: true }));

const get = (url: string) => page(pages, { method: "GET", url });

describe("the app protocol", () => {
  it("serves a page under the strict policy", async () => {
    const answer = await get("app://ledger/index.html?language=zh-CN#top");
    expect([answer.status, await answer.text()]).toEqual([200, "<p>费用</p>"]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy,
      "x-content-type-options": "nosniff",
    });
  });

  it("says by its ending what a file is", async () => {
    expect((await get("app://ledger/assets/app.js")).headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect((await get("app://ledger/assets/run.exe")).status).toBe(404);
  });

  it.each([
    "app://ledger/",
    "app://ledger/assets",
    "app://ledger/missing.html",
    "app://ledger/../secret.json",
    "app://ledger/%2e%2e/secret.json",
    "app://ledger/..%2fsecret.json",
    "app://ledger/..%5csecret.json",
    "app://ledger/assets/..%2f..%2fsecret.json",
    "app://ledger/..%2fpages-other%2fsecret.json",
    "app://ledger//etc/hosts.json",
    "app://ledger/index.html%00.js",
    "app://ledger/%ff.html",
    "app://other/index.html",
    "app://ledger.example/index.html",
    "file:///index.html",
    "not an address",
  ])("answers %s with nothing", async (url) => {
    const answer = await get(url);
    expect([answer.status, await answer.text()]).toEqual([404, ""]);
  });

  it("answers nothing but GET", async () => {
    expect((await page(pages, { method: "POST", url: "app://ledger/index.html" })).status).toBe(404);
  });

  it("lets a page run only what came with the app", () => {
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).toContain("script-src 'self';");
    expect(contentSecurityPolicy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*/);
  });

  it("knows its own addresses", () => {
    expect(["app://ledger/index.html", "app://ledger/index.html#x"].every(isOurs)).toBe(true);
    expect(["app://ledger:80@evil/", "app://evil/ledger", "https://ledger/", "app:ledger", ""].some(isOurs)).toBe(false);
  });
});
