import { expect, test, vi } from "vitest";
import { runAdmin } from "../../../../server/host/admin/admin.ts";
import { commands } from "../../../../server/host/admin/commands/index.ts";

const line = "platform: follow list failed: internal error: a bug at https://[redacted]@h.example/v1";

test.each([
  ["info", `${line}; for the stack, set LOG_LEVEL=debug\n`],
  ["debug", expect.stringMatching(/^platform: follow list failed: .*\nTypeError: a\n bug at .*\n {4}at /)],
])("with the log level %s, a bug in a command is reported", async (level, err) => {
  const command = commands.find(({ name }) => name === "follow list");
  if (command === undefined) throw new Error("follow list is missing");
  const bug = new TypeError("a\n bug at https://u:pw@h.example/v1");
  using _ = vi.spyOn(command, "run").mockRejectedValue(bug);
  const result = await runAdmin(["follow", "list"], { LOG_LEVEL: level });
  expect(result).toEqual({ out: "", err, code: 1 });
});
