import { once } from "node:events";
import { connect, createServer } from "node:net";
import { startSandboxChain } from "../../server/chain/sandbox/chain.ts";
import { type AttackedHost, startAttackedHost } from "./attacked-host.ts";

/** A host with a local chain whose node responds with this delay. */
export async function startSlowChainHost(delayMs: number, args: readonly string[]): Promise<AttackedHost> {
  const chain = await startSandboxChain();
  const { port: chainPort } = new URL(chain.rpcUrl);
  const distance = createServer((near) => {
    const far = connect(Number(chainPort), "127.0.0.1");
    near.setNoDelay(true);
    near.pipe(far);
    far.on("data", (chunk: Buffer) => {
      setTimeout(() => {
        if (near.writable) near.write(chunk);
      }, delayMs);
    });
    for (const socket of [near, far]) socket.on("error", () => {});
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
  });
  distance.listen(0, "127.0.0.1");
  await once(distance, "listening");
  const address = distance.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  const rpcUrls = `31337=http://127.0.0.1:${address.port}`;
  const attacked = await startAttackedHost(["--networks", "31337", ...args], { RPC_URLS: rpcUrls });
  return {
    ...attacked,
    async [Symbol.asyncDispose]() {
      await attacked[Symbol.asyncDispose]();
      distance.close();
      await chain[Symbol.asyncDispose]();
    },
  };
}
