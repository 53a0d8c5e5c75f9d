import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sniff } from "../../../../main/engine/import/sniff.ts";
import { fileWith } from "./read-bill.ts";

const table = 'Cost,名称\n1.5,"计算, GPU"\n2,存储\n';
/** 计算 and 存储 are common words; the bytes are what a Chinese Windows writes. */
const gb18030 = Buffer.from([
  ...Buffer.from("Cost,"), 0xc3, 0xfb, 0xb3, 0xc6, ...Buffer.from('\n1.5,"'), 0xbc, 0xc6, 0xcb, 0xe3, ...Buffer.from(', GPU"\n2,'), 0xb4, 0xe6, 0xb4, 0xa2, 10,
]);
function utf16(text: string, isBigEndian: boolean, hasMark: boolean): Buffer {
  const bytes = Buffer.from((hasMark ? "\uFEFF" : "") + text, "utf16le");
  return isBigEndian ? bytes.swap16() : bytes;
}

describe("sniffing a file", () => {
  it.each([
    ["UTF-8", Buffer.from(table), "utf-8"],
    ["UTF-8 with a mark", Buffer.from(`\uFEFF${table}`), "utf-8"],
    ["UTF-16, little end first", utf16(table, false, true), "utf-16le"],
    ["UTF-16, big end first", utf16(table, true, true), "utf-16be"],
    ["GB18030", gb18030, "gb18030"],
    ["gzip", gzipSync(table), "utf-8"],
  ])("%s holds the same table", async (_, bytes, encoding) => {
    const sniffed = await sniff(fileWith(bytes));
    expect(sniffed).toMatchObject({
      ok: true,
      value: { encoding, delimiter: ",", headerLine: 1, headerByte: 0, header: ["Cost", "名称"], sampleRecords: [["1.5", "计算, GPU"], ["2", "存储"]], isWhole: true },
    });
  });

  it("UTF-16 without a mark is told by its zeros", async () => {
    expect(await sniff(fileWith(utf16("Cost,Name\n1,x\n", false, false)))).toMatchObject({ ok: true, value: { encoding: "utf-16le", header: ["Cost", "Name"] } });
  });

  it.each([
    [";", "a;b,c;d\n1;2,5;3\n"],
    ["\t", "a\tb, c\td\n"],
    ["|", "a|b|c\n1|2|3\n"],
    [",", '"a;b;c;d",e\n1,2\n'],
  ])("%j parts the columns of %j", async (delimiter, text) => {
    expect(await sniff(fileWith(text))).toMatchObject({ ok: true, value: { delimiter } });
  });

  it("passes blank lines and a spreadsheet's sep= line", async () => {
    expect(await sniff(fileWith("\uFEFF\r\n\r\nsep=;\r\n\r\na;b\r\n1;2\r\n"))).toMatchObject({ ok: true, value: { delimiter: ";", headerLine: 5, headerByte: 13, header: ["a", "b"], sampleRecords: [["1", "2"]] } });
  });

  it("a header alone is a table without rows", async () => {
    expect(await sniff(fileWith("a,b"))).toMatchObject({ ok: true, value: { header: ["a", "b"], sampleRecords: [] } });
  });

  it.each([
    ["import.empty", ""],
    ["import.empty", " \n\r\n\t\n"],
    ["import.not-text", Buffer.from([0, 1, 2, 3, 250, 251, 0, 7, 9, 200])],
    ["import.not-text", Buffer.from("Cost,Naïve\n1,é\n", "latin1")],
  ])("%s", async (code, content) => {
    expect(await sniff(fileWith(content))).toMatchObject({ ok: false, error: { code, params: { file: "bill.csv" } } });
  });

  it.each([
    ["xlsx", Buffer.from("PK\x03\x04........xl/workbook.xml", "latin1")],
    ["sqlite", Buffer.from("SQLite format 3\0....", "latin1")],
  ])("a %s is named, not read", async (closest, content) => {
    expect(await sniff(fileWith(content))).toMatchObject({ ok: false, error: { code: "import.unrecognized", params: { closest } } });
  });

  it.each([
    ["import.archive-nested", Buffer.from("PK\x03\x04rest of it", "latin1")],
    ["import.archive-nested", Buffer.concat([Buffer.alloc(257, "a"), Buffer.from("ustar\0"), Buffer.alloc(249)])],
    ["import.container-unsupported", Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4])],
    ["import.container-unsupported", Buffer.from("BZh91AY&SY", "latin1")],
    ["import.truncated", Buffer.from("PAR1....", "latin1")],
  ])("what is packed is taken apart before, or named: %s", async (code, content) => {
    expect(await sniff(fileWith(content))).toMatchObject({ ok: false, error: { code } });
  });

  it("says so when there is no such file, or it is a folder", async () => {
    expect(await sniff("/no/such/file.csv")).toEqual({ ok: false, error: { code: "import.not-found", params: { file: "file.csv" } } });
    expect(await sniff(import.meta.dirname)).toMatchObject({ ok: false, error: { code: "import.unreadable" } });
  });

  it("never fails, wherever a small file is cut", async () => {
    for (const whole of [Buffer.from(table), utf16(table, false, true), gzipSync(table), gb18030]) {
      for (let end = 0; end <= whole.length; end += 1) expect(typeof (await sniff(fileWith(whole.subarray(0, end)))).ok).toBe("boolean");
    }
  });
});
