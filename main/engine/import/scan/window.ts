import type { Kernel } from "./kernel.ts";
import { FIRST, SLACK } from "./kernel.ts";
import type { ByteSource } from "./source.ts";

/** A record longer than this is set aside, not gathered (performance.md section 3). */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;
/** Read at a time at least. */
const LEAST_BYTES = 4096;
const LINE_FEED = 10;
const QUOTE = 34;

/** The piece of a text that lies in a kernel: [FIRST, limit), of which what is before `position` has been read. */
export interface TextWindow {
  kernel: Kernel;
  limit: number;
  position: number;
  /** Bytes of the text before the piece. */
  base: number;
  /** Physical line, and ordinal among records, of what is at `position`. */
  line: number;
  record: number;
  /** Keeps what is not yet read, makes room, and reads more, up to some `most` bytes of text in all where that is given. false at the end of the source. */
  refill(most?: number): Promise<boolean>;
  /** Reads past so many bytes. false where there are not so many. */
  skip(bytes: number): Promise<boolean>;
  /** Whether the record at `position` is too long to gather. */
  isOversize(): boolean;
  /** Reads past a record that is too long to gather, keeping count of lines; `goesOn` is asked after each piece. false where it said no. */
  passOversize(delimiter: number, goesOn: () => boolean | Promise<boolean>): Promise<boolean>;
}

export interface WindowOptions {
  readonly source: ByteSource;
  /** First size of the window; it grows for a longer record, up to `MAX_RECORD_BYTES`. */
  readonly capacity: number;
  readonly line: number;
  readonly record: number;
  /** Where the next piece goes: the same kernel, or another that is free. */
  nextKernel(): Kernel | Promise<Kernel>;
}

export function createWindow(first: Kernel, { source, capacity: firstCapacity, line, record, nextKernel }: WindowOptions): TextWindow {
  let capacity = firstCapacity;
  const window: TextWindow = {
    kernel: first,
    limit: FIRST,
    position: FIRST,
    base: 0,
    line,
    record,
    async refill(most = capacity) {
      const { kernel: before, position, limit } = window;
      const keptBytes = limit - position;
      const kernel = await nextKernel();
      if (keptBytes >= capacity && capacity < MAX_RECORD_BYTES) capacity = Math.min(capacity * 2, MAX_RECORD_BYTES);
      kernel.grow(capacity);
      if (kernel !== before) kernel.bytes.set(before.bytes.subarray(position, limit), FIRST);
      else if (position > FIRST) kernel.bytes.copyWithin(FIRST, position, limit);
      window.kernel = kernel;
      window.base += position - FIRST;
      window.position = FIRST;
      window.limit = FIRST + keptBytes;
      const count = await source.read(kernel.bytes, window.limit, Math.min(capacity, Math.max(most, keptBytes + LEAST_BYTES)) - keptBytes);
      window.limit += count;
      kernel.bytes.fill(LINE_FEED, window.limit, window.limit + SLACK);
      return count > 0;
    },
    async skip(bytes) {
      for (let left = bytes; left > 0; ) {
        window.position = window.limit;
        if (!(await window.refill())) return false;
        const passed = Math.min(left, window.limit - FIRST);
        window.position = FIRST + passed;
        left -= passed;
      }
      return true;
    },
    isOversize: () => window.limit - window.position >= MAX_RECORD_BYTES,
    async passOversize(delimiter, goesOn) {
      let isInside = false;
      let isFieldStart = true;
      let closedAt = false;
      for (;;) {
        const { kernel, limit } = window;
        while (window.position < limit) {
          const byte = kernel.bytes[window.position] as number;
          window.position += 1;
          if (byte === LINE_FEED) window.line += 1;
          if (isInside) {
            if (byte === QUOTE) {
              isInside = false;
              closedAt = true;
            }
            continue;
          }
          if (byte === QUOTE && (isFieldStart || closedAt)) isInside = true;
          closedAt = false;
          isFieldStart = byte === delimiter;
          if (byte === LINE_FEED) {
            window.record += 1;
            return true;
          }
        }
        if (!(await window.refill())) {
          window.record += 1;
          return true;
        }
        if (!(await goesOn())) return false;
      }
    },
  };
  return window;
}
