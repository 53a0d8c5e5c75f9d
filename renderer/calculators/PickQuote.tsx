import { useId, useState } from "react";
import type { BookPrice } from "../../shared/contract/offers.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { comma, modeText, moneyOf, providerText } from "../offers/shown.ts";
import { TextLine } from "../teams/fields.tsx";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";

/** A quote as its form holds it: texts. */
export interface QuoteFields {
  readonly item: string;
  readonly list: string;
  readonly quoted: string;
  readonly validUntil: string;
}

const mostShown = 6;

/** Prices of the price book that the words find, in the selection's currency; one that is picked becomes a quote. */
export function PickQuote({ currency, onPick }: { readonly currency: string; readonly onPick: (quote: QuoteFields) => void }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const [text, setText] = useState("");
  const isAsking = text.trim().length > 1;
  const asked = useAsk("prices.list", isAsking ? { text: text.trim(), provider: null, mode: null, origin: null, on: null, offset: 0, limit: 200 } : null);
  const found = asked.state === "answered" ? asked.value.prices.filter((price) => price.currency === currency) : [];
  const others = asked.state === "answered" ? asked.value.prices.length - found.length : 0;
  return (
    <div className="pick-quote">
      <TextLine label={say("vendor.pick")} value={text} onChange={setText} hint="p5.48xlarge us-east-1" />
      {isAsking && asked.state === "answered" && (
        <ul aria-labelledby={id}>
          <li id={id} className="for-readers">{say("vendor.pick.found", { count: found.length })}</li>
          {found.slice(0, mostShown).map((price) => {
            const quote = quoteOf(price, speech);
            return (
              <li key={quote.item}>
                <button type="button" className="link" onClick={() => { onPick(quote); setText(""); }}>{quote.item}</button>
                <span className="n">{moneyOf(speech, price.effectivePerHour, price.currency)}</span>
              </li>
            );
          })}
          {found.length > mostShown && <li className="muted">{say("vendor.pick.more", { count: found.length - mostShown })}</li>}
          {found.length === 0 && <li className="muted">{others > 0 ? say("vendor.pick.other-currency", { currency }) : say("vendor.pick.none")}</li>}
        </ul>
      )}
      <span className="for-readers" aria-live="polite">{isAsking && asked.state === "answered" ? words.count(found.length) : ""}</span>
    </div>
  );
}

/** Machine, place, way of buying and day of the price; the list price beside it where the book has one for the same. */
function quoteOf(price: BookPrice, speech: Pick<Speech, "say" | "words" | "language">): QuoteFields {
  const { origin, effectivePerHour, statedPerHour, discount, beaten, region, priceDate } = price;
  const place = region === "*" ? speech.say("prices.every-region") : region;
  const item = [`${providerText(speech, price.provider)} ${price.instanceType}`, place, modeText(speech, price), speech.words.instant(`${priceDate}T00:00:00Z`, "day")].join(comma(speech));
  const listed = origin === "list" ? statedPerHour : (beaten.find((other) => other.origin === "list" && other.currency === price.currency)?.pricePerHour ?? "");
  return { item, list: listed, quoted: origin === "list" && discount === null ? "" : effectivePerHour, validUntil: discount?.untilDay ?? "" };
}
