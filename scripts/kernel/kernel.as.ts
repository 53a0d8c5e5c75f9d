/**
 * The scanner's kernel: AssemblyScript, compiled by `node scripts/kernel.mjs` into main/engine/import/scan/kernel-bytes.ts.
 *
 * Memory: [0, 64) the answer, [64, 2048) ranges of columns to hash, [2048, 2080) the plan of rows, [2080, 2144) times read last, [2144, 4096) cells of the plan, [4096, 36864) ends of fields,
 * [36864, 49152) lists of cells to read as decimals, [49152, 65536) what was read of one record, [65536, 196608) what was read of many, text
 * from 196608 on, followed by at least 64 line feeds. The text is the scanner's; places in it are addresses. scan/plain-finder.ts does the
 * same in TypeScript, and says what a record is; a test lets both read the same texts.
 *
 * A fold has a memory of its own, on which only `takeRows` works: rows stand in it where they stand here, and its tables behind them.
 */

const ANSWER: usize = 0;
const RANGES: usize = 64;
const PLAN: usize = 2048;
const START_TIME: usize = 2080;
const END_TIME: usize = 2112;
const CELLS: usize = 2144;
const ENDS: usize = 4096;
const MOST_ENDS: i32 = 8192;
const NANOS: usize = 49152;
const RESTS: usize = 53248;
const STATES: usize = 57344;
const ROWS: usize = 65536;
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
 * Reads rows, whole records of the columns that the plan counts, from `start` on, until one goes on beyond `limit` or `most` are read; answers
 * how many. Sixty-four bytes at a time: bit masks of quotes, separators and line ends, and of what lies inside quotes by parity. That
 * parity holds as long as a quote opens at the start of a field only (or doubles another); a record where one does not is found by
 * `findRecord`, which says what a record is.
 *
 * Answer: where the next record begins, and the line ends before it.
 * Plan (i32): columns, decimal mark, column of the start (-1: none), of the end, ranges to hash, cells to read, bytes a row.
 * Row: i32 place, i32 line ends before it, i32 flags (below), i32 two hashes, i32 two words of states (two bits a cell, in the list's order:
 * 0 empty, 1 read, 2 not plain), i32 free; f64 start and end in seconds since 1970, or, of one that is not plain, its place times 65536 plus
 * its length; then for each slot two f64: what `readDecimals` reads, or, of a cell that is not plain, its first and its exclusive last place.
 */
export function readRows(start: usize, limit: usize, delimiter: u8, most: i32): i32 {
  const columns = load<i32>(PLAN);
  const delimiters = i8x16.splat(<i8>delimiter);
  const lineFeeds = i8x16.splat(<i8>LINE_FEED);
  const quotes = i8x16.splat(<i8>QUOTE);
  const stride = <usize>load<i32>(PLAN + 24);
  let row = ROWS;
  let rows = 0;
  let lines = 0;
  // Where the record begins, ends of fields so far, and line ends inside its quotes.
  let recordStart = start;
  let count = 0;
  let inner = 0;
  let at = start;
  // All ones inside quotes; and whether a quote may open at the first byte of the block.
  let isInside: u64 = 0;
  let mayOpen: u64 = 1;
  while (at < limit) {
    const one = v128.load(at);
    const two = v128.load(at, 16);
    const three = v128.load(at, 32);
    const four = v128.load(at, 48);
    const quoted = maskOf(one, two, three, four, quotes);
    let fed = maskOf(one, two, three, four, lineFeeds);
    let ends = maskOf(one, two, three, four, delimiters) | fed;
    let odd: u64 = 0;
    let hidden: u64 = 0;
    if ((quoted | isInside) !== 0) {
      const inside = parityOf(quoted) ^ isInside;
      hidden = fed & inside;
      fed &= ~inside;
      ends &= ~inside;
      odd = quoted & inside & ~(((ends | quoted) << 1) | mayOpen);
      isInside = <u64>(<i64>inside >> 63);
      if (odd !== 0) {
        // What follows the odd quote is not known by parity.
        const known = (odd & (0 - odd)) - 1;
        fed &= known;
        ends &= known;
        hidden &= known;
      }
    }
    mayOpen = (ends | quoted) >> 63;
    while (fed !== 0) {
      const end = at + <usize>ctz(fed);
      if (end >= limit) {
        store<i32>(ANSWER, <i32>recordStart);
        store<i32>(ANSWER + 4, lines);
        return rows;
      }
      const below = (fed & (0 - fed)) - 1;
      count = taken(ends & below, at, count, columns);
      if (hidden !== 0) {
        inner += <i32>popcnt(hidden & below);
        hidden &= ~below;
      }
      if (finishRow(row, recordStart, end, count, columns, lines)) {
        row += stride;
        rows += 1;
      }
      lines += inner + 1;
      inner = 0;
      count = 0;
      recordStart = end + 1;
      ends &= ~((below << 1) | 1);
      fed &= fed - 1;
      if (rows === most) {
        store<i32>(ANSWER, <i32>recordStart);
        store<i32>(ANSWER + 4, lines);
        return rows;
      }
    }
    if (odd === 0) {
      count = taken(ends, at, count, columns);
      if (hidden !== 0) inner += <i32>popcnt(hidden);
      at += 64;
      continue;
    }
    if (findRecord(recordStart, limit, delimiter, false) === 0) break;
    // Never a blank line: it holds a quote.
    const next = <usize>load<i32>(ANSWER);
    const fields = load<i32>(ANSWER + 4);
    inner = load<i32>(ANSWER + 12);
    finishRow(row, recordStart, <usize>load<i32>(ANSWER + 8), min(fields - 1, columns + 1), columns, lines);
    row += stride;
    rows += 1;
    lines += inner + 1;
    recordStart = next;
    at = next;
    count = 0;
    inner = 0;
    isInside = 0;
    mayOpen = 1;
    if (rows === most) break;
  }
  store<i32>(ANSWER, <i32>recordStart);
  store<i32>(ANSWER + 4, lines);
  return rows;
}

