import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { keptMegabytes } from "../../shared/contract/sources.ts";
import { useAsk, useTell } from "../ledger/useAsk.ts";
import { Act } from "../parts/Act.tsx";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useNotice } from "../state/notice.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Choice } from "./selects.tsx";

/** Copies of bills beside the ledger: how much of them is kept, and the way to be rid of them. */
export function KeptSources() {
  const { say, words, error } = useSpeech();
  const asked = useAsk("sources.state", {});
  const save = useTell("settings.save");
  const drop = useTell("sources.drop");
  const queries = useQueryClient();
  const tell = useNotice((store) => store.tell);
  const [isSure, setSure] = useState(false);
  if (asked.state !== "answered") return null;
  const { keptBytes, unkeptFiles, mostMegabytes } = asked.value;
  const again = (): Promise<void> => queries.invalidateQueries({ queryKey: ["sources.state"] });
  const choose = async (megabytes: string): Promise<void> => {
    const saved = await save.tell({ values: { "sources.keep-megabytes": megabytes } });
    if (!saved.ok) return tell({ text: error(saved.error).what, detail: error(saved.error).todo });
    await again();
  };
  const remove = async (): Promise<void> => {
    const removed = await drop.tell({});
    setSure(false);
    if (!removed.ok) return tell({ text: error(removed.error).what, detail: error(removed.error).todo });
    tell({ text: say("kept.dropped") });
    await again();
  };
  return (
    <section aria-label={say("kept.title")}>
      <SectionHead title={say("kept.title")} />
      <p className="prose">{say("kept.text")}</p>
      <div className="rules">
        <div>
          <span>{say("kept.most")}</span>
          <Choice label={say("kept.most")} isLabelHidden value={String(mostMegabytes)} choices={[...new Set([...keptMegabytes, mostMegabytes])].map((megabytes) => ({ id: String(megabytes), text: megabytes === 0 ? say("kept.nothing") : words.bytes(megabytes * 1024 * 1024) }))} onChoose={(chosen) => void choose(chosen)} />
        </div>
        <div>
          <span>{say("kept.now", { size: words.bytes(keptBytes), count: unkeptFiles })}</span>
          {keptBytes > 0 && <Act isBusy={drop.isBusy} onPress={() => (isSure ? void remove() : setSure(true))}>{say(isSure ? "kept.drop-sure" : "kept.drop")}</Act>}
        </div>
      </div>
    </section>
  );
}
