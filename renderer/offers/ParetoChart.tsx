import { useId, useMemo } from "react";
import type { OffersAnswer } from "../../shared/contract/offers.ts";
import { Chart } from "../charts/Chart.tsx";
import { scatterOption, type ScatterPoint } from "../charts/scatter.ts";
import { chartTokens } from "../charts/tokens.ts";
import { useTheme } from "../parts/media.ts";
import { SectionHead } from "../parts/SectionHead.tsx";
import { useSpeech } from "../words/WordsProvider.tsx";
import { gpusText } from "./shown.ts";

/** Cost against time, shaded by carbon; the table above has the numbers. */
export function ParetoChart({ answer }: { readonly answer: OffersAnswer }) {
  const speech = useSpeech();
  const { say, words } = speech;
  const id = useId();
  const theme = useTheme();
  const { currency } = answer;
  const option = useMemo(() => {
    const known = answer.ranked.flatMap(({ carbonKg }) => (carbonKg === null ? [] : [carbonKg]));
    const most = Math.max(0, ...known);
    const points: readonly ScatterPoint[] = answer.ranked.flatMap((line) => {
      const cost = Number(line.cost);
      if (!(cost > 0) || !(line.hours > 0)) return [];
      return [{ id: line.id, x: cost, y: line.hours, shade: line.carbonKg === null ? null : most === 0 ? 1 : 1 - line.carbonKg / most, name: line.isPareto ? `${gpusText(speech, line)} × ${line.accelerator}` : null }];
    });
    const font = words.language === "zh-CN" ? "12px 'Source Sans 3 Variable', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans SC Variable', sans-serif" : "12px 'Source Sans 3 Variable', sans-serif";
    const short = (value: number): string => words.number(value, { digits: value < 1 ? 2 : 0 });
    return scatterOption(points, { tokens: chartTokens[theme], font, xName: say("offers.chart.cost", { currency }), yName: say("offers.chart.hours"), xText: short, yText: short });
  }, [answer, theme, speech, say, words, currency]);
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={say("offers.chart.title")} note={say("offers.chart.note", { currency })} />
      <Chart option={option} height={300} summary={say("offers.chart.summary", { count: words.count(answer.ranked.length), front: words.count(answer.pareto.length) })} />
    </section>
  );
}
