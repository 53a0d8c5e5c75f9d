import { Fragment } from "react";
import type { ReactNode } from "react";
import type { Message } from "../../shared/contract/report.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { useView } from "../state/view.ts";
import { FigureButton } from "./FigureButton.tsx";

/** Draws a number that the screen itself explains, by the name of its fact and its text; null: as it is. */
export type Explained = (name: string, text: string) => ReactNode;

/** A message with its amounts set apart: the answer of a screen. */
export function Sentence({ message, className = "answer", explained }: { readonly message: Message; readonly className?: string; readonly explained?: Explained }) {
  return (
    <p className={className}>
      <Said message={message} isStrong explained={explained} />
    </p>
  );
}

/** Sentences about hosts and bills that are not joined; where that is mended is one click away. */
const unjoined: ReadonlySet<string> = new Set(["context.hosts-without-bill", "context.machines-without-log"]);

/** The lines of context under the answer, run on as sentences. */
export function Context({ messages, explained }: { readonly messages: readonly Message[]; readonly explained?: Explained }) {
  const { words, say } = useSpeech();
  const look = useView((view) => view.look);
  if (messages.length === 0) return null;
  return (
    <p className="context">
      {messages.map((message, index) => (
        <Fragment key={index}>
          {index > 0 && words.language !== "zh-CN" && " "}
          <Said message={message} explained={explained} />
        </Fragment>
      ))}
      {messages.some(({ key }) => unjoined.has(key)) && <>{" "}<button type="button" className="link" onClick={() => look({ screen: "imports" })}>{say("context.to-matching")}</button></>}
    </p>
  );
}

/** A message in which every number that can be explained opens its explanation. */
export function Said({ message, isStrong = false, explained }: { readonly message: Message; readonly isStrong?: boolean; readonly explained?: Explained | undefined }) {
  const { words } = useSpeech();
  const shown = (text: string, name: string | undefined): ReactNode => {
    if (name === undefined) return text;
    const fact = message.params?.[name];
    if (fact !== undefined && "figure" in fact && fact.explain !== undefined) return <FigureButton figure={fact.figure} explain={fact.explain}>{text}</FigureButton>;
    return explained?.(name, text) ?? text;
  };
  return (
    <>
      {words.parts(message).map(({ text, strong, name }, index) => (strong && isStrong ? <b key={index}>{shown(text, name)}</b> : <Fragment key={index}>{shown(text, name)}</Fragment>))}
    </>
  );
}
