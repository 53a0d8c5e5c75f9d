/** Numbers by index that grow as rows come, and the index of days of pairs. */

type Growable = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int8Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Twice as long, with what was there. */
export function grown<T extends Growable>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}

/** No day of any row. */
export const NO_DAY = -(2 ** 31);

/** Numbers days of pairs in the order they come: a hash table with open addresses. */
export interface DayIndex {
  readonly count: number;
  pairOf(index: number): number;
  dayOf(index: number): number;
  /** The number of a pair's day: a known one, or else the next, which is what `count` was before. */
  place(pair: number, day: number): number;
  clear(): void;
}

export function createDayIndex(size: number): DayIndex {
  let pairs = new Int32Array(size);
  let days = new Int32Array(size);
  let table = new Int32Array(size * 2);
  let count = 0;

  /** Where the pair's day stands in the table, or the free place for it. */
  function placeOf(pair: number, day: number): number {
    const mask = table.length - 1;
    let place = mixed(pair, day) & mask;
    for (;;) {
      const index = (table[place] as number) - 1;
      if (index === -1 || (pairs[index] === pair && days[index] === day)) return place;
      place = (place + 1) & mask;
    }
  }

  return {
    get count() {
      return count;
    },
    pairOf: (index) => pairs[index] as number,
    dayOf: (index) => days[index] as number,
    place(pair, day) {
      const place = placeOf(pair, day);
      const known = (table[place] as number) - 1;
      if (known !== -1) return known;
      const index = count;
      count += 1;
      if (index >= pairs.length) {
        pairs = grown(pairs);
        days = grown(days);
      }
      pairs[index] = pair;
      days[index] = day;
      table[place] = index + 1;
      if (count * 2 > table.length) {
        table = new Int32Array(table.length * 2);
        for (let each = 0; each < count; each += 1) table[placeOf(pairs[each] as number, days[each] as number)] = each + 1;
      }
      return index;
    },
    clear() {
      count = 0;
      table.fill(0);
    },
  };
}

function mixed(pair: number, day: number): number {
  const hash = Math.imul(pair, 0x9e3779b1) ^ Math.imul(day, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}
