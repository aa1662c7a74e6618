import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeUploadFolder } from "../../../generator/runtime/src/uploads-on-disk.ts";

const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);

test("the first folder of a process removes folders of killed processes, and none that may be in use", async () => {
  const parent = await mkdtemp(join(tmpdir(), "upload-folder-test-"));
  const dead = await endedProcess();
  const leave = async (name: string, fileFrom: Date): Promise<string> => {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, "0"), "picture");
    await utimes(join(parent, name, "0"), fileFrom, fileFrom);
    await utimes(join(parent, name), longAgo, longAgo);
    return name;
  };
  try {
    await leave(`ridlkit-upload-${dead}-aaaaaa`, longAgo);
    await leave(`ridlkit-upload-${process.pid}-bbbbbb`, longAgo);
    const kept = [
      await leave(`ridlkit-upload-${process.ppid}-cccccc`, longAgo),
      await leave(`ridlkit-upload-${dead}-dddddd`, new Date()),
      await leave("somebody-elses", longAgo),
    ];
    const own = basename(await makeUploadFolder(parent));
    expect(own).toMatch(new RegExp(`^ridlkit-upload-${process.pid}-`));
    await vi.waitFor(
      async () => expect((await readdir(parent)).sort()).toEqual([...kept, own].sort()),
      30_000,
    );
  } finally {
    await rm(parent, { recursive: true });
  }
});

/** Returns the id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return child.pid ?? 0;
}