/** A bit for each of 64 bytes that is one. */
@inline
function maskOf(one: v128, two: v128, three: v128, four: v128, byte: v128): u64 {
  const low = <u64>(<u32>i8x16.bitmask(i8x16.eq(one, byte)) | (<u32>i8x16.bitmask(i8x16.eq(two, byte)) << 16));
  const high = <u64>(<u32>i8x16.bitmask(i8x16.eq(three, byte)) | (<u32>i8x16.bitmask(i8x16.eq(four, byte)) << 16));
  return low | (high << 32);
}

/** For each bit whether there is an odd number of ones up to and with it. */
@inline
function parityOf(bits: u64): u64 {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ (bits << 32);
}

/** Lays down the places of all ones as ends of fields, eight at a time; answers their number, never much more than a row may have. */
@inline
function taken(bits: u64, at: usize, count: i32, columns: i32): i32 {
  const all = <i32>popcnt(bits);
  const place = <i32>at;
  let to = ENDS + (<usize>count << 2);
  for (let left = all; left > 0; left -= 8) {
    store<i32>(to, place + <i32>ctz(bits));
    bits &= bits - 1;
    store<i32>(to, place + <i32>ctz(bits), 4);
    bits &= bits - 1;
    store<i32>(to, place + <i32>ctz(bits), 8);
    bits &= bits - 1;
    store<i32>(to, place + <i32>ctz(bits), 12);
    bits &= bits - 1;
    store<i32>(to, place + <i32>ctz(bits), 16);
    bits &= bits - 1;
    store<i32>(to, place + <i32>ctz(bits), 20);
    bits &= bits - 1;
    store<i32>(to, place + <i32>ctz(bits), 24);
    bits &= bits - 1;
    store<i32>(to, place + <i32>ctz(bits), 28);
    bits &= bits - 1;
    to += 32;
  }
  return min(count + all, columns + 1);
}

/** The start of the row is what the kernel reads for plain; and so on. ODD: not of the plan's columns, nothing else was read. */
const ODD: i32 = 1;
const START_READ: i32 = 2;
const START_ZONELESS: i32 = 4;
const END_READ: i32 = 8;
const END_ZONELESS: i32 = 16;
const END_EMPTY: i32 = 32;

