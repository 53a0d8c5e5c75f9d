import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";

/**
 * Who may import whom. A file belongs to the first room whose pattern it fits; what it imports, as a path from the
 * project's folder or a package's name, must fit one of that room's patterns.
 */
interface Room {
  readonly room: string;
  readonly files: RegExp;
  readonly may: readonly RegExp[];
}
const sharedButWords = /^shared\/(?!i18n\/)/;
const networkFree = /^node:(?!(net|http|https|http2|tls|dgram|dns|inspector)(\/|$))/;
const fileLibraries = /^(csv-parse|csv-stringify|hyparquet|hyparquet-compressors|yauzl|tar-stream|saxes|stream-json|read-excel-file|write-excel-file|temporal-polyfill|zod)(\/|$)/;
const viewLibraries = /^(react|react-dom|zustand|i18next|react-i18next|echarts|@tanstack\/react-(query|table|virtual)|react-aria-components|temporal-polyfill|@fontsource-variable\/[\w-]+)(\/|$)/;

const rooms: readonly Room[] = [
  { room: "shared knows only itself and zod", files: /^shared\//, may: [/^shared\//, /^zod$/] },
  {
    room: "figures are pure: shared, each other and the sql tag; no SQLite, no files",
    files: /^main\/engine\/(metrics|planning|carbon|budgets|allocation)\//,
    may: [sharedButWords, /^main\/engine\/(metrics|planning|carbon|budgets|allocation)\//, /^main\/engine\/store\/sql\.ts$/, /^temporal-polyfill$/],
  },
  { room: "the store alone opens SQLite", files: /^main\/engine\/store\//, may: [sharedButWords, /^main\/engine\//, networkFree, fileLibraries, /^better-sqlite3$/] },
  { room: "the engine knows no Electron, network, language or SQLite outside the store", files: /^main\/engine\//, may: [sharedButWords, /^main\/engine\//, networkFree, fileLibraries] },
  { room: "connect knows shared and the AWS SDK", files: /^main\/connect\//, may: [/^shared\//, /^main\/connect\//, /^node:/, /^@aws-sdk\//] },
  { room: "app composes main under Electron", files: /^main\/(app\/|index\.ts$)/, may: [/^shared\//, /^main\//, /^node:/, /^i18next$/, /^electron$/] },
  { room: "the terminal knows main without Electron", files: /^main\/cli\//, may: [/^shared\//, /^main\/(?!app\/)/, /^node:/, /^i18next$/] },
  { room: "the preload knows the contract's names and Electron", files: /^preload\//, may: [/^preload\//, /^shared\/contract\/(names|events)\.ts$/, /^electron$/] },
  { room: "the renderer knows shared and view libraries", files: /^renderer\//, may: [/^shared\//, /^renderer\//, viewLibraries] },
];

/** What would reach past the import rules. */
const wordRules = [
  { rule: "the engine opens no connection", files: /^main\/engine\//, never: /\b(fetch|WebSocket|EventSource|XMLHttpRequest)\s*\(/ },
  { rule: "time and chance are passed in", files: /^main\/engine\/(metrics|planning|carbon|budgets|allocation)\//, never: /\b(Date\.now|new Date\(\)|Math\.random|performance\.now|Temporal\.Now|randomUUID)/ },
];

/** Lists written by hand, and the folders whose every file they name, themselves or through a sibling. */
const lists = [
  { list: "main/engine/formats/index.ts", folders: ["main/engine/formats/billing", "main/engine/formats/telemetry"] },
  { list: "main/engine/metrics/index.ts", folders: ["main/engine/metrics"] },
  { list: "main/engine/reports/index.ts", folders: ["main/engine/reports"] },
  { list: "main/engine/print/index.ts", folders: ["main/engine/print"] },
  { list: "main/engine/store/migrations/index.ts", folders: ["main/engine/store/migrations"] },
];

const project = join(import.meta.dirname, "..");
const sources = ["shared", "main", "preload", "renderer"].flatMap((folder) => sourcesUnder(folder));

describe("the house", () => {
  it.each(rooms)("$room", ({ files, may }) => {
    const room = rooms.find((candidate) => candidate.files === files);
    const trespasses = sources
      .filter((file) => rooms.find((candidate) => candidate.files.test(file)) === room)
      .flatMap((file) => importsOf(file).map((imported) => ({ file, imported })))
      .filter(({ imported }) => !may.some((pattern) => pattern.test(imported)))
      .map(({ file, imported }) => `${file} imports ${imported}, but: ${room?.room}`);
    expect(trespasses).toEqual([]);
  });

  it("has a room for every file", () => {
    expect(sources.filter((file) => !rooms.some(({ files }) => files.test(file)))).toEqual([]);
  });

  it.each(wordRules)("$rule", ({ rule, files, never }) => {
    const trespasses = sources.filter((file) => files.test(file)).flatMap((file) => {
      const found = never.exec(withoutComments(file));
      return found === null ? [] : [`${file} says ${found[0]}, but: ${rule}`];
    });
    expect(trespasses).toEqual([]);
  });

  it.each(lists.filter(({ list }) => existsSync(join(project, list))))("$list names every file of its folders", ({ list, folders }) => {
    const files = sources.filter((file) => file !== list && folders.includes(posix.dirname(file)));
    const named = new Set([list, ...files].flatMap(importsOf));
    expect(files.filter((file) => !named.has(file)).map((file) => `${file} is missing in ${list}`)).toEqual([]);
  });
});

function sourcesUnder(folder: string): readonly string[] {
  if (!existsSync(join(project, folder))) return [];
  return readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
    .sort();
}

/** What a file imports: a path from the project's folder, or a package's name. */
function importsOf(file: string): readonly string[] {
  return ts
    .preProcessFile(readFileSync(join(project, file), "utf8"), true, true)
    .importedFiles.map(({ fileName }) => (fileName.startsWith(".") ? posix.join(dirname(file), fileName) : fileName));
}

function withoutComments(file: string): string {
  return readFileSync(join(project, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
}
