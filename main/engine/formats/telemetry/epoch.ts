/** Unix time in seconds to nanoseconds, told apart by magnitude (below 1e11 s, 1e14 ms, 1e17 µs, else ns), in milliseconds; null if it is none. */
export function instantOfEpoch(text: string): number | null {
  if (!/^\d{9,19}(?:\.\d+)?$/.test(text)) return null;
  const stated = Number(text);
  if (stated < 1e8) return null;
  return Math.round(stated < 1e11 ? stated * 1000 : stated < 1e14 ? stated : stated < 1e17 ? stated / 1e3 : stated / 1e6);
}
