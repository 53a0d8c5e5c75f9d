import { useState } from "react";
import type { PivotView } from "../../shared/contract/pivot.ts";
import { Choice } from "../settings/selects.tsx";
import { useNotice } from "../state/notice.ts";
import { FormDialog, TextLine } from "../teams/fields.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { firstPivot, useSavedViews } from "./views.ts";

const UNSAVED = "";

/** Views by name: choose one, keep the one on the page, or take one away. */
export function SavedViews({ view, onChoose }: { readonly view: PivotView; readonly onChoose: (view: PivotView) => void }) {
  const { say } = useSpeech();
  const { views, save } = useSavedViews();
  const tell = useNotice((store) => store.tell);
  const [name, setName] = useState<string | null>(null);
  const current = views.find((saved) => JSON.stringify(saved.view) === JSON.stringify(view))?.name ?? UNSAVED;
  const keep = async (): Promise<void> => {
    if (name === null) return;
    if (await save(name.trim(), view)) tell({ text: say("pivot.view.saved") });
    setName(null);
  };
  const remove = async (): Promise<void> => {
    if (await save(current, null)) tell({ text: say("pivot.view.removed") });
  };
  return (
    <>
      {views.length > 0 && (
        <Choice
          label={say("pivot.view")}
          isLabelHidden
          value={current}
          choices={[...(current === UNSAVED ? [{ id: UNSAVED, text: say("pivot.view.own") }] : []), ...views.map((saved) => ({ id: saved.name, text: saved.name }))]}
          onChoose={(chosen) => onChoose(views.find((saved) => saved.name === chosen)?.view ?? firstPivot)}
        />
      )}
      {current === UNSAVED
        ? <button type="button" className="link" onClick={() => setName("")}>{say("pivot.view.save")}</button>
        : <button type="button" className="link" onClick={() => void remove()}>{say("pivot.view.remove")}</button>}
      {name !== null && (
        <FormDialog title={say("pivot.view.save")} isDisabled={name.trim() === "" || name.trim().length > 60} onClose={() => setName(null)} onSave={() => void keep()}>
          <TextLine label={say("pivot.view.name")} value={name} onChange={setName} isFirst />
        </FormDialog>
      )}
    </>
  );
}
