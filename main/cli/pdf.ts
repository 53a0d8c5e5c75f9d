import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ReportDocument } from "../../shared/contract/report.ts";
import { scopeDimensions } from "../../shared/domain/scope.ts";
import type { Language } from "../../shared/i18n/index.ts";
import type { CommandLine } from "./arguments.ts";

/** Papers that a PDF can be printed on. */
export const papers = ["A4", "Letter"] as const;
export type Paper = (typeof papers)[number];

export function isPaper(text: string): text is Paper {
  return (papers as readonly string[]).includes(text);
}

/** Draws a report document and gives the bytes of its PDF. */
export type PdfPrinter = (document: ReportDocument, how: { readonly language: Language; readonly paper: Paper }) => Promise<Uint8Array>;

/**
 * Starts the app once, without its window, on the same command line: it alone can draw a PDF. Under Xvfb where there is no
 * display. Returns its exit code; what it says goes to `err`, without what Chromium tells of the machine.
 */
export async function startAppFor(line: CommandLine, { project, err }: { readonly project: string; readonly err: (text: string) => void }): Promise<number> {
  const script = join(project, "scripts/with-electron.mjs");
  if (!existsSync(script)) throw new Error("only the project's folder starts an app; a packaged app prints by itself");
  // Chromium's own sandbox does not start as root.
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const child = spawn(process.execPath, [script, "electron", ".", ...asRoot, "--headless", ...wordsOf(line)], { cwd: project, stdio: ["ignore", "inherit", "pipe"] });
  let rest = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const each of lines) if (!isOfChromium(each)) err(`${each}\n`);
  });
  return new Promise((done) => {
    child.on("error", () => done(1));
    child.on("close", (code) => {
      if (rest !== "" && !isOfChromium(rest)) err(`${rest}\n`);
      done(code ?? 1);
    });
  });
}

/** The command line again, its files by their whole path: the app runs in another folder. */
export function wordsOf({ command, positionals, options, scope, flags }: CommandLine): string[] {
  const paths = new Set(["ledger", "out"]);
  return [
    command,
    ...positionals,
    ...optionsOf(options).flatMap(([name, value]) => [`--${name}`, paths.has(name) ? resolve(value) : value]),
    ...scopeDimensions.flatMap((dimension) => (scope[dimension] ?? []).flatMap((value) => ["--scope", `${dimension}=${value ?? ""}`])),
    ...[...flags].map((name) => `--${name}`),
  ];
}

function optionsOf(options: CommandLine["options"]): readonly (readonly [string, string])[] {
  return Object.entries(options).filter((entry): entry is [keyof typeof options, string] => typeof entry[1] === "string");
}

/** Lines like `[123:0101/120000.123:ERROR:bus.cc(407)] …`, which say nothing about the report. */
function isOfChromium(line: string): boolean {
  return line.trim() === "" || /^\[\d+:\d+\/[\d.]+:(ERROR|WARNING|INFO|VERBOSE\d*):/.test(line) || /^(libva|MESA|dbus|Gtk-|\(electron:|Fontconfig)/.test(line);
}
