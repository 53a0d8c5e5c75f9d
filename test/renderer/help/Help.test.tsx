// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { helpHeadingOf, helpPages } from "../../../shared/contract/help.ts";
import type { Language } from "../../../shared/i18n/index.ts";
import { ok } from "../../../shared/result.ts";
import { App } from "../../../renderer/app/App.tsx";
import { Frame } from "../../../renderer/app/Frame.tsx";
import { useView } from "../../../renderer/state/view.ts";
import { documentsIn } from "../documents.ts";
import type { Answers } from "../window.tsx";
import { showWindow } from "../window.tsx";

const sample = documentsIn("en");
const textOf = (language: Language, page: string): string => readFileSync(join(import.meta.dirname, "../../../resources/help", language, `${page}.md`), "utf8");
const answers: Answers = {
  "scope.values": ok(sample.scope),
  "report.read": ok(sample.review),
  "help.list": ({ language }: { readonly language: Language }) =>
    ok(helpPages.map((page) => {
      const headings = textOf(language, page).split("\n").map(helpHeadingOf).filter((heading) => heading !== null);
      return { page, title: headings[0]?.text ?? "", sections: headings.filter(({ level }) => level === 2).map(({ id, text }) => ({ id, title: text })) };
    })),
  "help.read": ({ page, language }: { readonly page: string; readonly language: Language }) => ok({ page, text: textOf(language, page) }),
  "figure.explain": ok(sample.explanation),
};
const go = (view: Parameters<ReturnType<typeof useView.getState>["look"]>[0]): void => act(() => useView.getState().look(view));

afterEach(cleanup);

describe("Help", () => {
  it("shows the first page, and beside it all pages", async () => {
    const shown = showWindow(<Frame status={sample.status} />, { answers });
    go({ screen: "help" });
    expect((await screen.findByRole("heading", { level: 1, name: "First steps" })).textContent).toBe("First steps");
    const pages = within(screen.getByRole("navigation", { name: "Pages of the help" }));
    expect(pages.getByRole("link", { name: "Claims, checked" }).getAttribute("href")).toBe("#/help/claims");
    expect(pages.getByRole("link", { current: "page" }).textContent).toBe("First steps");
    expect(shown.missing).toEqual([]);
  });

  it("opens at a section of a page, in the language of the window", async () => {
    showWindow(<Frame status={sample.status} />, { answers, language: "zh-CN" });
    go({ screen: "help", help: "method/four-ways", period: "2026-09" });
    const heading = await screen.findByRole("heading", { level: 2, name: "GPU 成本去向：四种" });
    expect(heading.id).toBe("help-four-ways");
    expect(screen.getByRole("link", { name: "四种口径" }).getAttribute("href")).toBe("#/help/money/bases?period=2026-09");
  });

  it("is there before any ledger is open, with F1 and from the first screen", async () => {
    useView.setState({ screen: "review", help: undefined });
    const closed = { ...sample.status, name: null };
    const shown = showWindow(<App />, { answers: { ...answers, "ledger.status": ok(closed), "settings.read": ok({}) } });
    expect((await screen.findByRole("link", { name: "Help" })).getAttribute("href")).toBe("#/help");
    expect(shown.missing).toEqual([]);
    fireEvent.keyDown(window, { key: "F1" });
    await screen.findByRole("heading", { level: 1, name: "First steps" });
    expect(screen.getByRole("link", { name: "Back" }).getAttribute("href")).toBe("#/review");
  });

  it("is one click from the explanation of a figure", async () => {
    showWindow(<Frame status={sample.status} />, { answers });
    fireEvent.click(await screen.findByRole("button", { name: "Per useful GPU-hour: $2.92" }));
    const link = await screen.findByRole("link", { name: "How this is worked out" });
    expect(link.getAttribute("href")).toMatch(/^#\/help\/method\//);
  });
});
