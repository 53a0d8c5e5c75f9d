import { sparkline } from "../charts/sparkline.ts";

/** A line over months that breaks where a month is unknown; the unknown months are hatched. Its table is the sentence beside it. */
export function Sparkline({ values, summary, width = 120, height = 40 }: { readonly values: readonly (number | bigint | null)[]; readonly summary: string; readonly width?: number; readonly height?: number }) {
  const { line, hatch, end } = sparkline(values, width, height);
  return (
    <svg className="sparkline" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
      <path className="spark-hatch" d={hatch} />
      <path className="spark-line" d={line} />
      {end !== null && <circle className="spark-end" cx={end.x} cy={end.y} r={2.6} />}
    </svg>
  );
}
