import { Fragment } from "react";
import type { FigureRef, Message } from "../../shared/contract/report.ts";
import type { Figure } from "../../shared/domain/figure.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { useView } from "../state/view.ts";
import { FigureButton } from "./FigureButton.tsx";

/** A message with its amounts set apart: the answer of a screen. */
export function Sentence({ message, className = "answer" }: { readonly message: Message; readonly className?: string }) {
  return (
    <p className={className}>
      <Said message={message} isStrong />
    </p>
  );
}

/** Sentences about hosts and bills that are not joined; where that is mended is one click away. */
const unjoined: ReadonlySet<string> = new Set(["context.hosts-without-bill", "context.machines-without-log"]);

/** The lines of context under the answer, run on as sentences. */
export function Context({ messages }: { readonly messages: readonly Message[] }) {
  const { words, say } = useSpeech();
  const look = useView((view) => view.look);
  if (messages.length === 0) return null;
  return (
    <p className="context">
      {messages.map((message, index) => (
        <Fragment key={index}>
          {index > 0 && words.language !== "zh-CN" && " "}
          <Said message={message} />
        </Fragment>
      ))}
      {messages.some(({ key }) => unjoined.has(key)) && <>{" "}<button type="button" className="link" onClick={() => look({ screen: "imports" })}>{say("context.to-matching")}</button></>}
    </p>
  );
}

/** A message in which every amount that can be explained opens its explanation. */
export function Said({ message, isStrong = false }: { readonly message: Message; readonly isStrong?: boolean }) {
  const { words } = useSpeech();
  const figures = explainedIn(message);
  return (
    <>
      {words.parts(message).map(({ text, strong }, index) => {
        const known = strong ? figures.find(({ figure }) => words.figure(figure) === text) : undefined;
        const shown = known === undefined ? text : <FigureButton figure={known.figure} explain={known.explain}>{text}</FigureButton>;
        return strong && isStrong ? <b key={index}>{shown}</b> : <Fragment key={index}>{shown}</Fragment>;
      })}
    </>
  );
}

function explainedIn({ params = {} }: Message): readonly { readonly figure: Figure; readonly explain: FigureRef }[] {
  return Object.values(params).flatMap((param) => {
    if ("message" in param) return explainedIn(param.message);
    return "figure" in param && param.explain !== undefined ? [{ figure: param.figure, explain: param.explain }] : [];
  });
}
