import { act, render } from "@testing-library/react";
import type { RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";
import type { EventName } from "../../shared/contract/events.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import type { Language } from "../../shared/i18n/index.ts";
import type { Result } from "../../shared/result.ts";
import type { Bridge } from "../../renderer/ledger/client.ts";
import { createClient } from "../../renderer/ledger/client.ts";
import { LedgerProvider } from "../../renderer/ledger/LedgerProvider.tsx";
import { useDesk } from "../../renderer/state/desk.ts";
import { useNotice } from "../../renderer/state/notice.ts";
import { usePanel } from "../../renderer/state/panel.ts";
import { usePreferences } from "../../renderer/state/preferences.ts";
import { firstView, useView } from "../../renderer/state/view.ts";
import { createI18n, WordsProvider } from "../../renderer/words/WordsProvider.tsx";

export type Answers = { readonly [N in MethodName]?: Result<unknown> | ((input: never) => Result<unknown>) };

export interface TestWindow extends RenderResult {
  /** Every question asked, in order. */
  readonly asked: { readonly name: string; readonly input: unknown }[];
  readonly tell: (name: EventName, payload: unknown) => void;
  /** Keys of the catalogs that were asked for and are not there. */
  readonly missing: string[];
}

/** The window's pieces over a carrier that gives the answers of a list; a question not in it is never answered. */
export function showWindow(content: ReactNode, { answers = {}, language = "en" }: { readonly answers?: Answers; readonly language?: Language } = {}): TestWindow {
  const asked: TestWindow["asked"] = [];
  const missing: string[] = [];
  const hearers = new Map<EventName, Set<(payload: unknown) => void>>();
  const bridge: Bridge = {
    ask(name, input) {
      asked.push({ name, input });
      const known = answers[name as MethodName];
      if (known === undefined) return new Promise(() => undefined);
      return Promise.resolve(typeof known === "function" ? known(input as never) : known);
    },
    on(name, hear) {
      const known = hearers.get(name) ?? new Set();
      hearers.set(name, known.add(hear));
      return () => void known.delete(hear);
    },
    dropped: (files) => Promise.resolve(files.map(({ name }) => ({ token: name, name }))),
  };
  (window as unknown as { readonly happyDOM: { setViewport(size: { width: number; height: number }): void } }).happyDOM.setViewport({ width: 1440, height: 900 });
  usePreferences.setState({ language, theme: "light", negative: "minus" });
  useView.setState(firstView);
  usePanel.setState({ explained: null, rowsOf: null });
  useDesk.getState().clear();
  useNotice.setState({ notice: null });
  const shown = render(
    <WordsProvider i18n={createI18n((key) => missing.push(key))}>
      <LedgerProvider client={createClient(bridge)}>{content}</LedgerProvider>
    </WordsProvider>,
  );
  return { ...shown, asked, missing, tell: (name, payload) => act(() => hearers.get(name)?.forEach((hear) => hear(payload))) };
}
