import { useAsk } from "../ledger/useAsk.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useOffers } from "../state/offers.ts";
import { useView } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";

/** How old the app's prices are, what of the person's own wins over them, and the way to the price book. */
export function Prices() {
  const { say, words } = useSpeech();
  const look = useView((view) => view.look);
  const show = useOffers((store) => store.show);
  const asked = useAsk("prices.list", { text: "", provider: null, mode: null, origin: null, on: null, offset: 0, limit: 1 });
  const list = asked.state === "answered" ? asked.value : null;
  const day = (label: string): string => words.instant(`${label}T00:00:00Z`, "day");
  const oldest = list?.lists.map((each) => each.oldest).sort()[0];
  const newest = list?.lists.map((each) => each.newest).sort().at(-1);
  return (
    <section aria-label={say("settings.prices")}>
      <SectionHead title={say("settings.prices")} />
      {list !== null && oldest !== undefined && newest !== undefined && (
        <p className="prose">{say("settings.prices.text", { prices: words.count(list.lists.reduce((sum, { prices }) => sum + prices, 0)), oldest: day(oldest), newest: day(newest) })}</p>
      )}
      {list !== null && <p className="prose">{say("settings.prices.yours", { own: words.count(list.own.length), discounts: words.count(list.discounts.length), sheets: words.count(list.sheets.length) })}</p>}
      <p className="actions"><button type="button" className="link" onClick={() => { show("prices"); look({ screen: "offers" }); }}>{say("settings.prices.open")}</button></p>
    </section>
  );
}
