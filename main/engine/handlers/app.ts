import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../../shared/contract/methods.ts";
import { err, ok, type Result } from "../../../shared/result.ts";
import type { EngineContext } from "../context.ts";
import { makeFolder, writeWhole } from "../files.ts";
import { storeTrouble } from "../store/trouble.ts";
import type { HandlersOf } from "./index.ts";

/** The one setting that is the ledger's own: whether it is the sample company's. Everything else is of the person, whatever ledger is open. */
const IS_SAMPLE = "ledger.is-sample";

export const appHandlers: HandlersOf<"app.info" | "settings.read" | "settings.save"> = {
  "app.info": ({ options }) =>
    ok({ version: versionBeside(options.resourcesFolder), platform: process.platform, isPackaged: /[\\/]app\.asar[\\/]?/.test(options.resourcesFolder) }),

  "settings.read": (context) => ok(readSettings(context)),

  async "settings.save"(context, { values }) {
    const { [IS_SAMPLE]: isSample, ...own } = values;
    if (isSample !== undefined) {
      const marked = await context.exclusive(() => Promise.resolve(markSample(context, isSample === "true")));
      if (!marked.ok) return marked;
    }
    if (Object.keys(own).length === 0) return ok(readSettings(context));
    const settings = Object.fromEntries(Object.entries({ ...readOwn(context), ...own }).filter(([, value]) => value !== null));
    try {
      makeFolder(context.options.userDataFolder);
    } catch (fault) {
      const trouble = storeTrouble(fault, "settings.json");
      if (trouble === null) throw fault;
      return err(trouble);
    }
    const written = writeWhole(settingsFile(context), `${JSON.stringify(settings, null, 2)}\n`);
    return written.ok ? ok(readSettings(context)) : written;
  },
};

function markSample(context: EngineContext, isSample: boolean): Result<null> {
  const opened = context.writable();
  if (!opened.ok) return opened;
  const { ledger, jobs } = opened.value;
  jobs.write(() =>
    ledger.db
      .transaction(() => {
        ledger.db.prepare("UPDATE ledger_info SET Value = ? WHERE Key = 'is-sample'").run(isSample ? "1" : "0");
        ledger.bump();
      })
      .immediate(),
  );
  return ok(null);
}

/** What the person has set, and whether the open ledger is the sample company's. */
export function readSettings(context: EngineContext): Settings {
  const opened = context.open();
  const own = readOwn(context);
  return opened.ok ? { ...own, [IS_SAMPLE]: String(isSampleLedger(opened.value.ledger.db)) } : own;
}

export function isSampleLedger(db: { prepare(text: string): { pluck(): { get(): unknown } } }): boolean {
  return db.prepare("SELECT Value FROM ledger_info WHERE Key = 'is-sample'").pluck().get() === "1";
}

/** What the person has set. A file that cannot be read as settings is as good as none. */
function readOwn(context: EngineContext): Settings {
  const file = settingsFile(context);
  if (!existsSync(file)) return {};
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}

function settingsFile({ options }: EngineContext): string {
  return join(options.userDataFolder, "settings.json");
}

/** The version in package.json, which lies beside the resources in the project and in the packaged app alike. */
function versionBeside(resourcesFolder: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(resourcesFolder, "..", "package.json"), "utf8")) as { readonly version?: unknown };
    return typeof version === "string" ? version : "";
  } catch {
    return "";
  }
}
