/**
 * Unix time in seconds to nanoseconds, told apart by magnitude (below 1e11 s, 1e14 ms, 1e17 µs, else ns), in milliseconds; null if it is
 * none. Writers of JSON put long numbers with a point or an exponent, `1.7855784e+12`.
 */
export function instantOfEpoch(text: string): number | null {
  if (text.length > 32 || !/^\d+(?:\.\d+)?(?:e\+?\d{1,2})?$/i.test(text)) return null;
  const stated = Number(text);
  if (stated < 1e8 || stated >= 1e19) return null;
  return Math.round(stated < 1e11 ? stated * 1000 : stated < 1e14 ? stated : stated < 1e17 ? stated / 1e3 : stated / 1e6);
}
