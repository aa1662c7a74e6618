import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { showProgress } from "../../../../server/host/demo/command.ts";
import { LogFile } from "../../../../server/host/observability/log.ts";

test.each([
  [true, "\r\u001b[Kplatform: building …\r\u001b[K{}\n"],
  [false, "{}\n"],
])("a log line replaces a progress line on a terminal (%s)", async (isTTY, written) => {
  const folder = mkdtempSync(join(tmpdir(), "platform-log-"));
  const path = join(folder, "log");
  const fd = openSync(path, "a");
  try {
    const stream = { fd, isTTY, write: (text: string) => writeSync(fd, text) > 0 };
    showProgress(stream as unknown as NodeJS.WriteStream).showStep("building");
    const file = new LogFile(stream, () => "");
    file.write("{}\n");
    await file.close();
    expect(readFileSync(path, "utf8")).toBe(written);
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
});
