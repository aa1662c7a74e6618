import { expect, test } from "vitest";
import { demoTable } from "../../../../server/host/demo/command.ts";

const ready = { url: "http://127.0.0.1:4000", adminUrl: "http://127.0.0.1:4001", networks: [] };
const chainLine = (missing: string | undefined, hasOwnNodes: boolean) =>
  /^ {2}chain +(.*)$/m.exec(
    demoTable({ ready, audienceId: 1, receiverUrl: undefined, missing, hasOwnNodes }),
  )?.[1];

test.each([
  [undefined, false, "none: switched off"],
  ["anvil is not installed", false, "none: anvil is not installed"],
  [undefined, true, "the nodes in your configuration  (31337)"],
  ["anvil is not installed", true, "the nodes in your configuration  (31337)"],
])("without a local chain: %j, own nodes: %s", (missing, hasOwnNodes, line) => {
  expect(chainLine(missing, hasOwnNodes)).toBe(line);
});
