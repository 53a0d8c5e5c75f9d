import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCli } from "../../main/cli/index.ts";
import { createEngine, type Engine, type EngineOptions } from "../../main/engine/serve.ts";
import type { LedgerError } from "../../shared/contract/errors.ts";
import type { ImportOptions } from "../../shared/contract/methods.ts";
import type { Result } from "../../shared/result.ts";

/** What a cause of an error has to work with: a folder, files in it, an engine with an empty ledger, the terminal. */
export interface World {
  readonly folder: string;
  /** `mine.gpuledger`, empty and open in `engine`. */
  readonly ledger: string;
  readonly engine: Engine;
  /** Writes a file into the folder and gives its path. */
  file(name: string, content: string | Buffer): string;
  /** Another engine; closed with the world. */
  another(options?: Partial<EngineOptions>): Engine;
  /** Previews one file: the error it is refused with. */
  refusalOf(path: string, options?: ImportOptions): Promise<LedgerError>;
  /** Imports one file; gives its batch. */
  post(path: string): Promise<number>;
  /** The error that a command line ends with. */
  terminal(...words: string[]): Promise<LedgerError>;
  close(): Promise<void>;
}

export type Cause = (world: World) => Promise<LedgerError>;

const resourcesFolder = join(import.meta.dirname, "../../resources");

export async function makeWorld(folder: string): Promise<World> {
  const engines: Engine[] = [];
  const another = (options: Partial<EngineOptions> = {}): Engine => {
    const engine = createEngine({ ledgerPath: null, userDataFolder: join(folder, "data"), resourcesFolder, jobRunner: "inline", emit: () => undefined, ...options });
    engines.push(engine);
    return engine;
  };
  const ledger = join(folder, "mine.gpuledger");
  const engine = another();
  answerOf(await engine.ask("ledger.open", { file: ledger, create: true }));
  const preview = async (path: string, options: ImportOptions) => answerOf(await engine.ask("import.preview", { files: [path], options }));
  return {
    folder,
    ledger,
    engine,
    another,
    file(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    async refusalOf(path, options = {}) {
      const { files } = await preview(path, options);
      const error = files[0]?.error ?? null;
      if (error === null) throw new Error(`${path} is not refused: ${files[0]?.state}`);
      return error;
    },
    async post(path) {
      const { plan } = await preview(path, {});
      const { files } = answerOf(await engine.ask("import.post", { plan }));
      const batch = files[0]?.batch ?? null;
      if (batch === null) throw new Error(`${path} was not posted: ${JSON.stringify(files[0]?.error)}`);
      return batch;
    },
    async terminal(...words) {
      let out = "";
      await runCli([...words, "--json"], { out: (text) => (out += text), err: () => undefined, environment: {} });
      return (JSON.parse(out) as { error: LedgerError }).error;
    },
    async close() {
      for (const each of engines) await each.close();
    },
  };
}

export function answerOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

export function errorOf(result: Result<unknown>): LedgerError {
  if (result.ok) throw new Error("it was answered, not refused");
  return result.error;
}
