import type { Shape } from "../charts/drawing.ts";

/** Shapes of a chart as SVG. A slice of a taller drawing is one row of it: `top` is where it starts. */
export function Shapes({ shapes, width, height, top = 0 }: { readonly shapes: readonly Shape[]; readonly width: number; readonly height: number; readonly top?: number }) {
  return (
    <svg width={width} height={height} viewBox={`0 ${top} ${width} ${height}`} aria-hidden="true">
      {shapes.map((each, index) => <Drawn key={index} shape={each} />)}
    </svg>
  );
}

function Drawn({ shape: each }: { readonly shape: Shape }) {
  if (each.type === "text") {
    const { x, y, text, fill, align = "left" } = each.style;
    return <text className="sum" x={x} y={y} fill={fill} textAnchor={align === "left" ? "start" : align === "right" ? "end" : "middle"} dominantBaseline="central">{text}</text>;
  }
  const { fill = "none", stroke = "none", lineWidth = 1, lineDash } = each.style;
  const paint = { fill, stroke, strokeWidth: lineWidth, ...(lineDash === undefined ? {} : { strokeDasharray: lineDash.join(" ") }) };
  switch (each.type) {
    case "rect":
      return <rect {...each.shape} {...paint} />;
    case "line":
      return <line {...each.shape} {...paint} />;
    case "circle":
      return <circle {...each.shape} {...paint} />;
    case "polyline":
    case "polygon":
      return <path d={each.shape.points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("") + (each.type === "polygon" ? "Z" : "")} {...paint} />;
  }
}

/** Whether a shape shows between two heights, so that a slice holds no more than its own. */
export function isWithin(shape: Shape, top: number, bottom: number): boolean {
  const [from, to] = heightsOf(shape);
  return to >= top && from <= bottom;
}

function heightsOf(shape: Shape): readonly [number, number] {
  switch (shape.type) {
    case "text":
      return [shape.style.y, shape.style.y];
    case "rect":
      return [shape.shape.y, shape.shape.y + shape.shape.height];
    case "line":
      return [Math.min(shape.shape.y1, shape.shape.y2), Math.max(shape.shape.y1, shape.shape.y2)];
    case "circle":
      return [shape.shape.cy - shape.shape.r, shape.shape.cy + shape.shape.r];
    case "polyline":
    case "polygon": {
      const heights = shape.shape.points.map(([, y]) => y);
      return [Math.min(...heights), Math.max(...heights)];
    }
  }
}
