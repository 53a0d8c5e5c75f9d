import type { ChartOption } from "../../../renderer/charts/drawing.ts";

export interface DrawnShape {
  readonly type: string;
  readonly shape?: { readonly x?: number; readonly y?: number; readonly width?: number; readonly height?: number };
  readonly style: { readonly fill?: string; readonly stroke?: string; readonly text?: string };
}

/** What an option draws at a width and height, as ECharts would ask for it. */
export function shapesOf(option: ChartOption, width: number, height: number): readonly DrawnShape[] {
  const [series] = option["series"] as readonly { readonly renderItem: (params: unknown, api: unknown) => { readonly children: readonly DrawnShape[] } }[];
  return series!.renderItem({}, { getWidth: () => width, getHeight: () => height }).children;
}
