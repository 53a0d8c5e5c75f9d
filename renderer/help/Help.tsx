import { useEffect, useMemo, useRef } from "react";
import { helpPages } from "../../shared/contract/help.ts";
import { useAsk } from "../ledger/useAsk.ts";
import { Refused } from "../parts/states.tsx";
import { addressOf, useView, viewOf } from "../state/view.ts";
import { useSpeech } from "../words/WordsProvider.tsx";
import { Markdown } from "./Markdown.tsx";
import { readMarkdown } from "./markdown.ts";

/** The help: its pages on the left, the one that is read beside them. Its address is `#/help/PAGE/SECTION`. `hasOwnBack`: a way back is around it. */
export function Help({ hasOwnBack = false }: { readonly hasOwnBack?: boolean }) {
  const { say, language } = useSpeech();
  const view = useView();
  const [named, section = null] = (view.help ?? "").split("/", 2);
  const page = helpPages.find((known) => known === named) ?? helpPages[0];
  const contents = useAsk("help.list", { language });
  const asked = useAsk("help.read", { page, language });
  const text = asked.state === "answered" && asked.value.page === page ? asked.value.text : null;
  const blocks = useMemo(() => (text === null ? [] : readMarkdown(text)), [text]);
  const article = useRef<HTMLElement>(null);
  const addressTo = (toPage: string | null, toSection: string | null): string =>
    addressOf({ ...viewOf(view), screen: "help", help: [toPage ?? page, ...(toSection === null ? [] : [toSection])].join("/") });
  useEffect(() => {
    if (text === null) return;
    // After the frame has put the page to its top.
    const frame = requestAnimationFrame(() => {
      const heading = section === null ? null : article.current?.querySelector<HTMLElement>(`#help-${section}`);
      if (heading) {
        heading.scrollIntoView({ block: "start" });
        heading.focus({ preventScroll: true });
      } else article.current?.closest(".page")?.scrollTo({ top: 0 });
    });
    return () => cancelAnimationFrame(frame);
  }, [text, page, section]);
  return (
    <div className="help">
      <nav aria-label={say("help.pages")}>
        {contents.state === "answered" && (
          <ul>
            {contents.value.map((entry) => (
              <li key={entry.page}>
                <a href={addressTo(entry.page, null)} aria-current={entry.page === page ? "page" : undefined}>{entry.title}</a>
                {entry.page === page && entry.sections.length > 0 && (
                  <ul aria-label={say("help.sections")}>
                    {entry.sections.map(({ id, title }) => <li key={id}><a href={addressTo(page, id)} aria-current={id === section ? "location" : undefined}>{title}</a></li>)}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        )}
      </nav>
      <article ref={article} lang={language}>
        {!hasOwnBack && history.length > 1 && <button type="button" className="link back" onClick={() => history.back()}>{say("help.back")}</button>}
        {asked.state === "refused" && <><h1>{say("screen.help")}</h1><Refused error={asked.error} /></>}
        {asked.state !== "refused" && text === null && <><h1>{say("screen.help")}</h1><p className="context" role="status">{say("state.asking")}</p></>}
        <Markdown blocks={blocks} addressTo={addressTo} />
      </article>
    </div>
  );
}
