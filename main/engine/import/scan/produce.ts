/**
 * The half of a scan that can go on in a thread of its own: bytes are read, inflated and hashed, rows found and read by the kernel, in a ring of
 * memories that both threads see. What stands in the rows is the other half's (beside.ts).
 */
import type { MessagePort } from "node:worker_threads";
import { SourceError, type SourceFailure } from "./failure.ts";
import type { Kernel, KernelMemory, KernelTables } from "./kernel.ts";
import { kernelOn, LINES, NEXT } from "./kernel.ts";
import { openPlain, readPast } from "./plain.ts";
import type { ByteSource, SourceOptions } from "./source.ts";
import { createWindow, type TextWindow } from "./window.ts";

export interface Production {
  readonly source: SourceOptions;
  /** It lies on disk as it is scanned. */
  readonly isPlain: boolean;
  readonly delimiter: number;
  readonly from: { readonly byte: number; readonly line: number; readonly record: number };
  readonly tables: KernelTables;
  /** The ring, and how much text each of it takes at first. */
  readonly memories: readonly KernelMemory[];
  readonly capacity: number;
}

interface Place {
  readonly position: number;
  readonly line: number;
  readonly record: number;
}

/** What the producer says; it may go on with a memory of the ring once its number has come back. */
export type Produced =
  | {
      readonly kind: "piece";
      readonly slot: number;
      /** The first record of the scan, where this piece has it. */
      readonly lead: Place | null;
      /** Rows as the kernel read them. */
      readonly rows: Place;
      readonly count: number;
      /** What is behind them: of the last piece, it is records too. */
      readonly rest: Place;
      readonly isLast: boolean;
      readonly limit: number;
      readonly base: number;
      readonly bytesTaken: number;
    }
  | { readonly kind: "oversize"; readonly line: number; readonly record: number }
  | { readonly kind: "passing"; readonly bytesTaken: number }
  | { readonly kind: "end"; readonly sha256: string }
  | { readonly kind: "failed"; readonly failure: SourceFailure };

/** Text read at a time at first. */
const FIRST_BYTES = 256 * 1024;

/** Says what it finds through the port, the end or a failure last. Throws only what is a fault of ours. */
export async function produceRows(port: MessagePort, production: Production): Promise<void> {
  const say = (message: Produced): void => port.postMessage(message);
  let source: ByteSource | null = null;
  try {
    source = await openFor(production);
    await produce(port, source, production, say);
    say({ kind: "end", sha256: await source.sha256() });
  } catch (fault) {
    if (source !== null && !(fault instanceof SourceError)) throw fault;
    say({ kind: "failed", failure: (fault instanceof SourceError ? fault : (await import("./archive.ts")).failureOf(fault)).failure });
  } finally {
    await source?.close();
  }
}

/** A plain file needs nothing of what opens all others. */
async function openFor({ source: options, isPlain }: Production): Promise<ByteSource> {
  if (!isPlain) return (await import("./source.ts")).openSource(options);
  const source = openPlain(options.path, 0, options.isHashed ? "as-fits" : null);
  await readPast(source, options.markLength);
  return source;
}

async function produce(port: MessagePort, source: ByteSource, { delimiter, from, tables, memories, capacity }: Production, say: (message: Produced) => void): Promise<void> {
  const kernels = memories.map(kernelOn);
  for (const kernel of kernels) kernel.prepare(tables);
  const free = kernels.map((_kernel, slot) => slot).slice(1);
  let wake = (): void => undefined;
  port.on("message", (slot: number) => {
    free.push(slot);
    wake();
  });
  let slot = 0;
  let isHandedOver = false;
  const window = createWindow(kernels[0] as Kernel, {
    source,
    capacity,
    line: from.line,
    record: from.record,
    async nextKernel() {
      if (isHandedOver) {
        while (free.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        slot = free.shift() as number;
        isHandedOver = false;
      }
      return kernels[slot] as Kernel;
    },
  });

  /** The first record of the scan, past blank lines; null where it is not whole yet. */
  function findLead(isAtEnd: boolean): Place | null {
    const { kernel } = window;
    while (window.position < window.limit) {
      const place = placeIn(window);
      const found = kernel.findRecord(place.position, window.limit, delimiter, isAtEnd);
      if (found === 0) return null;
      window.line += 1 + (found === 1 ? (kernel.answer[LINES] as number) : 0);
      window.record += found === 1 ? 1 : 0;
      window.position = kernel.answer[NEXT] as number;
      if (found === 1) return place;
    }
    return null;
  }

  let hasLead = false;
  let wanted = FIRST_BYTES;
  if (!(await window.skip(from.byte))) return;
  for (;;) {
    const isAtEnd = !(await window.refill(wanted));
    const { kernel } = window;
    const lead: Place | null = hasLead ? null : findLead(isAtEnd);
    hasLead ||= lead !== null;
    const rows = placeIn(window);
    let count = 0;
    if (hasLead) {
      count = kernel.readRows(window.position, window.limit, delimiter);
      window.position = kernel.answer[0] as number;
      window.line += kernel.answer[1] as number;
      window.record += count;
    }
    const isFull = count === kernel.mostRows();
    const isLast = isAtEnd && !isFull;
    if (lead !== null || count > 0 || isLast) {
      const { base, limit } = window;
      isHandedOver = true;
      say({ kind: "piece", slot, lead, rows, count, rest: placeIn(window), isLast, limit, base, bytesTaken: source.bytesTaken() });
      // Next time about as much text as there is room for rows of.
      wanted = isFull ? window.position - rows.position : Math.min(capacity, wanted * 2);
    } else wanted = Infinity;
    if (isLast) return;
    if (!window.isOversize()) continue;
    const { line, record } = window;
    await window.passOversize(delimiter, () => {
      say({ kind: "passing", bytesTaken: source.bytesTaken() });
      return true;
    });
    say({ kind: "oversize", line, record });
  }
}

function placeIn({ position, line, record }: TextWindow): Place {
  return { position, line, record };
}
