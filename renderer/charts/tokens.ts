/** Colours by meaning, as styles/tokens.css has them, in sRGB: charts draw on surfaces that read no CSS variables. */
export interface ChartTokens {
  readonly ground: string;
  readonly rule: string;
  readonly ruleStrong: string;
  readonly ink: string;
  readonly inkSecond: string;
  readonly muted: string;
  readonly useful: string;
  readonly usefulHalf: string;
  readonly idle: string;
  readonly idleHalf: string;
  readonly committed: string;
  readonly committedSoft: string;
  readonly hatch: string;
  readonly heat: readonly [string, string, string, string, string, string];
}

export const chartTokens: Readonly<Record<"light" | "dark", ChartTokens>> = {
  light: {
    ground: "#fcfbf9", rule: "#dcdbd8", ruleStrong: "#8d8c87", ink: "#191c22", inkSecond: "#42454c", muted: "#5c5f66",
    useful: "#068683", usefulHalf: "#95cac7", idle: "#bb7c1e", idleHalf: "#e6c27e", committed: "#5650b2", committedSoft: "#e4e6fc", hatch: "#82807b",
    heat: ["#e0edeb", "#b6cecc", "#8cafae", "#639291", "#387575", "#00595a"],
  },
  dark: {
    ground: "#121418", rule: "#2f3237", ruleStrong: "#696c72", ink: "#ebe9e5", inkSecond: "#c4c2bd", muted: "#9b9ea5",
    useful: "#46b2ac", usefulHalf: "#225d5d", idle: "#dba549", idleHalf: "#7f5c25", committed: "#8c86e3", committedSoft: "#292743", hatch: "#787a7f",
    heat: ["#1a373a", "#285054", "#366c6e", "#46888a", "#56a6a5", "#67c5c1"],
  },
};

/** Colour of a utilization of 5 to 100 percent, mixed between the six steps. */
export function heatColor(tokens: ChartTokens, percent: number): string {
  const place = Math.max(0, Math.min(4.999, ((percent - 5) / 95) * 5));
  const step = Math.floor(place);
  return mix(tokens.heat[step] ?? tokens.heat[0], tokens.heat[step + 1] ?? tokens.heat[5], place - step);
}

function mix(from: string, to: string, share: number): string {
  const channels = (hex: string): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  const target = channels(to);
  return `#${channels(from).map((value, index) => Math.round(value + ((target[index] ?? value) - value) * share).toString(16).padStart(2, "0")).join("")}`;
}
