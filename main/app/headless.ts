import { processStreams, runCli } from "../cli/index.ts";
import type { CliStreams } from "../cli/index.ts";

/** What follows `--headless` on the command line; null without it. */
export function headlessArguments(commandLine: readonly string[]): readonly string[] | null {
  const at = commandLine.indexOf("--headless");
  return at === -1 ? null : commandLine.slice(at + 1);
}

/** The terminal's job, done by the app itself: a packaged app has no other Node to run it. */
export async function runHeadless(words: readonly string[], inside: Pick<CliStreams, "pdf" | "connect">): Promise<number> {
  // Electron would show a fault in a window, which nobody sees and nothing closes.
  process.on("uncaughtException", (fault) => {
    complain(fault);
    process.exit(1);
  });
  try {
    return await runCli([...words], { ...processStreams(), ...inside });
  } catch (fault) {
    complain(fault);
    return 1;
  }
}

function complain(fault: unknown): void {
  process.stderr.write(`${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`);
}
