export interface SparklinePaths {
  readonly line: string;
  readonly hatch: string;
  readonly end: { readonly x: number; readonly y: number } | null;
}

/**
 * Paths of a sparkline, oldest value first. Null breaks the line and is hatched; a lone known value between two unknown
 * ones is a short dash. All equal values lie in the middle.
 */
export function sparkline(values: readonly (number | bigint | null)[], width: number, height: number): SparklinePaths {
  const numbers = values.map((value) => (value === null ? null : Number(value)));
  const known = numbers.filter((value) => value !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const step = values.length > 1 ? (width - 7) / (values.length - 1) : 0;
  const x = (index: number): number => 3 + index * step;
  const y = (value: number): number => (high === low ? height / 2 : height - 4 - ((value - low) / (high - low)) * (height - 8));
  let line = "";
  let hatch = "";
  numbers.forEach((value, index) => {
    if (value === null) {
      for (let top = 2; top < height - 3; top += 4) hatch += `M${round(x(index) - 4)} ${top + 3}l8 -5`;
      return;
    }
    const follows = index > 0 && numbers[index - 1] !== null;
    line += `${follows ? "L" : "M"}${round(x(index))} ${round(y(value))}`;
    const stands = !follows && (index + 1 >= numbers.length || numbers[index + 1] === null);
    if (stands) line += "h3";
  });
  const last = numbers.at(-1);
  return { line, hatch, end: last === null || last === undefined ? null : { x: round(x(numbers.length - 1)), y: round(y(last)) } };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
