import { useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { PivotDimension, PivotFilter, PivotView } from "../../shared/contract/pivot.ts";
import { pivotDimensionsOf, pivotTables } from "../../shared/contract/pivot.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { Choice } from "../settings/selects.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { keyText } from "./keys.ts";

const mostColumns = 5;

interface PivotControlsProps {
  readonly view: PivotView;
  readonly onChange: (view: PivotView) => void;
}

/** Which table, grouped by what, and which rows only. */
export function PivotControls({ view, onChange }: PivotControlsProps) {
  const { say, words } = useSpeech();
  const [isFiltering, setFiltering] = useState(false);
  const known = pivotDimensionsOf[view.table];
  const free = known.filter((dimension) => !view.by.includes(dimension));
  return (
    <div className="pivot-controls">
      <span className="pivot-line" role="group" aria-label={say("pivot.table")}>
        {pivotTables.map((table) => (
          <button key={table} type="button" className={table === view.table ? "link main" : "link"} aria-pressed={table === view.table} onClick={() => onChange(withTable(view, table))}>{say(`pivot.table.${table}`)}</button>
        ))}
      </span>
      <span className="pivot-line" role="group" aria-label={say("pivot.by")}>
        <span className="muted">{say("pivot.by")}</span>
        {view.by.map((dimension, index) => {
          const name = say(`pivot.dimension.${dimension}`);
          return (
            <span key={dimension} className="pivot-chip">
              {index > 0 && <button type="button" className="figure" aria-label={say("pivot.by.left", { name })} onClick={() => onChange({ ...view, by: movedLeft(view.by, index) })}>‹</button>}
              {name}
              {view.by.length > 1 && <button type="button" className="figure" aria-label={say("pivot.by.remove", { name })} onClick={() => onChange(sortedByWhatIsThere({ ...view, by: view.by.filter((other) => other !== dimension) }))}>×</button>}
            </span>
          );
        })}
        {view.by.length < mostColumns && (
          <MenuTrigger>
            <Button className="link">{say("pivot.by.add")}</Button>
            <Popover className="popover">
              <Menu aria-label={say("pivot.by.add")} onAction={(key) => onChange({ ...view, by: [...view.by, key as PivotDimension] })}>
                {free.map((dimension) => <MenuItem key={dimension} id={dimension} className="option">{say(`pivot.dimension.${dimension}`)}</MenuItem>)}
              </Menu>
            </Popover>
          </MenuTrigger>
        )}
      </span>
      <span className="pivot-line" role="group" aria-label={say("pivot.filter")}>
        {view.filters.length > 0 && <span className="muted">{say("pivot.filter")}</span>}
        {view.filters.map((filter) => (
          <span key={`${filter.dimension} ${filter.contains ?? ""}`} className="pivot-chip">
            {filterText(filter)}
            <button type="button" className="figure" aria-label={say("pivot.filter.remove", { name: say(`pivot.dimension.${filter.dimension}`) })} onClick={() => onChange({ ...view, filters: view.filters.filter((other) => other !== filter) })}>×</button>
          </span>
        ))}
        <button type="button" className="link" onClick={() => setFiltering(true)}>{say("pivot.filter.add")}</button>
      </span>
      {isFiltering && (
        <FilterForm
          dimensions={known}
          onClose={() => setFiltering(false)}
          onTake={(filter) => {
            setFiltering(false);
            onChange({ ...view, filters: [...view.filters, filter] });
          }}
        />
      )}
    </div>
  );

  function filterText({ dimension, among, contains }: PivotFilter): string {
    const name = say(`pivot.dimension.${dimension}`);
    if (contains !== undefined) return say("pivot.filter.contains", { name, value: contains });
    return say("pivot.filter.is", { name, value: (among ?? []).map((key) => keyText(say, words, dimension, key)).join(", ") });
  }
}

function FilterForm({ dimensions, onClose, onTake }: { readonly dimensions: readonly PivotDimension[]; readonly onClose: () => void; readonly onTake: (filter: PivotFilter) => void }) {
  const { say } = useSpeech();
  const textual = dimensions.filter((dimension) => !["day", "hour", "batch"].includes(dimension));
  const [dimension, setDimension] = useState<PivotDimension>("service");
  const [text, setText] = useState("");
  return (
    <FormDialog title={say("pivot.filter.add")} saveLabel={say("pivot.filter.take")} isDisabled={text.trim() === ""} onClose={onClose} onSave={() => onTake({ dimension, contains: text.trim() })}>
      <Choice label={say("pivot.filter.column")} value={dimension} choices={textual.map((id) => ({ id, text: say(`pivot.dimension.${id}`) }))} onChoose={setDimension} />
      <TextLine label={say("pivot.filter.text")} value={text} onChange={setText} isFirst />
    </FormDialog>
  );
}

/** The same view of the other table, without what that table does not have. */
function withTable(view: PivotView, table: PivotView["table"]): PivotView {
  const known = pivotDimensionsOf[table];
  const by = view.by.filter((dimension) => known.includes(dimension));
  return sortedByWhatIsThere({ table, by: by.length === 0 ? ["provider"] : by, filters: view.filters.filter(({ dimension }) => known.includes(dimension)), sort: { column: "EffectiveCost", descending: true } });
}

function sortedByWhatIsThere(view: PivotView): PivotView {
  const { sort, by } = view;
  const isGone = sort !== null && pivotDimensionsOf[view.table].some((dimension) => dimension === sort.column) && !by.some((dimension) => dimension === sort.column);
  return isGone ? { ...view, sort: null } : view;
}

function movedLeft(by: readonly PivotDimension[], index: number): PivotDimension[] {
  const moved = [...by];
  const [dimension] = moved.splice(index, 1);
  if (dimension !== undefined) moved.splice(index - 1, 0, dimension);
  return moved;
}
