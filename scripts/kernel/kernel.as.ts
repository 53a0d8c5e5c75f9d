/**
 * The scanner's kernel: AssemblyScript, compiled by `node scripts/kernel.mjs` into main/engine/import/scan/kernel-bytes.ts.
 *
 * Memory: [0, 64) the answer, [64, 2048) ranges of columns to hash, [4096, 36864) ends of fields, [36864, 49152) lists of cells to read as
 * decimals, [49152, 65536) what was read, text from 65536 on, followed by at least 16 line feeds. The text is the scanner's; places in it are addresses. scan/plain-finder.ts does the same in TypeScript, and says what a
 * record is; a test lets both read the same texts.
 */

const ANSWER: usize = 0;
const RANGES: usize = 64;
const ENDS: usize = 4096;
const MOST_ENDS: i32 = 8192;
const NANOS: usize = 49152;
const RESTS: usize = 53248;
const STATES: usize = 57344;
const LINE_FEED: u8 = 10;
const RETURN: u8 = 13;
const QUOTE: u8 = 34;

/**
 * Finds one whole record from `start` on. 0: it goes on beyond `limit`; 1: found; 2: a blank line.
 * Answer: where the next one begins, number of fields, end of the last field, line ends inside quotes, whether the text ended inside quotes.
 */
export function findRecord(start: usize, limit: usize, delimiter: u8, isAtEnd: bool): i32 {
  const delimiters = i8x16.splat(<i8>delimiter);
  const lineFeeds = i8x16.splat(<i8>LINE_FEED);
  const quotes = i8x16.splat(<i8>QUOTE);
  let at = start;
  let count = 0;
  let lines = 0;
  let fieldStart = start;
  let isInside = false;
  // Whether `at` is the first byte of a field.
  let isFieldStart = true;
  while (true) {
    if (isFieldStart && at < limit && load<u8>(at) === QUOTE) {
      isInside = true;
      at += 1;
      while (true) {
        const block = v128.load(at);
        const marks = i8x16.bitmask(v128.or(i8x16.eq(block, quotes), i8x16.eq(block, lineFeeds)));
        if (marks === 0) {
          at += 16;
          continue;
        }
        at += <usize>ctz(marks);
        if (at >= limit) break;
        if (load<u8>(at) === LINE_FEED) {
          lines += 1;
          at += 1;
          continue;
        }
        if (at + 1 < limit && load<u8>(at + 1) === QUOTE) {
          at += 2;
          continue;
        }
        at += 1;
        isInside = false;
        break;
      }
    }
    isFieldStart = false;
    // Ends of fields, a block at a time; what follows a closing quote belongs to the field.
    let end: usize = 0;
    while (true) {
      const block = v128.load(at);
      let ofFields: i32 = i8x16.bitmask(i8x16.eq(block, delimiters));
      const ofLines: i32 = i8x16.bitmask(i8x16.eq(block, lineFeeds));
      if ((ofFields | ofLines) === 0) {
        at += 16;
        continue;
      }
      if (ofLines !== 0) ofFields &= (1 << ctz(ofLines)) - 1;
      // A field of this block that begins with a quote: those before it end as they are, and it is read from its quote on.
      const quoted: i32 = (ofFields << 1) & i8x16.bitmask(i8x16.eq(block, quotes));
      if (quoted !== 0) {
        const first = ctz(quoted);
        ofFields &= (1 << first) - 1;
        while (ofFields !== 0) {
          if (count < MOST_ENDS) store<i32>(ENDS + (<usize>count << 2), <i32>(at + <usize>ctz(ofFields)));
          count += 1;
          ofFields &= ofFields - 1;
        }
        at += <usize>first;
        fieldStart = at;
        isFieldStart = true;
        break;
      }
      while (ofFields !== 0) {
        const place = at + <usize>ctz(ofFields);
        if (count < MOST_ENDS) store<i32>(ENDS + (<usize>count << 2), <i32>place);
        count += 1;
        fieldStart = place + 1;
        ofFields &= ofFields - 1;
      }
      if (ofLines !== 0) {
        end = at + <usize>ctz(ofLines);
        break;
      }
      at += 16;
      if (fieldStart === at) {
        isFieldStart = true;
        break;
      }
    }
    if (isFieldStart) continue;

    if (end >= limit) {
      if (!isAtEnd) return 0;
      end = limit;
    }
    const next = end + 1;
    if (end > fieldStart && load<u8>(end - 1) === RETURN) end -= 1;
    store<i32>(ANSWER, <i32>next);
    if (count === 0 && end === start) return 2;
    if (count < MOST_ENDS) store<i32>(ENDS + (<usize>count << 2), <i32>end);
    store<i32>(ANSWER + 4, count + 1);
    store<i32>(ANSWER + 8, <i32>end);
    store<i32>(ANSWER + 12, lines);
    store<i32>(ANSWER + 16, isInside ? 1 : 0);
    return 1;
  }
}

