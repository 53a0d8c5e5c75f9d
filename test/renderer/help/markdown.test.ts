import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInline, readMarkdown } from "../../../renderer/help/markdown.ts";

const text = (value: string) => ({ kind: "text", text: value });

describe("Markdown of the help", () => {
  it("reads headings with their ids, paragraphs over several lines, lists, tables and code", () => {
    const page = ["# A page", "", "## Part {#part}", "one", "two", "", "1. first", "2. second", "   goes on", "- point", "", "| Name | Sum |", "| --- | ---: |", "| a | 1 |", "", "```", "x | y", "", "# no heading", "```"];
    expect(readMarkdown(page.join("\n"))).toEqual([
      { kind: "heading", level: 1, id: null, content: [text("A page")] },
      { kind: "heading", level: 2, id: "part", content: [text("Part")] },
      { kind: "paragraph", content: [text("one two")] },
      { kind: "list", isOrdered: true, items: [[text("first")], [text("second goes on")], [text("point")]] },
      { kind: "table", head: [[text("Name")], [text("Sum")]], isNumber: [false, true], rows: [[[text("a")], [text("1")]]] },
      { kind: "code", text: "x | y\n\n# no heading" },
    ]);
  });

  it("joins Han lines without a space", () => {
    expect(readMarkdown("利用率\n未知\nGPU")).toEqual([{ kind: "paragraph", content: [text("利用率未知GPU")] }]);
  });

  it("reads code, strong, emphasis and links within a line", () => {
    expect(readInline("`a*b*` is **strong**, *soft*, [there](method#idle), [here](#idle), [page](money)")).toEqual([
      { kind: "code", text: "a*b*" }, text(" is "), { kind: "strong", text: "strong" }, text(", "), { kind: "emphasis", text: "soft" }, text(", "),
      { kind: "link", text: "there", page: "method", section: "idle" }, text(", "),
      { kind: "link", text: "here", page: null, section: "idle" }, text(", "),
      { kind: "link", text: "page", page: "money", section: null },
    ]);
  });

  it("makes no link that leads out, and no HTML", () => {
    for (const target of ["https://example.com/", "javascript:alert", "../secret", "//host", ""]) expect(readInline(`[out](${target})`)).toEqual([text("out")]);
    expect(readInline("<img src=x onerror=alert(1)>")).toEqual([text("<img src=x onerror=alert(1)>")]);
  });

  it("ends on any text, and loses no letter of a plain one", () => {
    fc.assert(fc.property(fc.string(), (any) => void readMarkdown(any)));
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 20 }), (words) => {
        expect(readMarkdown(words.join(" "))).toEqual([{ kind: "paragraph", content: [text(words.join(" "))] }]);
      }),
    );
  });
});
