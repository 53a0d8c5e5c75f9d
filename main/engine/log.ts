import { appendFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./files.ts";

/** Facts of an event: codes, counts and times. Never a cost, a name of the person's, or what a file holds. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface EngineLog {
  write(event: string, fields?: LogFields): void;
}

/** Past this size the log begins anew; the last three are kept. */
const MOST_BYTES = 1_000_000;
const KEPT = 3;

/** A log of JSON lines, `engine.log`, in a folder. A log that cannot be written keeps nobody from working. */
export function openLog(folder: string, now: () => Date): EngineLog {
  const file = join(folder, "engine.log");
  return {
    write(event, fields = {}) {
      try {
        makeFolder(folder);
        if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) rotate(file);
        appendFileSync(file, `${JSON.stringify({ at: now().toISOString(), event, ...fields })}\n`);
      } catch {
        // A full or read-only disk: the answer to the person says so, the log cannot.
      }
    },
  };
}

/** Of a fault: what kind and where in the program, without its message, which may quote a file. */
export function faultFields(fault: unknown): LogFields {
  if (!(fault instanceof Error)) return { kind: typeof fault };
  const code = "code" in fault && typeof fault.code === "string" ? fault.code : null;
  const frames = (fault.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return { kind: fault.name, code, stack: frames.slice(0, 12).map((line) => line.trim()).join(" | ") };
}

function rotate(file: string): void {
  rmSync(`${file}.${KEPT}`, { force: true });
  for (let index = KEPT - 1; index >= 1; index -= 1) {
    if (statSync(`${file}.${index}`, { throwIfNoEntry: false }) !== undefined) renameSync(`${file}.${index}`, `${file}.${index + 1}`);
  }
  renameSync(file, `${file}.1`);
}
