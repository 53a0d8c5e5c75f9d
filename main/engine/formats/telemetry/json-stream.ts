/** JSON read in pieces without ever holding the whole: what opens, closes and stands where is told one after another. */
export interface JsonEvents {
  readonly open: (kind: "object" | "array") => void;
  readonly close: () => void;
  readonly key: (name: string) => void;
  /** A string, number, true, false or null; numbers are handed over as written. */
  readonly value: (text: string, isString: boolean) => void;
}

export interface JsonStream {
  /** False once the text is no JSON. */
  readonly take: (piece: Uint8Array) => boolean;
  /** Whether all that was opened is closed. */
  readonly isComplete: () => boolean;
}

/** `allowsNaN`: some writers put NaN and infinities, which JSON has not, in place of numbers. Values may follow one another as in JSON lines. */
export function jsonStream(events: JsonEvents, { allowsNaN = false } = {}): JsonStream {
  const word = allowsNaN ? looseWord : strictWord;
  /** What is open: true for an object. */
  const open: boolean[] = [];
  let expectsKey = false;
  let isBroken = false;
  let hasBegun = false;
  /** A token that the last piece broke off. */
  let rest = new Uint8Array(0);

  function take(piece: Uint8Array): boolean {
    if (isBroken) return false;
    let bytes = piece;
    if (rest.length > 0) {
      bytes = new Uint8Array(rest.length + piece.length);
      bytes.set(rest);
      bytes.set(piece, rest.length);
      rest = new Uint8Array(0);
    }
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      if (byte <= 32) at++;
      else if (byte === comma) {
        expectsKey = open.at(-1) === true;
        at++;
      } else if (byte === colon) {
        expectsKey = false;
        at++;
      } else if (byte === openBrace || byte === openBracket) {
        hasBegun = true;
        open.push(byte === openBrace);
        expectsKey = byte === openBrace;
        events.open(byte === openBrace ? "object" : "array");
        at++;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (open.pop() !== (byte === closeBrace)) return (isBroken = true, false);
        expectsKey = false;
        events.close();
        at++;
      } else {
        const end = byte === quote ? endOfString(bytes, at) : endOfWord(bytes, at);
        if (end < 0) {
          if (bytes.length - at > longestToken) return (isBroken = true, false);
          rest = bytes.slice(at);
          return true;
        }
        const token = byte === quote ? stringOf(bytes, at, end) : ascii(bytes, at, end);
        if (token === null || open.length === 0 || (byte !== quote && !word.test(token))) return (isBroken = true, false);
        if (expectsKey) {
          if (byte !== quote) return (isBroken = true, false);
          events.key(token);
        } else events.value(token, byte === quote);
        at = end;
      }
    }
    return true;
  }

  return { take, isComplete: () => !isBroken && hasBegun && open.length === 0 && rest.length === 0 };
}

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
const longestToken = 1024 * 1024;
const looseWord = /^(?:-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|Inf|Infinity)|true|false|null)$/;
const strictWord = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** One past the closing quote; -1 if the piece ends before it. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === backslash) at++;
    else if (byte === quote) return at + 1;
  }
  return -1;
}

/** One past a number or word; -1 if the piece ends within it. */
function endOfWord(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte <= 32 || byte === comma || byte === colon || byte === closeBrace || byte === closeBracket || byte === openBrace || byte === openBracket || byte === quote) return at === start ? -1 : at;
  }
  return -1;
}

/** The text of a quoted token; null if it is not valid JSON. */
function stringOf(bytes: Uint8Array, start: number, end: number): string | null {
  if (end - start < 40) {
    let isPlain = true;
    for (let at = start + 1; at < end - 1; at++) {
      const byte = bytes[at] as number;
      if (byte === backslash || byte > 126 || byte < 32) {
        isPlain = false;
        break;
      }
    }
    if (isPlain) return ascii(bytes, start + 1, end - 1);
  }
  try {
    const parsed: unknown = JSON.parse(decoder.decode(bytes.subarray(start, end)));
    return typeof parsed === "string" ? parsed : null;
  } catch {
    return null;
  }
}
const decoder = new TextDecoder();

function ascii(bytes: Uint8Array, start: number, end: number): string {
  if (end - start < 20) {
    // Almost every token of a long answer: quicker than a call into the decoder.
    let text = "";
    for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] as number);
    return text;
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
}
