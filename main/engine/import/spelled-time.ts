/** Parts of timestamps in words: names of months and zones, and Chinese dates. English and Chinese only. */

/** What ms of the day a clock of twelve hours shows in a half of the day, `a` or `p`; null if it is none. */
export function afternoonOf(ms: number, half: string): number | null {
  const hour = Math.floor(ms / HOUR_MS);
  if (hour < 1 || hour > 12) return null;
  const isAfternoon = half.toLowerCase() === "p";
  return ms + (isAfternoon && hour < 12 ? 12 : !isAfternoon && hour === 12 ? -12 : 0) * HOUR_MS;
}
const HOUR_MS = 3_600_000;

/**
 * Offsets of zones that an abbreviation names alone, in minutes east of UTC. What several zones are called (`CST` in Chicago, Shanghai and
 * Havana, `IST`, `BST`, `AST`) says nothing: then the clock is that of the zone the person gives.
 */
const offsets: Readonly<Record<string, number | null>> = {
  Z: 0, UTC: 0, GMT: 0, WET: 0, WEST: 60, CET: 60, CEST: 120, EET: 120, EEST: 180, MSK: 180, PKT: 300, ICT: 420, WIB: 420, HKT: 480, SGT: 480, AWST: 480, JST: 540, KST: 540,
  ACST: 570, ACDT: 630, AEST: 600, AEDT: 660, NZST: 720, NZDT: 780, EST: -300, EDT: -240, CDT: -300, MST: -420, MDT: -360, PST: -480, PDT: -420, AKST: -540, AKDT: -480, HST: -600, BRT: -180, ART: -180,
  CST: null, IST: null, BST: null, AST: null, ADT: null, GST: null,
};

/** `UTC`, `PDT`, `GMT+0200 (Central European Summer Time)`, `UTC+08:00`; null for what is no zone. `offsetMinutes` null: a name of several zones. */
export function zoneOfWord(word: string): { readonly offsetMinutes: number | null } | null {
  const found = /^([A-Za-z]{1,5})(?:([+-])(\d{1,2}):?(\d{2})?)?(?: *\([^)]*\))?$/.exec(word.trim());
  if (found === null) return null;
  const [, name = "", sign, hours = "0", minutes = "0"] = found;
  const key = name.toUpperCase();
  if (!Object.hasOwn(offsets, key)) return null;
  const base = offsets[key] ?? null;
  if (sign === undefined) return { offsetMinutes: base };
  if (base !== 0 || Number(hours) > 18 || Number(minutes) > 59) return null;
  return { offsetMinutes: (sign === "+" ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) };
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
function monthOf(name: string): number {
  return /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/i.test(name) ? months.indexOf(name.slice(0, 3).toLowerCase()) + 1 : 0;
}

export interface SpelledTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** The time of day, perhaps with the half of the day, and the zone. */
  readonly clock: string;
}

const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b[,.]? */i;
const monthThenDay = /^([a-z]{3,9})\.? +(\d{1,2})(?:st|nd|rd|th)?,?(?: +(\d{4}),?)?(?: *@| +at)? +(\d{1,2}:\d{2}.*)$/i;
const dayThenMonth = /^(\d{1,2})[ /-]+([a-z]{3,9})\.?(?:[ /-]+(\d{4}))?,?(?: *@| +at)?[ :]+(\d{1,2}:\d{2}.*)$/i;
/** The year behind the clock, before or after its zone. */
const yearBehind = /^(.*?\d)(.*?) +(\d{4})((?: +[A-Za-z]{1,5})?)$/;

/**
 * `Tue Sep  1 10:00:00 UTC 2026`, `Tue Sep 01 2026 10:00:00 GMT+0200 (…)`, `Tue, 01 Sep 2026 10:00:00 GMT`, `Tue  1 Sep 10:00:00 AM CEST 2026`,
 * `Sep 1, 2026 @ 10:00:00.000`, `01/Sep/2026:10:00:00 +0000`; null for what is none.
 */
export function spelledTime(text: string): SpelledTime | null {
  const bare = text.trim().replace(weekday, "");
  const byMonth = monthThenDay.exec(bare);
  const byDay = byMonth === null ? dayThenMonth.exec(bare) : null;
  const found = byMonth ?? byDay;
  if (found === null) return null;
  const [name, day] = byMonth === null ? [found[2], found[1]] : [found[1], found[2]];
  const month = monthOf(name ?? "");
  if (month === 0) return null;
  const rest = found[4] ?? "";
  if (found[3] !== undefined) return { year: Number(found[3]), month, day: Number(day), clock: rest };
  const behind = yearBehind.exec(rest);
  if (behind === null) return null;
  const [, clock = "", middle = "", year = "", zone = ""] = behind;
  return { year: Number(year), month, day: Number(day), clock: `${clock}${middle}${zone}` };
}

/** `2026年9月1日 10:03:00`, `2026年9月1日10时3分0秒`, `2026/9/1 下午1:03:00` in digits; null for what is none. */
export function plainDate(text: string): string | null {
  const found = /^(\d{4})[年/-](\d{1,2})[月/-](\d{1,2})日? *(上午|下午|凌晨|早上|中午|晚上)? *(\d{1,2})(?:[:：]|时|点)(\d{1,2})(?:[:：]|分)?(?:(\d{1,2}(?:[.,]\d+)?)秒?)?( *[\w+:-]*)$/u.exec(text.trim());
  if (found === null) return null;
  const [, year = "", month = "", day = "", half, hour = "", minute = "", second = "0", zone = ""] = found;
  const two = (number: string): string => number.padStart(2, "0");
  const isAfternoon = half === "下午" || half === "晚上" || (half === "中午" && Number(hour) < 11);
  const isTwelve = half !== undefined && Number(hour) >= 1 && Number(hour) <= 12;
  return `${year}-${two(month)}-${two(day)} ${hour}:${two(minute)}:${second.replace(/^(\d)(?!\d)/, "0$1")}${isTwelve ? (isAfternoon || (half === "中午" && hour === "12") ? " PM" : " AM") : ""}${zone}`;
}
