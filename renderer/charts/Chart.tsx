import { useEffect, useRef } from "react";
import { CustomChart } from "echarts/charts";
import { GridComponent } from "echarts/components";
import { init, use as register } from "echarts/core";
import type { ECharts } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import type { ChartOption } from "./drawing.ts";

register([CustomChart, GridComponent, SVGRenderer, CanvasRenderer]);

interface ChartProps {
  readonly option: ChartOption;
  /** One sentence for those who do not see it; the numbers stand in the table beside or under it. Null: the table says it all. */
  readonly summary: string | null;
  readonly className?: string;
  readonly height: number;
  readonly renderer?: "svg" | "canvas";
}

/** Holds a chart: draws the option, follows the width. What is drawn is decided by a pure function elsewhere. */
export function Chart({ option, summary, className = "", height, renderer = "svg" }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  const latest = useRef(option);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0) return;
      if (chart.current === null) {
        chart.current = init(element, null, { renderer });
        chart.current.setOption(latest.current);
      } else chart.current.resize({ animation: { duration: 0 } });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.current?.dispose();
      chart.current = null;
    };
  }, [renderer]);
  useEffect(() => {
    latest.current = option;
    chart.current?.setOption(option, { notMerge: true });
  }, [option]);
  return <div ref={place} className={`chart ${className}`} style={{ height }} {...(summary === null ? { "aria-hidden": true } : { role: "img", "aria-label": summary })} />;
}
