import { Worker } from "node:worker_threads";
import { SourceError } from "./failure.ts";
import type { Kernel } from "./kernel.ts";
import { FIRST, giveBack, LINES, NEXT, rowSize, takeKernel } from "./kernel.ts";
import type { Produced, Production } from "./produce.ts";
import { createPlace, type RecordReader, type RowsReader, type RowsScan, type ScanOptions } from "./records.ts";
import { canSeek, type SourceOptions } from "./source.ts";

/** Text of each memory of the ring, and how many there are: one is read, one is filled, and the others are ahead of a slow moment. */
const SLOT_BYTES = 1024 * 1024;
const SLOTS = 4;
/** From this size on disk on, a second thread costs less than it saves. */
const LARGE_BYTES = 16 * 1024 * 1024;

/** Whether a file is worth a thread. */
export function isWorthAThread(size: number): boolean {
  return size >= LARGE_BYTES;
}

/** What reads ahead: the thread, or in tests something that says the same. */
export interface Producer {
  postMessage(slot: number): void;
  on(event: "message", listener: (message: Produced) => void): unknown;
  on(event: "error", listener: (fault: unknown) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  terminate(): Promise<unknown>;
}

export interface BesideScan {
  /** As `scanRecords`, for a reader that takes rows; the bytes are read, and rows found, ahead of it in a thread of their own. Rejects with a `SourceError` as a source does. */
  scan(reader: RecordReader & { readonly rows: RowsReader }): Promise<void>;
  bytesTaken(): number;
  /** Once the scan has ended. */
  sha256(): string;
}

export function besideScan(source: SourceOptions, { delimiter, from = { byte: 0, line: 1, record: 1 }, bufferSize: capacity = SLOT_BYTES }: ScanOptions, start: (production: Production) => Producer = startThread): BesideScan {
  let bytesTaken = 0;
  let sha256 = "";

  async function scanIn(kernels: readonly Kernel[], reader: RecordReader & { readonly rows: RowsReader }): Promise<void> {
    const tables = reader.rows.tables();
    if (tables.rows === null) throw new Error("a scan beside needs a plan of rows");
    const [first] = kernels as readonly [Kernel];
    const producer = start({ source, isPlain: canSeek(source), delimiter, from, tables, memories: kernels.map(({ memory }) => memory), capacity });
    const messages = inTurn(producer);
    const place = createPlace(first);
    let isLast = false;
    let limit = FIRST;
    const many: RowsScan = { kernel: first, count: 0, size: rowSize(tables.rows), line: 0, record: 0, byte: 0, recordOf: (row) => place.recordOf(many, row, limit, delimiter, isLast) };
    let read = 0;
    let single = 0;

    /** false where the reader wants no more. */
    function takePiece({ slot, lead, rows, count, rest, base, ...piece }: Produced & { readonly kind: "piece" }): boolean {
      const kernel = kernels[slot] as Kernel;
      ({ limit, isLast } = piece);
      kernel.refresh();
      place.look(kernel);
      if (lead !== null) {
        kernel.findRecord(lead.position, limit, delimiter, isLast);
        place.describe(lead.position, lead.line, lead.record, base);
        if (!reader.onRecord(place.scan)) return false;
      }
      Object.assign(many, { kernel, count, line: rows.line, record: rows.record, byte: base - FIRST });
      // As `scanRecords`: where most rows must be looked at one by one, the rest of the file is.
      if (single * 2 > read) {
        for (let row = 0; row < count; row += 1) if (!reader.onRecord(many.recordOf(row))) return false;
      } else if (count > 0) {
        single += reader.rows.onRows(many);
        read += count;
      }
      if (!isLast) return true;
      for (let { position, line, record } = rest; position < limit; ) {
        const found = kernel.findRecord(position, limit, delimiter, true);
        const next = kernel.answer[NEXT] as number;
        const lines = 1 + (found === 1 ? (kernel.answer[LINES] as number) : 0);
        if (found === 1) {
          place.describe(position, line, record, base);
          if (!reader.onRecord(place.scan)) return false;
          record += 1;
        }
        position = next;
        line += lines;
      }
      return true;
    }

    try {
      for (;;) {
        const message = await messages();
        if (message.kind === "end") {
          ({ sha256 } = message);
          return;
        }
        if (message.kind === "failed") throw new SourceError(message.failure);
        if (message.kind === "oversize") {
          reader.onOversize({ line: message.line, record: message.record });
          continue;
        }
        ({ bytesTaken } = message);
        if (reader.onBuffer !== undefined && !(await reader.onBuffer())) return;
        if (message.kind !== "piece") continue;
        if (!takePiece(message)) return;
        producer.postMessage(message.slot);
      }
    } finally {
      await producer.terminate();
    }
  }

  return {
    async scan(reader) {
      const kernels = Array.from({ length: SLOTS }, () => takeKernel(capacity));
      try {
        await scanIn(kernels, reader);
      } finally {
        for (const kernel of kernels) giveBack(kernel, SLOT_BYTES);
      }
    },
    bytesTaken: () => bytesTaken,
    sha256: () => sha256,
  };
}

/** Messages one after another as they are asked for. A thread that ended before it said so is a fault. */
function inTurn(producer: Producer): () => Promise<Produced> {
  const heard: Produced[] = [];
  let waiting: { resolve(message: Produced): void; reject(fault: Error): void } | null = null;
  let failure: Error | null = null;
  producer.on("message", (message) => {
    if (waiting === null) heard.push(message);
    else waiting.resolve(message);
    waiting = null;
  });
  const fail = (fault: unknown): void => {
    failure ??= fault instanceof Error ? fault : new Error(String(fault));
    waiting?.reject(failure);
    waiting = null;
  };
  producer.on("error", fail);
  producer.on("exit", () => fail(new Error("the thread that reads ahead ended")));
  return () =>
    new Promise((resolve, reject) => {
      const message = heard.shift();
      if (message !== undefined) resolve(message);
      else if (failure === null) waiting = { resolve, reject };
      else reject(failure);
    });
}

/** Its program lies beside this one, in the bundle too. */
function startThread(production: Production): Producer {
  const file = import.meta.url.endsWith(".ts") ? "./rows-thread.ts" : "./rows-thread.js";
  return new Worker(new URL(file, import.meta.url), { workerData: production, name: "rows" });
}
