import { runCli } from "../cli/index.ts";

/** What follows `--headless` on the command line; null without it. */
export function headlessArguments(commandLine: readonly string[]): readonly string[] | null {
  const at = commandLine.indexOf("--headless");
  return at === -1 ? null : commandLine.slice(at + 1);
}

/** The terminal's job, done by the app itself: a packaged app has no other Node to run it. */
export async function runHeadless(words: readonly string[]): Promise<number> {
  return await runCli([...words]);
}
