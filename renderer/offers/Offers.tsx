import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { useOffers } from "../state/offers.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { offersSections } from "./sections.ts";

/** Which GPU, where, and how bought? What fits a need, what the person measured, and what everything costs. */
export function Offers({ status }: { readonly status: LedgerStatus }) {
  const { say } = useSpeech();
  const tab = useOffers((store) => store.tab);
  const show = useOffers((store) => store.show);
  return (
    <Tabs className="offers" selectedKey={tab} onSelectionChange={(key) => show(String(key))}>
      <TabList className="tabs" aria-label={say("offers.tabs")}>
        {offersSections.map(({ id, title }) => <Tab key={id} id={id} className="tab">{say(title)}</Tab>)}
      </TabList>
      {offersSections.map(({ id, Part }) => <TabPanel key={id} id={id} className="offers-part"><Part status={status} /></TabPanel>)}
    </Tabs>
  );
}