/**
 * Two hashes of 32 bits of what lies in some ranges of columns, as bytes, and of how long each range is. A range is two numbers at RANGES:
 * its first and its last column. Answer: both hashes.
 */
export function hashRanges(start: usize, rangeCount: i32): void {
  let a: u64 = 0x9e3779b97f4a7c15;
  let b: u64 = 0xc2b2ae3d27d4eb4f;
  for (let range = 0; range < rangeCount; range += 1) {
    const place = RANGES + (<usize>range << 3);
    const first = load<i32>(place);
    let at = first === 0 ? start : <usize>load<i32>(ENDS + (<usize>(first - 1) << 2)) + 1;
    const end = <usize>load<i32>(ENDS + (<usize>load<i32>(place + 4) << 2));
    a = mix(a, <u64>(end - at), 0x9e3779b185ebca87);
    while (at + 16 <= end) {
      a = mix(a, load<u64>(at), 0x9e3779b185ebca87);
      b = mix(b, load<u64>(at + 8), 0xc2b2ae3d27d4eb4f);
      at += 16;
    }
    if (at + 8 <= end) {
      a = mix(a, load<u64>(at), 0x9e3779b185ebca87);
      at += 8;
    }
    // At most seven bytes are left; what lies behind them is cut off.
    if (at < end) b = mix(b, load<u64>(at) & (((<u64>1) << ((<u64>(end - at)) << 3)) - 1), 0xc2b2ae3d27d4eb4f);
  }
  a = (a ^ rotl(b, 23)) * 0x165667b19e3779f9;
  a ^= a >> 32;
  a *= 0x9fb21c651e98df25;
  a ^= a >> 29;
  store<i32>(ANSWER, <i32>a);
  store<i32>(ANSWER + 4, <i32>(a >> 32));
}

@inline
function mix(hash: u64, word: u64, factor: u64): u64 {
  return rotl((hash ^ word) * factor, 31) * 0x9fb21c651e98df25;
}

/**
 * Reads cells of the record found last as decimals, those that are plainly written: digits, one mark, a sign before. A cell is two numbers at
 * `list`: its column, and twice its slot, odd for a quantity. Answer in the slot: state 0 empty, 1 read, 2 not plain; whole 1e-9 and the
 * attos below (none of a quantity, which is rounded half to even), exactly as main/engine/import/decimal.ts reads them.
 */
export function readDecimals(start: usize, list: usize, count: i32, mark: u8): void {
  for (let index = 0; index < count; index += 1) {
    const column = load<i32>(list + (<usize>index << 3));
    const kind = load<i32>(list + (<usize>index << 3) + 4);
    const slot = <usize>(kind >> 1);
    let at = column === 0 ? start : <usize>load<i32>(ENDS + (<usize>(column - 1) << 2)) + 1;
    const end = <usize>load<i32>(ENDS + (<usize>column << 2));
    store<u8>(STATES + slot, readDecimal(at, end, slot, (kind & 1) === 1, mark));
  }
}

function readDecimal(from: usize, end: usize, slot: usize, isQuantity: bool, mark: u8): u8 {
  if (from === end) return 0;
  let at = from;
  const first = load<u8>(at);
  const isNegative = first === 45;
  if (isNegative || first === 43) at += 1;
  const wholeStart = at;
  let whole: u64 = 0;
  while (at < end) {
    const digit = load<u8>(at) - 48;
    if (digit > 9) break;
    whole = whole * 10 + digit;
    at += 1;
  }
  let digits = at - wholeStart;
  // Beyond four million units the counters take it no more.
  if (digits > 7 || whole >= 4_503_598) return 2;
  let upper: u64 = 0;
  let lower: u64 = 0;
  if (at < end && load<u8>(at) === mark) {
    at += 1;
    let missing = 9;
    while (missing > 0 && at < end) {
      const digit = load<u8>(at) - 48;
      if (digit > 9) return 2;
      upper = upper * 10 + digit;
      missing -= 1;
      at += 1;
    }
    digits += 9 - missing;
    while (missing > 0) {
      upper *= 10;
      missing -= 1;
    }
    missing = 9;
    while (missing > 0 && at < end) {
      const digit = load<u8>(at) - 48;
      if (digit > 9) return 2;
      lower = lower * 10 + digit;
      missing -= 1;
      at += 1;
    }
    while (missing > 0) {
      lower *= 10;
      missing -= 1;
    }
    while (at < end && load<u8>(at) === 48) at += 1;
  }
  if (at !== end || digits === 0) return 2;
  let value = whole * 1_000_000_000 + upper;
  if (isQuantity) {
    if (lower > 500_000_000 || (lower === 500_000_000 && (value & 1) === 1)) value += 1;
    lower = 0;
  }
  // 0 less the value, so that nothing becomes minus zero.
  store<f64>(NANOS + (slot << 3), isNegative ? 0.0 - <f64>value : <f64>value);
  store<f64>(RESTS + (slot << 3), isNegative ? 0.0 - <f64>lower : <f64>lower);
  return 1;
}
