import type { Encoding } from "./sniff.ts";

/** The encoding of a text by its first bytes, or null where they are no text in any that we read. */
export function detectEncoding(bytes: Uint8Array, isWhole: boolean): { readonly encoding: Encoding; readonly markLength: number } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return isUtf8(bytes, isWhole) ? { encoding: "utf-8", markLength: 3 } : null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", markLength: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", markLength: 2 };
  const unmarked = utf16WithoutMark(bytes);
  if (unmarked !== null) return { encoding: unmarked, markLength: 0 };
  if (hasControlBytes(bytes)) return null;
  if (isUtf8(bytes, isWhole)) return { encoding: "utf-8", markLength: 0 };
  if (isGb18030(bytes, isWhole)) return { encoding: "gb18030", markLength: 0 };
  return null;
}

/** A whole text that a person wrote or a spreadsheet saved, without its mark; null where it is no text. */
export function textIn(bytes: Uint8Array): string | null {
  const found = detectEncoding(bytes, true);
  return found === null ? null : new TextDecoder(found.encoding).decode(bytes.subarray(found.markLength));
}

/** Latin text in UTF-16 has a zero in every second byte: which one tells the order. */
function utf16WithoutMark(bytes: Uint8Array): Encoding | null {
  const length = Math.min(bytes.length & ~1, 4096);
  if (length < 8) return null;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < length; at += 2) {
    if (bytes[at] === 0) even += 1;
    if (bytes[at + 1] === 0) odd += 1;
  }
  const pairs = length / 2;
  if (odd > pairs * 0.7 && even < pairs * 0.05) return "utf-16le";
  if (even > pairs * 0.7 && odd < pairs * 0.05) return "utf-16be";
  return null;
}

/** Text holds no bytes below a blank but tab, line ends, form feed and, from old terminals, escape. */
function hasControlBytes(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) return true;
  return false;
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

function isGb18030(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    const text = new TextDecoder("gb18030", { fatal: true }).decode(bytes, { stream: !isWhole });
    // Any run of high bytes decodes to something; text that a person wrote decodes to letters.
    return !/[\uE000-\uF8FF\uFFFD]/.test(text);
  } catch {
    return false;
  }
}
