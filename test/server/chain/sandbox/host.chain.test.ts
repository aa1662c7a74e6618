import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readyText } from "../../../../server/host/ready.ts";
import { makeData, startHost } from "../../../support/host.ts";
import { noSandbox } from "../../../support/sandbox.ts";

describe.skipIf(noSandbox)("a host with a local chain", () => {
  test("serves it first, the printed swap call works, and the chain ends with the host", async () => {
    const host = await startHost({ args: ["--sandbox-chain", "--networks", "polygon"] });
    const { localChain, networks } = host;
    expect(networks.map(({ chainId }) => chainId)).toEqual([31_337, 137]);
    const calls = [...readyText(host).matchAll(/^ {2}curl .*?'$/gms)].map(([call]) => call);
    const answers = calls.map((call) => execFileSync("bash", ["-e", "-c", call], { encoding: "utf8" }));
    expect(answers[0]).toBe('{"isValid":true}');
    // Half a dollar plus the fee, with six decimals.
    expect(Number(JSON.parse(answers[1] ?? "").swapPrice.price) / 1e6).toBeCloseTo(0.5, 1);
    const rpcUrl = localChain?.rpcUrl ?? "";
    expect((await fetch(rpcUrl)).status).toBeGreaterThan(0);
    await host[Symbol.asyncDispose]();
    await expect(fetch(rpcUrl)).rejects.toThrow();
  });

  test("the chain ends soon after its host is killed", async () => {
    await using data = await makeData();
    const host = await startHost({ data, args: ["--sandbox-chain"] });
    const chain = nodeOf(host.process.pid as number);
    expect(isRunning(chain)).toBe(true);
    host.process.kill("SIGKILL");
    // The next host with this data folder takes over the remaining database process and ends it.
    await using _next = await startHost({ data });
    await expect.poll(() => isRunning(chain), { timeout: 120_000 }).toBe(false);
  });
});

/** The process of a host's local chain. */
function nodeOf(host: number): number {
  const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^ *([0-9]+) +([0-9]+) (.*)$/.exec(line) ?? [])
    .map(([, pid, parent, args = ""]) => ({ pid: Number(pid), parent: Number(parent), args }));
  const below = (parent: number): typeof processes =>
    processes.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  const node = below(host).find(({ args }) => /^\S*anvil /.test(args));
  if (node === undefined) throw new Error("the host runs no local chain");
  return node.pid;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
