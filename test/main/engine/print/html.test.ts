import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../../main/cli/words.ts";
import { htmlPrinter } from "../../../../main/engine/print/html.ts";
import type { ReportDocument } from "../../../../shared/contract/report.ts";
import { document } from "./document.ts";

describe("an HTML report", () => {
  it("needs nothing beside it and runs nothing", async () => {
    for (const language of ["en", "zh-CN"] as const) {
      const html = htmlPrinter.print(document, await wordsOf(language));
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).not.toMatch(/<script|<link|<img|src=|url\(|@import|https?:/i);
      expect(html).toContain("default-src 'none'");
    }
  });

  it("escapes every name of other people", async () => {
    const hostile: ReportDocument = { ...document, title: { key: "print.other-currency", params: { currency: { text: `<img onerror="x" src='y'>&` } } } };
    const html = htmlPrinter.print(hostile, await wordsOf("en"));
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img onerror=&quot;x&quot; src=&#39;y&#39;&gt;&amp;");
  });

  it("shows the amounts that the screen shows, and the total between its rules", async () => {
    const html = htmlPrinter.print(document, await wordsOf("en"));
    expect(html.match(/<td class="n">[^<]*<\/td>/g)).toEqual(["0.33", "0.33", "0.34", "1.00"].map((amount) => `<td class="n">${amount}</td>`));
    expect(html).toMatch(/<tfoot>.*1\.00.*<\/tfoot>/);
  });
});
