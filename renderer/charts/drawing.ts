import type { EChartsCoreOption } from "echarts/core";

/** What a custom series may draw: the shapes of ECharts' graphic that we use. */
export type Shape =
  | { readonly type: "rect"; readonly shape: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }; readonly style: Style }
  | { readonly type: "line"; readonly shape: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number }; readonly style: Style }
  | { readonly type: "polyline" | "polygon"; readonly shape: { readonly points: readonly (readonly [number, number])[] }; readonly style: Style }
  | { readonly type: "circle"; readonly shape: { readonly cx: number; readonly cy: number; readonly r: number }; readonly style: Style }
  | { readonly type: "text"; readonly style: TextStyle };
interface Style {
  readonly fill?: string;
  readonly stroke?: string;
  readonly lineWidth?: number;
  readonly lineDash?: readonly number[];
}
interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly fill: string;
  readonly font: string;
  readonly verticalAlign: "middle" | "top";
  readonly align?: "left" | "right" | "center";
  readonly stroke?: string;
  readonly lineWidth?: number;
}
export type ChartOption = EChartsCoreOption;

/** An option that draws shapes in pixels of the chart; `draw` is called again when the chart's width changes. */
export function drawingOption(draw: (width: number, height: number) => readonly Shape[]): ChartOption {
  return {
    animation: false,
    grid: { left: 0, right: 0, top: 0, bottom: 0 },
    xAxis: { type: "value", show: false, min: 0, max: 1 },
    yAxis: { type: "value", show: false, min: 0, max: 1 },
    series: [
      {
        type: "custom",
        silent: true,
        clip: false,
        data: [0],
        renderItem: (_params: unknown, api: { getWidth(): number; getHeight(): number }) => ({ type: "group", children: draw(api.getWidth(), api.getHeight()) }),
      },
    ],
  };
}

/** The shapes of such an option at one size, for paper, where nothing changes its width any more. */
export function shapesOf(option: ChartOption, width: number, height: number): readonly Shape[] {
  const [series] = (option as unknown as { readonly series: readonly { renderItem(params: unknown, api: { getWidth(): number; getHeight(): number }): { readonly children: readonly Shape[] } }[] }).series;
  return series?.renderItem(null, { getWidth: () => width, getHeight: () => height }).children ?? [];
}

/** Slanted lines inside a box: what is not known. */
export function hatching(x: number, y: number, width: number, height: number, color: string, gap = 4): readonly Shape[] {
  const lines: Shape[] = [];
  for (let start = -height; start < width; start += gap) {
    const from = Math.max(0, start);
    const to = Math.min(width, start + height);
    if (to > from) lines.push({ type: "line", shape: { x1: x + from, y1: y + height - (from - start), x2: x + to, y2: y + height - (to - start) }, style: { stroke: color, lineWidth: 0.8 } });
  }
  return lines;
}

/** A filled box, one with an outline (the half thing), or hatched (unknown). Edges lie on whole pixels. */
export function box(x: number, y: number, width: number, height: number, fill: string, outline?: string): Shape {
  if (outline === undefined) return { type: "rect", shape: { x, y, width: Math.max(0, width), height }, style: { fill } };
  return { type: "rect", shape: { x: x + 0.5, y: y + 0.5, width: Math.max(0, width - 1), height: height - 1 }, style: { fill, stroke: outline, lineWidth: 1 } };
}
