import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeData, startHost } from "../../../support/host.ts";

describe.skipIf(process.platform === "win32")("a stored signing key that others can read", () => {
  test.each([
    [0o600, "0600", false],
    [0o640, "0640", true],
    [0o644, "0644", true],
  ])("of mode %o", async (mode, shown, warns) => {
    await using data = await makeData();
    const path = join(data.folder, "signing-key");
    await (await startHost({ data })).stop();
    expect(existsSync(path)).toBe(true);
    chmodSync(path, mode);
    // Only a warning: the operator decides.
    await using host = await startHost({ data });
    const warning = `${path} has mode ${shown}, so other users can access the key; run: chmod 600 ${path}`;
    expect(host.err().includes(warning)).toBe(warns);
  });
});
