import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Data } from "./host.ts";

/** A file system in memory of this size, as `8m`; undefined where we may not mount one. */
export function smallDisk(size: string): (Data & Disposable) | undefined {
  const folder = mkdtempSync(join(tmpdir(), "platform-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=755`, "tmpfs", folder], {
      stdio: "pipe",
    });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    env: {},
    [Symbol.asyncDispose]: async () => {},
    [Symbol.dispose]() {
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const canMount: boolean = (() => {
  using disk = smallDisk("1m");
  return disk !== undefined;
})();
