import type { ImportProgress } from "../state/work.ts";
import type { Speech } from "./WordsProvider.tsx";

/** "Reading aws.csv.gz: 3,300,000 rows, 41.2 of 63.0 MB, 22.1 MB a second, 9 s left". */
export function progressText(progress: ImportProgress, { say, words }: Pick<Speech, "say" | "words">): string {
  if (progress.stage === "comparing") return say("progress.comparing", { file: progress.file });
  if (progress.stage === "working-out") return say("progress.working-out", { file: progress.file });
  const facts = { file: progress.file, rows: words.count(progress.rowsRead), read: words.bytes(progress.bytesRead), total: words.bytes(progress.bytesTotal) };
  if (progress.bytesPerSecond === null || progress.secondsLeft === null) return say("progress.reading", facts);
  return say("progress.reading-left", { ...facts, rate: words.bytes(progress.bytesPerSecond), left: timeLeft(progress.secondsLeft, say) });
}

function timeLeft(seconds: number, say: Speech["say"]): string {
  if (seconds < 90) return say("time.seconds", { count: Math.max(1, Math.round(seconds)) });
  return say("time.minutes", { count: Math.round(seconds / 60) });
}
