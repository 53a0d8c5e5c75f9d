import { useId, useState } from "react";
import type { CudaQuestion } from "../../../shared/contract/findings.ts";
import { cudaQuestionSchema } from "../../../shared/contract/findings.ts";
import { cudaSentences } from "../../../shared/i18n/cuda.ts";
import { useAsk } from "../../ledger/useAsk.ts";
import { SectionHead } from "../../parts/SectionHead.tsx";
import { Refused } from "../../parts/states.tsx";
import { TextLine } from "../../teams/fields.tsx";
import { useSpeech } from "../../words/WordsProvider.tsx";

const empty = { gpu: "", toolkit: "", driver: "", builtFor: "" };

/** Whether a program fits a card and its driver: the lookup behind "no kernel image is available". */
export function CudaCheck() {
  const { say, words } = useSpeech();
  const id = useId();
  const [fields, setFields] = useState(empty);
  const [question, ask] = useState<CudaQuestion | null>(null);
  const asked = useAsk("cuda.check", question);
  const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
  const typed = cudaQuestionSchema.safeParse({ gpu: fields.gpu.trim(), toolkit: orNull(fields.toolkit), driver: orNull(fields.driver), builtFor: orNull(fields.builtFor), isWindows: false });
  const isWrong = fields.gpu.trim() !== "" && !typed.success;
  const put = (change: Partial<typeof empty>): void => setFields((before) => ({ ...before, ...change }));
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("cuda.title")} note={say("cuda.note")} />
      <form
        className="cuda-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.success) ask(typed.data);
        }}
      >
        <TextLine label={say("cuda.gpu")} value={fields.gpu} hint="NVIDIA H100 PCIe" onChange={(gpu) => put({ gpu })} />
        <TextLine label={say("cuda.toolkit")} value={fields.toolkit} hint="12.1" onChange={(toolkit) => put({ toolkit })} />
        <TextLine label={say("cuda.driver")} value={fields.driver} hint="535.54.03" onChange={(driver) => put({ driver })} />
        <TextLine label={say("cuda.built")} value={fields.builtFor} hint="8.0 8.6 9.0+PTX" onChange={(builtFor) => put({ builtFor })} />
        <p className="actions"><button type="submit" className="link main" disabled={!typed.success}>{say("cuda.check")}</button></p>
      </form>
      {isWrong && <p className="note" role="alert">{say("cuda.wrong")}</p>}
      {question !== null && asked.state === "refused" && <Refused error={asked.error} />}
      {question !== null && asked.state === "answered" && (
        <div role="status"><ul className="finding-steps">{cudaSentences(asked.value).map(([key, values]) => <li key={key}>{words.say(key, values)}</li>)}</ul></div>
      )}
    </section>
  );
}
