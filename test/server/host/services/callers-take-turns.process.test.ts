/** Calls that need a node with a limit: a project that sends many does not hold up another one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { makeData, startHost } from "../../../support/host.ts";
import { makeKey } from "../../../support/operator.ts";

const noisyCalls = 40;

/** A node on which every contract call reverts, so no wallet has signed anything. */
async function startNode(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(async (req, res) => {
    const given = JSON.parse(Buffer.concat(await req.toArray()).toString()) as
      | { id: number; method: string }
      | { id: number; method: string }[];
    const responses = [given].flat().map(({ id, method }) => ({
      jsonrpc: "2.0",
      id,
      ...(method === "eth_chainId"
        ? { result: "0x89" }
        : { error: { code: 3, message: "execution reverted", data: "0x" } }),
    }));
    res.setHeader("content-type", "application/json");
    res.end(JSON.stringify(Array.isArray(given) ? responses : responses[0]));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

test("a project with many calls at a node's limit does not hold up another project", async () => {
  await using node = await startNode();
  await using data = await makeData();
  const networkDetails = { polygon: { rpcUrls: [{ url: node.url, maxPerSecond: 10 }] } };
  await using host = await startHost({
    data,
    // A busy machine must not make the host reject calls.
    args: ["--networks", "polygon", "--max-lag-ms", "60000"],
    env: { NETWORK_DETAILS: JSON.stringify(networkDetails) },
  });
  const quiet = await makeKey(data);
  const verify = async (accessKey: string): Promise<number> => {
    const response = await fetch(`${host.url}/rpc/API/IsValidTypedDataSignature`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-access-key": accessKey },
      body: JSON.stringify({
        chainId: "137",
        walletAddress: `0x${"a1".repeat(20)}`,
        typedData: {
          types: { Greeting: [{ name: "text", type: "string" }] },
          primaryType: "Greeting",
          domain: { name: "Test" },
          message: { text: "hello" },
        },
        signature: `0x${"22".repeat(66)}`,
      }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  let noisyEnded = 0;
  const noisy = Array.from({ length: noisyCalls }, async () => {
    const status = await verify(host.accessKey);
    noisyEnded++;
    return status;
  });
  // Its first calls have used up the burst: the others wait.
  await Promise.race(noisy);
  for (let call = 0; call < 3; call++) {
    const before = noisyEnded;
    expect(await verify(quiet.accessKey)).toBe(200);
    // Without turns, all that were sent earlier would end first.
    expect(noisyEnded - before).toBeLessThan(noisyCalls / 4);
  }
  expect(await Promise.all(noisy)).toEqual(Array(noisyCalls).fill(200));
});
