// @vitest-environment happy-dom
import { useRef } from "react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useRovingCells } from "../../../renderer/parts/useRovingCells.ts";

function Grid({ rows }: { readonly rows: readonly number[] }) {
  const scroll = useRef<HTMLDivElement>(null);
  const cells = useRovingCells(scroll);
  return (
    <div ref={scroll} role="table" {...cells}>
      {rows.map((row) => (
        <div key={row} className="pivot-row" role="row" aria-rowindex={row}>
          {["job", "cost"].map((cell) => <button key={cell} type="button">{`${cell} ${row}`}</button>)}
        </div>
      ))}
    </div>
  );
}

afterEach(cleanup);

const stops = (): string[] => screen.getAllByRole("button").filter(({ tabIndex }) => tabIndex === 0).map(({ textContent }) => textContent);
const focused = (): string | null => document.activeElement?.textContent ?? null;
const press = (key: string): void => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
};

it("is one stop of the Tab key; arrows go from cell to cell and stay within the rows; rows that come in sight add no stop", () => {
  const { rerender } = render(<Grid rows={[2, 3]} />);
  expect(stops()).toEqual(["job 2"]);
  screen.getByText("job 2").focus();
  for (const [key, expected] of [["ArrowDown", "job 3"], ["ArrowRight", "cost 3"], ["ArrowRight", "cost 3"], ["ArrowDown", "cost 3"], ["ArrowUp", "cost 2"], ["ArrowLeft", "job 2"], ["ArrowLeft", "job 2"]] as const) {
    press(key);
    expect([key, focused()]).toEqual([key, expected]);
  }
  screen.getByText("cost 3").focus();
  rerender(<Grid rows={[3, 4, 5]} />);
  expect(stops()).toEqual(["cost 3"]);
  rerender(<Grid rows={[6, 7]} />);
  expect(stops()).toEqual(["job 6"]);
});
