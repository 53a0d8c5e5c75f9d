/** Chance from a seed: sfc32 over whole numbers, so that every machine draws the same. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** At least `low`, less than `high`. */
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  /** So many lower-case hexadecimal digits. */
  hex(digits: number): string;
}

export function randomOf(seed: string): Random {
  let [a, b, c] = [hashOf(seed, 0x9e3779b9), hashOf(seed, 0x85ebca6b), hashOf(seed, 0xc2b2ae35)];
  let counter = 1;
  function next(): number {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }
  for (let round = 0; round < 12; round += 1) next();
  const between = (low: number, high: number): number => low + next() * (high - low);
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    hex: (digits) => Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join(""),
  };
}

/** FNV-1a from a given start. */
function hashOf(text: string, start: number): number {
  let hash = start | 0;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}
