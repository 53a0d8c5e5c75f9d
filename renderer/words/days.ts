import type { Language } from "../../shared/i18n/index.ts";

/** "Mon 21" or "21日 周一" of a UTC day, as the head of a day's hours. */
export function dayLabel(at: number, language: Language): string {
  const weekday = new Intl.DateTimeFormat(language === "zh-CN" ? "zh-CN" : "en-US", { weekday: "short", timeZone: "UTC" }).format(at);
  const day = new Date(at).getUTCDate();
  return language === "zh-CN" ? `${day}日 ${weekday}` : `${weekday} ${day}`;
}
