// Imports, undoes and redoes without end until it is killed: kill.test.ts. Arguments: ledger, runner, file…
import { createEngine } from "../../../../main/engine/serve.ts";

const [ledger = "", jobRunner = "inline", ...files] = process.argv.slice(2);
const project = new URL("../../../../", import.meta.url);
const engine = createEngine({
  ledgerPath: null,
  userDataFolder: `${ledger}.data`,
  resourcesFolder: new URL("resources", project).pathname,
  jobRunner: jobRunner === "thread" ? "thread" : "inline",
  readerFile: new URL("main/engine/import/reader.ts", project),
  emit: () => undefined,
});

function must<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: { readonly code: string } }): T {
  if (result.ok) return result.value;
  process.stdout.write(`refused ${result.error.code}\n`);
  process.exit(1);
}

must(await engine.ask("ledger.open", { file: ledger, create: false }));
process.stdout.write("started\n");
for (;;) {
  const { plan } = must(await engine.ask("import.preview", { files, options: { timezone: "UTC" } }));
  const { files: posted } = must(await engine.ask("import.post", { plan }));
  process.stdout.write("posted\n");
  const batches = posted.flatMap(({ batch, state }) => (batch === null || state !== "posted" ? [] : [batch]));
  // The files of one plan came together; taken back one by one, in between is a state of its own, so the test imports one file.
  for (const batch of batches) must(await engine.ask("batches.undo", { batch }));
  process.stdout.write("undone\n");
  for (const batch of batches) must(await engine.ask("batches.redo", { batch }));
  for (const batch of batches) must(await engine.ask("batches.undo", { batch }));
}
