import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHost, startHost } from "../../../support/host.ts";
import { canMount, fillDisk, smallDisk } from "../../../support/small-disk.ts";

if (!canMount) console.log("Logs on full disks are left out: no file system can be mounted here.");

test.runIf(canMount)(
  "a log that cannot be written loses lines, counts and tells them, and holds up neither calls nor the stop",
  async () => {
    using disk = smallDisk("64k");
    if (disk === undefined) return;
    const path = join(disk.folder, "log");
    const filler = join(disk.folder, "filler");
    const file = openSync(path, "a");
    await using host = await startHost({ errTo: file });
    closeSync(file);
    const headers = { "content-type": "application/json" };
    const ping = async (): Promise<number> =>
      (await fetch(`${host.url}/rpc/API/Ping`, { method: "POST", headers, body: "{}" })).status;
    const lost = async (): Promise<number> => {
      const text = await (await fetch(`${host.adminUrl}/metrics`)).text();
      return Number(/^platform_log_lines_lost ([0-9]+)$/m.exec(text)?.[1]);
    };
    fillDisk(filler);
    for (let calls = 0; calls < 200; calls++) expect(await ping()).toBe(200);
    await expect.poll(lost).toBeGreaterThan(50);
    rmSync(filler);
    expect(await ping()).toBe(200);
    await expect.poll(() => readFileSync(path, "utf8")).toMatch(/"lines":[0-9]+,"msg":"log lines were lost/);
    fillDisk(filler);
    for (let calls = 0; calls < 50; calls++) await ping();
    expect(await host.stop()).toBe(0);
  },
);

test.runIf(canMount)("a standard output that cannot be written is reported in one line", async () => {
  using disk = smallDisk("4k");
  if (disk === undefined) return;
  writeFileSync(join(disk.folder, "filler"), Buffer.alloc(4_096));
  const file = openSync(join(disk.folder, "out"), "a");
  const { code, err } = await runHost(["projects", "--help"], {}, file);
  closeSync(file);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/^platform: cannot write to standard output: ENOSPC[^\n]*\n$/),
  });
});
