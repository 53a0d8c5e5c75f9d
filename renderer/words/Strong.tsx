import type { PlainKey } from "./WordsProvider.tsx";
import { useSpeech } from "./WordsProvider.tsx";

/** A text of the catalogs with its values set in 600. */
export function Strong({ text, values }: { readonly text: PlainKey; readonly values: Readonly<Record<string, string>> }) {
  const { say } = useSpeech();
  const marked = say(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `\u0001${value}\u0002`])));
  return <>{marked.split("\u0001").flatMap((piece, index) => {
    if (index === 0) return [piece];
    const [value = "", rest = ""] = piece.split("\u0002");
    return [<b key={index}>{value}</b>, rest];
  })}</>;
}
