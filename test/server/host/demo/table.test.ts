import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { colored, plain } from "../../../../generator/language/diagnostics/paint.ts";
import { demoTable, firstFreePort } from "../../../../server/host/demo/command.ts";

const ready = { url: "http://127.0.0.1:4000", adminUrl: "http://127.0.0.1:4001", networks: [] };
const demo = {
  ready,
  audienceId: 1,
  receiverUrl: undefined,
  missing: undefined,
  hasOwnNodes: false,
  busyPort: undefined,
  paint: plain,
};
const chainLine = (missing: string | undefined, hasOwnNodes: boolean) =>
  /^ {2}chain +(.*)$/m.exec(demoTable({ ...demo, missing, hasOwnNodes }))?.[1];

test.each([
  [undefined, false, "none: switched off"],
  ["anvil is not installed", false, "none: anvil is not installed"],
  [undefined, true, "the nodes in your configuration  (31337)"],
  ["anvil is not installed", true, "the nodes in your configuration  (31337)"],
])("without a local chain: %j, own nodes: %s", (missing, hasOwnNodes, line) => {
  expect(chainLine(missing, hasOwnNodes)).toBe(line);
});

test("the first line is the address of the explorer, in colors on a terminal", () => {
  expect(demoTable(demo)).toMatch(
    /^\n {2}explorer {2}http:\/\/127[.]0[.]0[.]1:4000\/\n\nThe platform is ready[.]/,
  );
  expect(demoTable({ ...demo, paint: colored })).toMatch(
    "\n  \u001b[32mexplorer\u001b[0m  \u001b[1mhttp://127.0.0.1:4000/\u001b[0m\n",
  );
});

test("ports in use are named", () => {
  expect(demoTable(demo)).not.toContain("in use");
  expect(demoTable({ ...demo, busyPort: 4000 })).toContain("Port 4000 or 4001 is in use");
});

test.each([0, -1])(
  "ports are taken in pairs, both of which are free: %i from the one in use",
  async (offset) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const usual = (other.address() as AddressInfo).port + offset;
    expect(await firstFreePort(usual)).toBeGreaterThan(usual);
    other.close();
  },
);