/** Reads what the plan asks for of a record whose ends of fields, but for the last, lie at ENDS. false: it is a blank line. */
function finishRow(row: usize, start: usize, lineFeed: usize, count: i32, columns: i32, lines: i32): bool {
  let end = lineFeed;
  const lastStart = count === 0 ? start : <usize>load<i32>(ENDS + (<usize>(count - 1) << 2)) + 1;
  if (end > lastStart && load<u8>(end - 1) === RETURN) end -= 1;
  if (count === 0 && end === start) return false;
  store<i32>(row, <i32>start);
  store<i32>(row + 4, lines);
  if (count + 1 !== columns) {
    store<i32>(row + 8, ODD);
    return true;
  }
  store<i32>(ENDS + (<usize>count << 2), <i32>end);
  hashRanges(start, load<i32>(PLAN + 16));
  store<i32>(row + 12, load<i32>(ANSWER));
  store<i32>(row + 16, load<i32>(ANSWER + 4));
  let flags = 0;
  const startColumn = load<i32>(PLAN + 8);
  if (startColumn !== -1) {
    const kind = timeOf(fieldStart(start, startColumn), fieldEnd(startColumn), START_TIME);
    if (kind > 1) flags |= START_READ | (kind === 3 ? START_ZONELESS : 0);
    store<f64>(row + 32, kind === 1 ? placeOf(fieldStart(start, startColumn), fieldEnd(startColumn)) : seconds);
  }
  const endColumn = load<i32>(PLAN + 12);
  if (endColumn !== -1) {
    const kind = timeOf(fieldStart(start, endColumn), fieldEnd(endColumn), END_TIME);
    if (kind > 1) flags |= END_READ | (kind === 3 ? END_ZONELESS : 0);
    else if (kind === 0) flags |= END_EMPTY;
    store<f64>(row + 40, kind === 1 ? placeOf(fieldStart(start, endColumn), fieldEnd(endColumn)) : seconds);
  }
  store<i32>(row + 8, flags);

  let states: u64 = 0;
  const mark = <u8>load<i32>(PLAN + 4);
  const cells = load<i32>(PLAN + 20);
  for (let index = 0; index < cells; index += 1) {
    const column = load<i32>(CELLS + (<usize>index << 3));
    const kind = load<i32>(CELLS + (<usize>index << 3) + 4);
    const slot = <u64>(kind >> 2);
    // Another column of a slot is read where those before it are empty.
    if ((kind & 2) !== 0 && ((states >> (slot << 1)) & 3) !== 0) continue;
    const from = fieldStart(start, column);
    const to = fieldEnd(column);
    if (from === to) continue;
    const place = row + 48 + (<usize>slot << 4);
    const state = readDecimal(from, to, place, place + 8, (kind & 1) === 1, mark);
    if (state === 2) {
      store<f64>(place, <f64>from);
      store<f64>(place + 8, <f64>to);
    }
    states |= <u64>state << (slot << 1);
  }
  store<i64>(row + 20, states);
  return true;
}

function placeOf(from: usize, to: usize): f64 {
  return <f64>from * 65536.0 + <f64>min(to - from, 65535);
}

@inline
function fieldStart(start: usize, column: i32): usize {
  return column === 0 ? start : <usize>load<i32>(ENDS + (<usize>(column - 1) << 2)) + 1;
}
@inline
function fieldEnd(column: i32): usize {
  return <usize>load<i32>(ENDS + (<usize>column << 2));
}

/** What `timeOf` read last, in seconds since 1970; of what zone is not said where it answers 3. */
let seconds: f64 = 0;

