import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
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

/** Writes a file until its disk is full, whatever others write meanwhile. */
export function fillDisk(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== "ENOSPC") throw err;
  } finally {
    closeSync(file);
  }
}

export const canMount: boolean = (() => {
  using disk = smallDisk("1m");
  return disk !== undefined;
})();
