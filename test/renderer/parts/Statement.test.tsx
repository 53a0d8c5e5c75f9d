// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Statement } from "../../../renderer/parts/Statement.tsx";
import { usePanel } from "../../../renderer/state/panel.ts";
import { documentsIn } from "../documents.ts";
import { showWindow } from "../window.tsx";

const { review, efficiency } = documentsIn("en");
const tableOf = (document: typeof review, id: string) => {
  const block = document.blocks.find((candidate) => candidate.id === id);
  if (block?.kind !== "table") throw new Error(`no table ${id}`);
  return block;
};

afterEach(cleanup);

describe("a statement", () => {
  it("shows amounts without their currency, changes with their sign, and the total in a row of its own", () => {
    showWindow(<Statement block={tableOf(review, "teams")} label="Teams" />);
    const rows = screen.getAllByRole("row");
    const total = rows.at(-1)!;
    expect(total.className).toBe("total");
    expect(within(total).getByText("214,380.17")).toBeTruthy();
    expect(within(total).getByText("+12,259.81")).toBeTruthy();
    expect(screen.getByText("\u2212204.15")).toBeTruthy();
  });

  it("says of what has no value that it has none, and why", () => {
    showWindow(<Statement block={tableOf(review, "teams")} label="Teams" />);
    const unused = screen.getByText("Unused commitments").closest("tr")!;
    expect(within(unused).getAllByText("—")).toHaveLength(3);
    expect(within(unused).getAllByText("does not apply here").length).toBeGreaterThan(0);
  });

  it("lets a row that sums up speak over the cells that do not apply to it", () => {
    showWindow(<Statement block={tableOf(efficiency, "episodes")} label="Episodes" />);
    expect(screen.getByText("All 213 other episodes").closest("th")?.colSpan).toBe(7);
  });

  it("is one stop of the Tab key; arrows move between its figures", () => {
    showWindow(<Statement block={tableOf(review, "teams")} label="Teams" />);
    const figures = screen.getAllByRole("button").filter((button) => button.hasAttribute("data-figure"));
    expect(figures.filter((figure) => figure.tabIndex === 0)).toEqual([figures[0]]);
    figures[0]!.focus();
    fireEvent.keyDown(figures[0]!, { key: "ArrowDown" });
    expect(document.activeElement?.textContent).toBe("36,081.60");
    fireEvent.keyDown(document.activeElement!, { key: "ArrowRight" });
    expect(document.activeElement?.textContent).toBe("\u2212204.15");
    fireEvent.keyDown(document.activeElement!, { key: "End" });
    expect(document.activeElement?.textContent).toBe("3.85");
    expect((document.activeElement as HTMLElement).tabIndex).toBe(0);
  });

  it("explains the focused figure by ?", () => {
    showWindow(<Statement block={tableOf(review, "teams")} label="Teams" />);
    const figure = screen.getByText("36,081.60").closest("button")!;
    fireEvent.keyDown(figure, { key: "?" });
    expect(usePanel.getState().explained?.ref).toMatchObject({ metric: "spend", scope: { team: ["Vision"] } });
  });

  it("keeps the columns that do not fit in the row's detail", () => {
    showWindow(<Statement block={tableOf(efficiency, "flops")} label="FLOPS" />);
    const name = screen.getByRole("button", { name: "H100" });
    expect(screen.queryByText("1,568")).toBeNull();
    fireEvent.click(name);
    expect(name.getAttribute("aria-expanded")).toBe("true");
    expect(screen.getByText("1,568")).toBeTruthy();
  });
});
