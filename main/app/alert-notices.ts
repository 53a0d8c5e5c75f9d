import type { LedgerEvent } from "../../shared/contract/events.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import type { Result } from "../../shared/result.ts";
import { alertText } from "../cli/budgets.ts";
import type { RaisedAlert } from "../cli/budgets.ts";
import type { Words } from "../../shared/i18n/format.ts";
import type { Language } from "../../shared/i18n/index.ts";

export interface Notice {
  readonly title: string;
  readonly body: string;
}

export interface AlertNotices {
  ask(question: MethodName, input: unknown): Promise<Result<unknown>>;
  wordsOf(language: Language): Promise<Words>;
  /** The language of the system, for whoever has not chosen one. */
  readonly systemLanguage: Language;
  show(notice: Notice): void;
  /** Calls back a little later: what a posting raises comes as several events. */
  later(work: () => Promise<void>): void;
}

/** Said one by one up to so many at once; more are one notice. */
const ONE_BY_ONE = 3;

/** Key of the setting; anything but `off` is on. */
export const ALERT_NOTICES = "notifications.budgets";

/**
 * Says on the desktop what budgets have to say: what happened, what to do and who decides, in the person's language. The engine raises an
 * alert once, so each is said once.
 */
export function alertNotices({ ask, wordsOf, systemLanguage, show, later }: AlertNotices): (event: LedgerEvent) => void {
  let waiting: RaisedAlert[] = [];
  const speak = async (): Promise<void> => {
    const alerts = waiting;
    waiting = [];
    const read = await ask("settings.read", {});
    const settings = read.ok ? (read.value as Readonly<Record<string, string>>) : {};
    if (settings[ALERT_NOTICES] === "off") return;
    const chosen = settings["window.language"];
    const words = await wordsOf(chosen === "en" || chosen === "zh-CN" ? chosen : systemLanguage);
    if (alerts.length > ONE_BY_ONE) {
      show({ title: words.say("notice.many", { count: new Set(alerts.map(({ budget }) => budget)).size }), body: words.say("notice.many.todo", { names: [...new Set(alerts.map(({ budgetName }) => budgetName))].join(words.language === "zh-CN" ? "、" : ", ") }) });
      return;
    }
    for (const alert of alerts) show({ title: words.say(`notice.${alert.type}`, { name: alert.budgetName }), body: alertText(alert, words) });
  };
  return (event) => {
    if (event.name !== "alert.raised") return;
    waiting.push(event.payload);
    if (waiting.length === 1) later(speak);
  };
}
