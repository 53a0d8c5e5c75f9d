import { basename, isAbsolute, resolve } from "node:path";
import type { BrowserWindow, Dialog, OpenDialogOptions } from "electron";
import type { MethodInput } from "../../shared/contract/methods.ts";
import { methods } from "../../shared/contract/methods.ts";
import type { MethodName } from "../../shared/contract/names.ts";
import { tokenFieldsOf } from "../../shared/contract/token.ts";

/** What the window knows of a file: a word that means it, and its name. The path stays here. */
export interface FileToken {
  readonly token: string;
  readonly name: string;
}

export interface FileTokens {
  /** Absolute path to token. The same path has the same token for as long as the app runs. */
  give(path: string): FileToken;
  /** Token to path; null for a token never given. */
  pathOf(token: string): string | null;
}

/** Trades paths for tokens. `chance` makes a word that cannot be guessed. */
export function createFileTokens(chance: () => string): FileTokens {
  const paths = new Map<string, string>();
  const tokens = new Map<string, string>();
  return {
    give(path) {
      const whole = resolve(path);
      let token = tokens.get(whole);
      if (token === undefined) {
        token = chance();
        tokens.set(whole, token);
        paths.set(token, whole);
      }
      return { token, name: basename(whole) };
    },
    pathOf: (token) => paths.get(token) ?? null,
  };
}

/** Which fields of each question hold tokens, by the contract itself: none can be forgotten here. */
const tokenFields: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(methods).map(([question, { input }]) => [question, tokenFieldsOf(input)]));

/**
 * The question as the engine reads it: paths where the window had tokens. `null` if it holds anything that was never
 * given as a token, a path above all. A field of the wrong shape is left alone: the contract's schema refuses it.
 */
export function withPaths(tokens: FileTokens, question: MethodName, input: unknown): { readonly input: unknown } | null {
  const fields = (tokenFields.get(question) ?? []).filter((field) => typeof input === "object" && input !== null && Object.hasOwn(input, field));
  let read = input;
  for (const field of fields) {
    const held: unknown = (read as Record<string, unknown>)[field];
    if (held === null) continue;
    const paths = (Array.isArray(held) ? held : [held]).map((token: unknown) => (typeof token === "string" ? tokens.pathOf(token) : null));
    if (paths.includes(null)) return null;
    read = { ...(read as object), [field]: Array.isArray(held) ? paths : paths[0] };
  }
  return { input: read };
}

/**
 * The answer as the window may see it: every `path`, and the `file` of an export, cut to the file's name. Only what was told of files names
 * any, and the posting of those that were previewed.
 */
export function withoutPaths(question: MethodName, answer: unknown): unknown {
  return question === "import.post" || (tokenFields.get(question) ?? []).length > 0 ? cut(answer) : answer;
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]: [string, unknown]) => [
      key,
      (key === "path" || key === "file") && typeof held === "string" ? nameOf(held) : cut(held),
    ]),
  );
}

/** A file's name; for what lies in an archive the archive's, and its place in there. */
function nameOf(path: string): string {
  const [, archive, member] = /^(.*?[^/\\]\.\w+)( › .*)$/s.exec(path) ?? [];
  return `${(archive ?? path).replace(/^.*[/\\]/s, "")}${member ?? ""}`;
}

/** Files dropped on the window, as the preload found their paths. Null if it is no list of absolute paths. */
export function droppedFiles(tokens: FileTokens, paths: unknown): readonly FileToken[] | null {
  if (!Array.isArray(paths) || paths.length > 10_000) return null;
  const list = paths as readonly unknown[];
  if (!list.every((path): path is string => typeof path === "string" && path.length <= 4096 && !path.includes("\0") && isAbsolute(path))) return null;
  return list.map((path) => tokens.give(path));
}

type Choice = MethodInput<"files.choose">;

/** The system's dialog for one purpose; an empty list if the person changed their mind. */
export async function chooseFiles(dialog: Dialog, window: BrowserWindow, tokens: FileTokens, { kind, suggestedName }: Choice): Promise<readonly FileToken[]> {
  const suggested = suggestedName === undefined ? {} : { defaultPath: basename(suggestedName) };
  if (kind === "ledger-save" || kind === "export-save") {
    const filters = kind === "ledger-save" ? ledgerFilters : [];
    const { canceled, filePath } = await dialog.showSaveDialog(window, { ...suggested, filters });
    return canceled || filePath === "" ? [] : [tokens.give(filePath)];
  }
  const { canceled, filePaths } = await dialog.showOpenDialog(window, openOptions[kind]);
  return canceled ? [] : filePaths.map((path) => tokens.give(path));
}

const ledgerFilters = [{ name: "GPU Ledger", extensions: ["gpuledger"] }];

const openOptions: Readonly<Record<"import" | "folder" | "ledger-open", OpenDialogOptions>> = {
  // No filter: bills come as .csv, .csv.gz, .txt and with no ending at all, and what they are is seen from their bytes.
  import: { properties: ["openFile", "multiSelections"] },
  folder: { properties: ["openDirectory"] },
  "ledger-open": { properties: ["openFile"], filters: ledgerFilters },
};
