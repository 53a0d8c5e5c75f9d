import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of its own that can be filled and made read-only. */
export interface SmallDisk {
  readonly path: string;
  grow(kibibytes: number): void;
  makeReadOnly(): void;
  remove(): void;
}

/** null where the system lets nobody mount one (not root, or a container without the right): the test then says that it is skipped. */
export function smallDisk(kibibytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "gpu-ledger-disk-"));
  const mount = (...options: string[]): void => void execFileSync("mount", options, { stdio: "ignore" });
  try {
    mount("-t", "tmpfs", "-o", `size=${kibibytes}k`, "tmpfs", path);
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  return {
    path,
    grow: (more) => mount("-o", `remount,size=${more}k`, path),
    makeReadOnly: () => mount("-o", "remount,ro", path),
    remove() {
      execFileSync("umount", [path], { stdio: "ignore" });
      rmSync(path, { recursive: true });
    },
  };
}
