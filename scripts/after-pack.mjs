// Makes a package of the stand-in Electron of the tests (scripts/electron-runtime.sh) complete: it needs the
// better-sqlite3 built for it, and must not carry its default app. Does nothing to a real release.
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export default function afterPack({ appOutDir }) {
  const addon = process.env.GPU_LEDGER_SQLITE_ADDON;
  if (addon === undefined) return;
  const resources = join(appOutDir, "resources");
  copyFileSync(addon, join(resources, "app.asar.unpacked/node_modules/better-sqlite3/prebuilds/linux-x64.node"));
  rmSync(join(resources, "default_app.asar"), { force: true });
}
