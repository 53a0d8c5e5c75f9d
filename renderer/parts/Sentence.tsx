import type { Message } from "../../shared/contract/report.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** A message with its amounts set apart: the answer of a screen. */
export function Sentence({ message, className = "answer" }: { readonly message: Message; readonly className?: string }) {
  const { words } = useSpeech();
  return (
    <p className={className}>
      {words.parts(message).map(({ text, strong }, index) => (strong ? <b key={index}>{text}</b> : text))}
    </p>
  );
}

/** The lines of context under the answer, run on as sentences. */
export function Context({ messages }: { readonly messages: readonly Message[] }) {
  const { words } = useSpeech();
  if (messages.length === 0) return null;
  return <p className="context">{messages.map((message) => words.text(message)).join(words.language === "zh-CN" ? "" : " ")}</p>;
}
