import { useMemo, useState } from "react";
import type { LedgerStatus } from "../../shared/contract/methods.ts";
import { defaultTiers, type OfferLine, type OffersAnswer } from "../../shared/contract/offers.ts";
import type { Message } from "../../shared/contract/report.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { copyText } from "../parts/copy.ts";
import { Context, Sentence } from "../parts/Sentence.tsx";
import { Refused, Skeleton } from "../parts/states.tsx";
import { useNotice } from "../state/notice.ts";
import { needOf, useOffers } from "../state/offers.ts";
import type { Speech } from "../words/WordsProvider.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { offersCommand } from "./command.ts";
import { NeedForm } from "./NeedForm.tsx";
import { Rejected } from "./Rejected.tsx";
import { Ranked } from "./Ranked.tsx";
import { attosOf, modeText, moneyOf, placeText, providerText, unitText, whatText } from "./shown.ts";
import { SideBySide } from "./SideBySide.tsx";
import { Asics, Tiers } from "./Tiers.tsx";
import { ParetoChart } from "./ParetoChart.tsx";
import { useSettled } from "./useSettled.ts";

const FIRST = 12;
const STEP = 40;

/** What fits the need, from the least cost of its work, and why the rest does not. */
export function Find({ status }: { readonly status: LedgerStatus }) {
  const speech = useSpeech();
  const { say, language, words } = speech;
  const draft = useOffers((store) => store.draft);
  const { need: understood, wrong } = useMemo(() => needOf(draft), [draft]);
  const need = useSettled(understood);
  const [limit, setLimit] = useState(FIRST);
  const asked = useAsk("offers.find", need === null ? null : { need, tiers: [...defaultTiers], limit: limit + STEP, rejectedLimit: 200 });
  const info = useAsk("app.info", {});
  const tell = useNotice((store) => store.tell);
  const copy = async (): Promise<void> => {
    if (need === null) return;
    const command = offersCommand(need, { ledgerName: status.name, language, isPackaged: info.state === "answered" && info.value.isPackaged });
    tell({ text: say((await copyText(command)) ? "command.copied" : "command.shown"), detail: command });
  };
  const answer = asked.state === "answered" ? asked.value : null;
  const best = answer?.ranked[0];
  return (
    <div aria-busy={asked.state === "answered" && asked.isOld}>
      <div className="page-head">
        <h1>{say("offers.question")}</h1>
        <span className="actions"><button type="button" className="link" onClick={() => void copy()}>{say("action.copy-command")}</button></span>
      </div>
      {asked.state === "asking" && <Skeleton label={say("state.asking")} />}
      {asked.state === "refused" && <Refused error={asked.error} />}
      {answer !== null && (
        <>
          <Sentence message={best === undefined ? { key: "offers.answer.none", params: { rejected: { count: answer.rejectedTotal } } } : answerOf(best, answer, speech)} />
          <Context messages={best === undefined ? [] : contextOf(best, answer, words)} />
        </>
      )}
      <div className="offers-page">
        <NeedForm wrong={wrong} />
        {answer !== null && answer.ranked.length > 0 && <Ranked answer={answer} limit={limit} onMore={() => setLimit(limit + STEP)} />}
        {answer !== null && <SideBySide answer={answer} />}
        {answer !== null && (
          <div className="pair offers-pair">
            {answer.ranked.length > 0 ? <ParetoChart answer={answer} /> : <div />}
            <Rejected answer={answer} />
          </div>
        )}
        {answer !== null && answer.ranked.length > 0 && (
          <div className={answer.need.task === "inference" ? "pair" : "pair alone"}>
            <Tiers answer={answer} />
            {answer.need.task === "inference" && <Asics answer={answer} />}
          </div>
        )}
      </div>
    </div>
  );
}

function answerOf(best: OfferLine, answer: OffersAnswer, speech: Speech): Message {
  const cost = attosOf(best.costPer);
  const isSmall = cost < 10n ** 17n;
  return {
    key: "offers.answer",
    params: {
      what: { text: whatText(speech, best) },
      provider: { text: providerText(speech, best.provider) },
      place: { text: best.region === "*" ? speech.say("offers.place.every") : placeText(speech, best) },
      mode: { text: modeText(speech, best) },
      cost: isSmall ? { text: moneyOf(speech, best.costPer, answer.currency) } : { money: cost, currency: answer.currency },
      unit: { text: unitText(speech, answer) },
      total: { money: attosOf(best.cost), currency: answer.currency },
    },
  };
}

function contextOf(best: OfferLine, { mfuSource, mfuUsed, oldestPrice, newestPrice }: OffersAnswer, words: Speech["words"]): readonly Message[] {
  const day = (label: string): { readonly text: string } => ({ text: words.instant(`${label}T00:00:00Z`, "day") });
  return [
    best.atOnce > 1 ? { key: "offers.context.at-once", params: { hours: { number: best.hours, digits: 0 }, sets: { count: best.atOnce } } } : { key: "offers.context.hours", params: { hours: { number: best.hours, digits: 0 } } },
    ...(best.utilization < 1 ? [{ key: "offers.context.unused", params: { used: { ratio: best.utilization } } } satisfies Message] : []),
    { key: `offers.rates.${mfuSource}`, params: { mfu: { ratio: mfuUsed, digits: 1 } } },
    ...(oldestPrice === null || newestPrice === null ? [] : [{ key: "offers.context.dates", params: { oldest: day(oldestPrice), newest: day(newestPrice) } } satisfies Message]),
  ];
}
