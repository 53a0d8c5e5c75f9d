import type { DimensionRow, FileSurvey } from "../format.ts";
import { lookForOrder } from "./date-order.ts";

/**
 * Which component of an instance carries its hours. An hour of one instance is several rows (processor, memory, GPU, disk, traffic), each
 * with that hour, so that only one of them may count: the GPU or the whole machine before the processor, and never what is no computing.
 * Names vary, so that it is found out from the file: of two components that stand in one hour of one instance the lesser one never counts
 * in its subproduct. The order of dates that a spreadsheet saved is found out beside it.
 *
 * bounds  the first 50,000 instance-hours are looked at: what stands beside what is the same all through a file
 */
export const componentSurvey: FileSurvey = {
  columns: [["InstanceID"], ["UsageStartTime"], ["SubproductName"], ["ComponentType"], ["ComponentName"], ["UsageStartTime", "TransactionTime"], ["UsageEndTime"], ["TransactionTime"]],
  begin(columns) {
    const best = new Map<string, string>();
    const lesser = new Set<string>();
    const dates = lookForOrder();
    let hasMoreDates = true;
    let hasMoreComponents = columns.has("componentname") || columns.has("componenttype");

    /** Ranks the row's component against the others of its hour; false once enough was seen. */
    function compare([instance, start, subproduct, type, name]: readonly (string | null)[]): boolean {
      const component = componentOf(type ?? null, name ?? null);
      if (instance === null || instance === undefined || rankOf(component) === NEVER) return true;
      const place = `${subproduct ?? ""}\u0001${instance}\u0001${start ?? ""}`;
      const known = best.get(place);
      if (known === undefined) best.set(place, component);
      else if (known !== component) {
        const isBetter = rankOf(component) < rankOf(known) || (rankOf(component) === rankOf(known) && component < known);
        lesser.add(key(subproduct ?? null, isBetter ? known : component));
        if (isBetter) best.set(place, component);
      }
      return best.size < MOST_PLACES;
    }
    return {
      row(texts) {
        hasMoreDates &&= dates.row(texts.slice(FIRST_DATE));
        hasMoreComponents &&= compare(texts);
        return hasMoreDates || hasMoreComponents;
      },
      finish: () => dates.finding("UsageStartTime", { dataset: isConsumption(columns) ? "consumption" : "detail", lesserComponents: JSON.stringify([...lesser].sort()) }),
    };
  },
};

/** Columns that only the consumption bill (消耗账单) has. */
function isConsumption(columns: ReadonlySet<string>): boolean {
  return columns.has("consumptionmonth") || columns.has("consumptiontype");
}

/** Whether the hours of this row are those of its machine. */
export function carriesHours(row: DimensionRow): boolean {
  const component = componentOf(row.text("ComponentType"), row.text("ComponentName"));
  if (rankOf(component) === NEVER) return false;
  return !lesserOf(row.fact("lesserComponents") ?? "[]").has(key(row.text("SubproductName"), component));
}

/** Where the dates begin among the survey's columns. */
const FIRST_DATE = 5;
const MOST_PLACES = 50_000;
const NEVER = 9;

function componentOf(type: string | null, name: string | null): string {
  return `${type?.trim() ?? ""}\u0002${name?.trim() ?? ""}`;
}

function key(subproduct: string | null, component: string): string {
  return `${subproduct?.trim() ?? ""}\u0001${component}`;
}

/** By the kind of component, and by its name where the kind says nothing. */
function rankOf(component: string): number {
  const [type = "", name = ""] = component.split("\u0002");
  if (/gpu|显卡|加速卡/i.test(type)) return 0;
  if (notComputing.test(type)) return NEVER;
  if (/cpu|处理器|vcpu/i.test(type)) return 3;
  if (notComputing.test(name)) return NEVER;
  if (/(?:^|[^A-Za-z])gpu(?![A-Za-z])|显卡|加速卡/i.test(name) && !/内存|memory/i.test(name)) return 0;
  if (/cpu|处理器/i.test(name)) return 3;
  return 2;
}

const notComputing = /内存|memory|\bram\b|硬盘|云盘|系统盘|数据盘|磁盘|存储|快照|带宽|流量|网络|公网|\bIP\b|镜像|授权|license|disk|storage|snapshot|bandwidth|traffic|network|image|volume|CBS\b/i;

let lastText = "[]";
let lastSet: ReadonlySet<string> = new Set();
function lesserOf(text: string): ReadonlySet<string> {
  if (text !== lastText) {
    lastText = text;
    lastSet = new Set(JSON.parse(text) as string[]);
  }
  return lastSet;
}
