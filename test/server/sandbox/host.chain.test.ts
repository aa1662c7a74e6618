import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readyText } from "../../../server/ready.ts";
import { makeData, startHost } from "../../support/host.ts";
import { noSandbox } from "../../support/sandbox.ts";

describe.skipIf(noSandbox)("a host with a local chain", () => {
  test("serves it first, and the swap that it prints is answered; with the host the chain is gone", async () => {
    const host = await startHost({ args: ["--sandbox-chain", "--networks", "polygon"] });
    const { localChain, networks } = host;
    expect(networks.map(({ chainId }) => chainId)).toEqual([31_337, 137]);
    const calls = [...readyText(host).matchAll(/^ {2}curl .*?'$/gms)].map(([call]) => call);
    const answers = calls.map((call) => execFileSync("bash", ["-e", "-c", call], { encoding: "utf8" }));
    expect(answers[0]).toBe('{"isValid":true}');
    // Half a dollar and the fee; six decimals.
    expect(Number(JSON.parse(answers[1] ?? "").swapPrice.price) / 1e6).toBeCloseTo(0.5, 1);
    const rpcUrl = localChain?.rpcUrl ?? "";
    expect((await fetch(rpcUrl)).status).toBeGreaterThan(0);
    await host[Symbol.asyncDispose]();
    await expect(fetch(rpcUrl)).rejects.toThrow();
  });

  test("where the host is killed, the chain is not left behind for long", async () => {
    await using data = await makeData();
    const host = await startHost({ data, args: ["--sandbox-chain"] });
    const rpcUrl = host.localChain?.rpcUrl ?? "";
    host.process.kill("SIGKILL");
    // The next host of this data folder takes over the database that is left, and ends it.
    await using _next = await startHost({ data });
    for (let turn = 0; turn < 100; turn++) {
      const isThere = await fetch(rpcUrl).then(
        () => true,
        () => false,
      );
      if (!isThere) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error("the local chain outlived its host");
  });
});
