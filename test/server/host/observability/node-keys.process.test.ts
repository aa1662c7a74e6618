/** Logs of a provider's rejection: its message, without any key. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeData, startHost } from "../../../support/host.ts";
import { makeKey } from "../../../support/operator.ts";

const keys = {
  user: "apiuser9",
  password: "p4ss-Word!",
  path: "a1B2c3D4e5F6a1B2c3D4e5F6",
  longWord: "correcthorsebattery",
  query: "q-9f8e7d6c5b4a",
} as const;

describe("a provider that rejects a key and quotes it", () => {
  let provider: Server;
  let rpcUrl = "";
  beforeAll(async () => {
    provider = createServer((req, res) => {
      const words = `Invalid API key ${keys.path} (${keys.query}) of ${req.headers.host}${req.url}: daily quota used up`;
      res.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error: words }));
    });
    await new Promise<void>((done) => provider.listen(0, "127.0.0.1", done));
    const { port } = provider.address() as AddressInfo;
    const user = `${keys.user}:${encodeURIComponent(keys.password)}`;
    rpcUrl = `http://${user}@127.0.0.1:${port}/v2/${keys.longWord}/${keys.path}?apikey=${keys.query}`;
  });
  afterAll(() => {
    provider.closeAllConnections();
    provider.close();
  });

  test.each([
    ["development", [], {}],
    ["production", ["--production"], { SANDBOX: "false", SIGNING_KEY: "0123456789abcdef".repeat(4) }],
  ] as const)("in %s", async (_, args, env) => {
    const networkDetails = { polygon: { rpcUrls: [rpcUrl], follow: true } };
    await using data = await makeData();
    await using host = await startHost({
      data,
      args: [...args, "--networks", "polygon", "--log-level", "debug"],
      env: { ...env, NETWORK_DETAILS: JSON.stringify(networkDetails) },
    });
    const { accessKey } = await makeKey(data);
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
        signature: `0x${"11".repeat(65)}`,
      }),
    });
    const answer = await response.text();
    expect(answer).toContain('"code":1901');
    // From the call and from the follower.
    await expect
      .poll(() => host.err().match(/HTTP 401: Invalid API key .*daily quota used up/g)?.length ?? 0)
      .toBeGreaterThanOrEqual(2);
    expect(host.err()).toContain("/v2/[redacted]/[redacted]?[redacted]");
    for (const key of [...Object.values(keys), encodeURIComponent(keys.password)]) {
      expect(host.err()).not.toContain(key);
      expect(answer).not.toContain(key);
    }
  });
});