/** A time in plain dress: `2026-09-01T00:00:00Z`, with a blank for the T, thousandths, no zone, or a date alone, perhaps in quotes. 0: empty; 1: not plain; 2: read; 3: read, and it states no zone. Rows often state the time of the row before: at `known` is the text of 20 bytes that was read there last, and its seconds. */
function timeOf(start: usize, end: usize, known: usize): i32 {
  let from = start;
  let to = end;
  if (from === to) return 0;
  if (to - from > 2 && load<u8>(from) === QUOTE && load<u8>(to - 1) === QUOTE) {
    from += 1;
    to -= 1;
  }
  const length = to - from;
  if (length === 20) {
    const text = v128.load(from);
    if (load<i32>(from, 16) === load<i32>(known, 16) && !v128.any_true(v128.xor(text, v128.load(known)))) {
      seconds = load<f64>(known, 24);
      return 2;
    }
  }
  if (length !== 20 && length !== 19 && length !== 24 && length !== 10) return 1;
  const year = pair(from) * 100 + pair(from + 2);
  const month = pair(from + 5);
  const day = pair(from + 8);
  if (load<u8>(from + 4) !== 45 || load<u8>(from + 7) !== 45 || year < 1970 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return 1;
  let time: i64 = daysBefore(year, month) + day - 1;
  time *= 86400;
  if (length > 10) {
    const separator = load<u8>(from + 10);
    const hour = pair(from + 11);
    const minute = pair(from + 14);
    const second = pair(from + 17);
    if ((separator !== 84 && separator !== 32) || load<u8>(from + 13) !== 58 || load<u8>(from + 16) !== 58 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return 1;
    time += hour * 3600 + minute * 60 + second;
    if (length === 24 && (load<u8>(from + 19) !== 46 || pair(from + 20) < 0 || load<u8>(from + 22) - 48 > 9)) return 1;
    if (length > 19 && load<u8>(to - 1) !== 90) return 1;
  }
  seconds = <f64>time;
  if (length !== 20) return length === 24 ? 2 : 3;
  v128.store(known, v128.load(from));
  store<i32>(known, load<i32>(from, 16), 16);
  store<f64>(known, seconds, 24);
  return 2;
}

/** Two digits, or a number far below 0. */
@inline
function pair(at: usize): i64 {
  const tens = load<u8>(at) - 48;
  const ones = load<u8>(at + 1) - 48;
  return tens > 9 || ones > 9 ? -1_000_000 : <i64>tens * 10 + <i64>ones;
}

function daysIn(year: i64, month: i64): i64 {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeap(year: i64): bool {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Days from 1970-01-01 to the first of a month: years begin in March, so that the leap day is the last. */
function daysBefore(year: i64, month: i64): i64 {
  const from = month > 2 ? year : year - 1;
  const passed = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
  return from * 365 + from / 4 - from / 100 + from / 400 + passed - 719468;
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
    let at = fieldStart(start, load<i32>(place));
    const end = fieldEnd(load<i32>(place + 4));
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
 * Reads cells of the record found last as decimals, those that are plainly written: digits, one mark, a sign before, an exponent behind,
 * perhaps in quotes. A cell is two numbers at `list`: its column, and twice its slot, odd for a quantity. Answer in the slot: state 0 empty,
 * 1 read, 2 not plain; whole 1e-9 and the attos below (none of a quantity, which is rounded half to even), exactly as
 * main/engine/import/decimal.ts reads them.
 */
export function readDecimals(start: usize, list: usize, count: i32, mark: u8): void {
  for (let index = 0; index < count; index += 1) {
    const column = load<i32>(list + (<usize>index << 3));
    const kind = load<i32>(list + (<usize>index << 3) + 4);
    const slot = <usize>(kind >> 1);
    const from = fieldStart(start, column);
    const to = fieldEnd(column);
    store<u8>(STATES + slot, from === to ? 0 : readDecimal(from, to, NANOS + (slot << 3), RESTS + (slot << 3), (kind & 1) === 1, mark));
  }
}

/** Reads what is not empty. */
function readDecimal(start: usize, end: usize, nanosAt: usize, restAt: usize, isQuantity: bool, mark: u8): u8 {
  let at = start;
  let first = load<u8>(at);
  if (first === QUOTE) {
    if (end - at < 3 || load<u8>(end - 1) !== QUOTE) return 2;
    at += 1;
    end -= 1;
    first = load<u8>(at);
  }
  const from = at;
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
    if (end - at >= 8) {
      const eight = load<u64>(at);
      if (areDigits(eight)) {
        upper = numberOf(eight);
        missing = 1;
        at += 8;
      }
    }
    while (missing > 0 && at < end) {
      const digit = load<u8>(at) - 48;
      if (digit > 9) return readTiny(from, end, nanosAt, restAt, isQuantity, mark);
      upper = upper * 10 + digit;
      missing -= 1;
      at += 1;
    }
    digits += 9 - missing;
    upper *= power(missing);
    if (at < end) {
      missing = 9;
      while (missing > 0 && at < end) {
        const digit = load<u8>(at) - 48;
        if (digit > 9) return readTiny(from, end, nanosAt, restAt, isQuantity, mark);
        lower = lower * 10 + digit;
        missing -= 1;
        at += 1;
      }
      lower *= power(missing);
      while (at < end && load<u8>(at) === 48) at += 1;
    }
  }
  if (at !== end) return readTiny(from, end, nanosAt, restAt, isQuantity, mark);
  if (digits === 0) return 2;
  return lay(whole * 1_000_000_000 + upper, lower, isNegative, nanosAt, restAt, isQuantity);
}

/** An amount into its place: whole 1e-9 and attos below. */
@inline
function lay(whole: u64, below: u64, isNegative: bool, nanosAt: usize, restAt: usize, isQuantity: bool): u8 {
  let value = whole;
  let lower = below;
  if (isQuantity) {
    if (lower > 500_000_000 || (lower === 500_000_000 && (value & 1) === 1)) value += 1;
    lower = 0;
  }
  // 0 less the value, so that nothing becomes minus zero.
  store<f64>(nanosAt, isNegative ? 0.0 - <f64>value : <f64>value);
  store<f64>(restAt, isNegative ? 0.0 - <f64>lower : <f64>lower);
  return 1;
}

/** E notation of at most fifteen digits, which is how exporters write tiny amounts. */
function readTiny(from: usize, end: usize, nanosAt: usize, restAt: usize, isQuantity: bool, mark: u8): u8 {
  let at = from;
  const isNegative = load<u8>(at) === 45;
  if (isNegative || load<u8>(at) === 43) at += 1;
  let mantissa: u64 = 0;
  let digits = 0;
  let decimals = -1;
  for (; at < end; at += 1) {
    const byte = load<u8>(at);
    if (byte === mark && decimals === -1) {
      decimals = 0;
      continue;
    }
    const digit = byte - 48;
    if (digit > 9) break;
    mantissa = mantissa * 10 + digit;
    digits += 1;
    if (digits > 15) return 2;
    if (decimals >= 0) decimals += 1;
  }
  if (digits === 0 || at >= end || (load<u8>(at) | 32) !== 101) return 2;
  at += 1;
  const isSmall = at < end && load<u8>(at) === 45;
  if (isSmall || (at < end && load<u8>(at) === 43)) at += 1;
  if (at === end || end - at > 2) return 2;
  let exponent = 0;
  for (; at < end; at += 1) {
    const digit = load<u8>(at) - 48;
    if (digit > 9) return 2;
    exponent = exponent * 10 + <i32>digit;
  }
  if (isSmall) exponent = -exponent;
  if (decimals > 0) exponent -= decimals;
  // The amount is mantissa × 10^exponent: whole nanos, and below them the mantissa's last digits.
  const shift = -(exponent + 9);
  if (shift < -3 || shift > 18) return 2;
  if (shift <= 0) {
    const value = mantissa * power(-shift);
    return value < 4_503_599_627_370_496 ? lay(value, 0, isNegative, nanosAt, restAt, isQuantity) : 2;
  }
  const divisor = power(shift);
  const value = mantissa / divisor;
  const remainder = mantissa - value * divisor;
  if (shift <= 9) return lay(value, remainder * power(9 - shift), isNegative, nanosAt, restAt, isQuantity);
  const step = power(shift - 9);
  const below = remainder / step;
  // Finer than an atto.
  if (below * step !== remainder) return 2;
  return lay(value, below, isNegative, nanosAt, restAt, isQuantity);
}

function power(exponent: i32): u64 {
  switch (exponent) {
    case 0: return 1;
    case 1: return 10;
    case 2: return 100;
    case 3: return 1_000;
    case 4: return 10_000;
    case 5: return 100_000;
    case 6: return 1_000_000;
    case 7: return 10_000_000;
    case 8: return 100_000_000;
    case 9: return 1_000_000_000;
    default: return power(exponent - 9) * 1_000_000_000;
  }
}

/** Whether all eight bytes are digits. */
@inline
function areDigits(eight: u64): bool {
  return ((eight & 0xf0f0f0f0f0f0f0f0) | (((eight + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4)) === 0x3333333333333333;
}

/** The number that eight digits are. */
@inline
function numberOf(eight: u64): u64 {
  let value = (eight & 0x0f0f0f0f0f0f0f0f) * 2561 >> 8;
  value = (value & 0x00ff00ff00ff00ff) * 6553601 >> 16;
  return (value & 0x0000ffff0000ffff) * 42949672960001 >> 32;
}

// The memory of a fold: [64, 128) where its tables are, as main/engine/import/fold/memory.ts says, the answer where it always is.
const TABLE: usize = 64;
const TABLE_BYTES: usize = 68;
const NOTES: usize = 72;
const PROGRAMS: usize = 76;
const CELL_COUNTERS: usize = 80;
const CELL_ROWS: usize = 84;
const HOUR_COUNTERS: usize = 88;
const HOURS_USED: usize = 92;
const NOTED: usize = 96;
const NOTED_COUNT: usize = 100;
const MOST_NOTED: usize = 104;
const BLOCK: usize = 108;
const ROW_BYTES: usize = 112;

/** Why `takeRows` stopped. */
const DONE: i32 = 0;
const NEXT_BLOCK: i32 = 1;
const NEW_CELL: i32 = 2;
const NEW_HOURS: i32 = 3;
const NOTED_FULL: i32 = 4;
const UNLIKE: i32 = 5;

const DAY_SECONDS: i64 = 86400;
const HOUR_SECONDS: i64 = 3600;
/** Half of what a double holds exactly. */
const COUNTER_LIMIT: f64 = 4_503_599_627_370_496.0;
/** Sums below a nano are carried up after so many rows of a cell. */
const ROWS_A_CARRY: i32 = 0x1fffff;
/** Counters from this one on are quantities: nothing below a nano stands behind them. */
const FIRST_QUANTITY: i32 = 8;

/**
 * Adds rows `from` to `end`, exclusive, to their cells and hours, as long as each is like the rows before of its pair; answers the first that
 * was not taken, and why. Such a row is left for main/engine/import/fold/rows.ts, which does the same for rows of every kind.
 *
 * Answer: why; then entry and pair, -1 where not known, and the UTC day. A row whose place is `blockEnd` or beyond is of the next block.
 * Table: entry + 1 (0: free), pair + 1 (0: none), two hashes. Notes: 16 numbers a pair (fold/pairs.ts). Programs: 32 numbers each (fold/memory.ts).
 */
export function takeRows(from: i32, end: i32, blockEnd: i32): i32 {
  const table = <usize>load<u32>(TABLE);
  const tableMask = load<i32>(TABLE_BYTES) - 1;
  const notes = <usize>load<u32>(NOTES);
  const programs = <usize>load<u32>(PROGRAMS);
  const cellCounters = <usize>load<u32>(CELL_COUNTERS);
  const cellRows = <usize>load<u32>(CELL_ROWS);
  const hourCounters = <usize>load<u32>(HOUR_COUNTERS);
  const hoursUsed = <usize>load<u32>(HOURS_USED);
  const noted = <usize>load<u32>(NOTED);
  const mostNoted = load<i32>(MOST_NOTED);
  const block = load<i32>(BLOCK);
  const rowBytes = <usize>load<u32>(ROW_BYTES);
  let row = ROWS + <usize>from * rowBytes;
  for (let index = from; index < end; index += 1, row += rowBytes) {
    if (load<i32>(row) >= blockEnd) return stopped(index, NEXT_BLOCK, -1, -1, 0);
    const flags = load<i32>(row, 8);
    if ((flags & ODD) !== 0) return stopped(index, UNLIKE, -1, -1, 0);
    const hashA = load<i32>(row, 12);
    const hashB = load<i32>(row, 16);
    let place = (hashA << 4) & tableMask;
    while (load<i32>(table + <usize>place) !== 0 && (load<i32>(table + <usize>place, 8) !== hashA || load<i32>(table + <usize>place, 12) !== hashB)) place = (place + 16) & tableMask;
    const entry = load<i32>(table + <usize>place) - 1;
    const pair = load<i32>(table + <usize>place, 4) - 1;
    if (pair === -1 || (flags & (START_READ | START_ZONELESS | END_READ | END_ZONELESS)) !== (START_READ | END_READ)) return stopped(index, UNLIKE, entry, pair, 0);

    const note = notes + (<usize>pair << 6);
    const states = load<i32>(note);
    if (states === -1 || (load<i32>(row, 20) & load<i32>(note, 4)) !== states) return stopped(index, UNLIKE, entry, pair, 0);
    const start = <i64>load<f64>(row, 32);
    const length = <i64>load<f64>(row, 40) - start;
    if (length < 0 || length > DAY_SECONDS) return stopped(index, UNLIKE, entry, pair, 0);
    const program = programs + (<usize>load<i32>(note, 36) << 7);
    const effective = load<i32>(program, 52);
    const isCostStated = isStated(states, effective);
    if (load<i32>(note, 40) === 1 && isCostStated && !isZero(row, effective)) {
      const list = load<i32>(program, 56);
      const contracted = load<i32>(program, 60);
      if ((isStated(states, list) && isZero(row, list)) || (isStated(states, contracted) && isZero(row, contracted))) return stopped(index, UNLIKE, entry, pair, 0);
    }
    const day = <i32>(start / DAY_SECONDS);
    if (load<i32>(note, 8) !== day) return stopped(index, NEW_CELL, entry, pair, day);
    const cell = load<i32>(note, 12);
    const counters = cellCounters + <usize>cell * 80;
    const rowsAt = cellRows + (<usize>cell << 2);
    const rows = load<i32>(rowsAt) + 1;
    const terms = load<i32>(program);

    // Nothing is stored before it is sure that all of it fits.
    let fits: bool = (rows & ROWS_A_CARRY) !== 0;
    for (let term = 0; term < terms; term += 1) {
      const slot = load<i32>(program + (<usize>term << 3), 4);
      const counter = load<i32>(program + (<usize>term << 3), 8);
      if (isStated(states, slot)) fits = fits && isWithin(load<f64>(counters + (<usize>counter << 3)) + valueOf(row, slot));
    }
    const quantity = load<i32>(note, 28) - 1;
    let hourAt: usize = 0;
    let usedAt: usize = 0;
    let hourBit = 0;
    if (quantity >= 0) {
      const hour = start / HOUR_SECONDS;
      if (start + length > (hour + 1) * HOUR_SECONDS) return stopped(index, UNLIKE, entry, pair, day);
      if (load<i32>(note, 16) !== day) return stopped(index, NEW_HOURS, entry, pair, day);
      const hourOfDay = <i32>hour - day * 24;
      const hours = load<i32>(note, 20);
      hourAt = hourCounters + <usize>(hours * 24 + hourOfDay) * 24;
      if (isCostStated) fits = fits && isWithin(load<f64>(hourAt, 8) + valueOf(row, effective));
      usedAt = hoursUsed + (<usize>hours << 2);
      hourBit = 1 << hourOfDay;
    }
    if (!fits) return stopped(index, UNLIKE, entry, pair, day);
    if (load<i32>(note, 24) !== block) {
      const count = load<i32>(NOTED_COUNT);
      if (count === mostNoted) return stopped(index, NOTED_FULL, entry, pair, day);
      store<i32>(noted + (<usize>count << 2), pair);
      store<i32>(NOTED_COUNT, count + 1);
      store<i32>(note, block, 24);
    }
    store<i32>(rowsAt, rows);
    for (let term = 0; term < terms; term += 1) {
      const slot = load<i32>(program + (<usize>term << 3), 4);
      if (!isStated(states, slot)) continue;
      const counter = load<i32>(program + (<usize>term << 3), 8);
      const at = counters + (<usize>counter << 3);
      store<f64>(at, load<f64>(at) + valueOf(row, slot));
      if (counter < FIRST_QUANTITY) store<f64>(at, load<f64>(at, 8) + restOf(row, slot), 8);
    }
    if (quantity < 0) continue;
    store<i32>(usedAt, load<i32>(usedAt) | hourBit);
    // Both quantities stand behind the costs: ConsumedQuantity is measure 4.
    store<f64>(hourAt, load<f64>(hourAt) + valueOf(row, load<i32>(program + (<usize>(quantity - 4) << 2), 64)));
    if (!isCostStated) continue;
    store<f64>(hourAt, load<f64>(hourAt, 8) + valueOf(row, effective), 8);
    store<f64>(hourAt, load<f64>(hourAt, 16) + restOf(row, effective), 16);
  }
  return stopped(end, DONE, -1, -1, 0);
}

function stopped(index: i32, why: i32, entry: i32, pair: i32, day: i32): i32 {
  store<i32>(ANSWER, why);
  store<i32>(ANSWER, entry, 4);
  store<i32>(ANSWER, pair, 8);
  store<i32>(ANSWER, day, 12);
  return index;
}

/** Whether a slot was read, by the states of a row's first word. */
@inline
function isStated(states: i32, slot: i32): bool {
  return slot >= 0 && ((states >> (slot << 1)) & 3) === 1;
}
@inline
function valueOf(row: usize, slot: i32): f64 {
  return load<f64>(row + (<usize>slot << 4), 48);
}
@inline
function restOf(row: usize, slot: i32): f64 {
  return load<f64>(row + (<usize>slot << 4), 56);
}
@inline
function isZero(row: usize, slot: i32): bool {
  return valueOf(row, slot) === 0.0 && restOf(row, slot) === 0.0;
}
@inline
function isWithin(sum: f64): bool {
  return abs(sum) <= COUNTER_LIMIT;
}
