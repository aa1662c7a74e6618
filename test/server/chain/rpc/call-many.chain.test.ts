import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chain, ChainFailure } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { noSandbox, useSandbox } from "../../../support/sandbox.ts";
import { deployContract } from "../../../support/test-contracts.ts";
import { listenTrap, type Trap } from "../../../support/trap.ts";

const abi = parseAbi([
  "function supportsInterface(bytes4) view returns (bool)",
  "function tokenURI(uint256) view returns (string)",
  "function decimals() view returns (uint8)",
]);
const supportsInterface = encodeFunctionData({
  abi,
  functionName: "supportsInterface",
  args: ["0x80ac58cd"],
});
const decimals = encodeFunctionData({ abi, functionName: "decimals" });
const tokenUri = (id: bigint): Hex => encodeFunctionData({ abi, functionName: "tokenURI", args: [id] });
const readUri = (data: Hex | undefined): string | undefined =>
  data === undefined ? undefined : decodeFunctionResult({ abi, functionName: "tokenURI", data });
const nobody: Hex = `0x${"ab".repeat(20)}`;

describe.skipIf(noSandbox)("many contracts in one call", () => {
  const sandbox = useSandbox();
  let trap: Trap;
  let requests = 0;
  let gate: Server;
  let chain: Chain;
  let picture: Hex;
  let hostile: readonly Hex[];

  beforeAll(async () => {
    if (noSandbox) return;
    const { rpcUrl, batch } = sandbox();
    trap = await listenTrap();
    gate = createServer(async (req, res) => {
      requests++;
      const headers = { "content-type": "application/json" };
      const body = Buffer.concat(await req.toArray());
      const answer = await fetch(rpcUrl, { method: "POST", headers, body });
      res.writeHead(200, headers).end(await answer.text());
    });
    await new Promise<void>((done) => gate.listen(0, "127.0.0.1", done));
    chain = await new Chains().of(localNetwork(`http://127.0.0.1:${(gate.address() as AddressInfo).port}`));
    picture = await deployContract(batch, "Picture");
    hostile = [
      await deployContract(batch, "OffchainLookup", [`${trap.url}/{sender}/{data}`]),
      await deployContract(batch, "Megabytes"),
      await deployContract(batch, "Endless"),
    ];
  });
  afterAll(async () => {
    gate?.close();
    await trap?.close();
  });

  test("a hundred take one round trip, and further ones are sent concurrently", async () => {
    const { tokens } = sandbox();
    requests = 0;
    const calls = Array.from({ length: 250 }, () => ({ to: tokens.usd as Hex, data: decimals }));
    const answers = await chain.callMany({ calls });
    expect(answers).toEqual(calls.map(() => numberToHex(6, { size: 32 })));
    expect(requests).toBe(1);
    expect(await chain.callMany({ calls: [] })).toEqual([]);
  });

  test("an NFT contract that requests an off-chain lookup, returns too much or never ends affects no other and calls no URL", async () => {
    const calls = [...hostile, picture].flatMap((to) =>
      [supportsInterface, tokenUri(1n), tokenUri(2n), tokenUri(10n)].map((data) => ({ to, data })),
    );
    const answers = await chain.callMany({ calls });
    expect(answers.slice(0, 12)).toEqual(Array(12).fill(undefined));
    expect(answers[12]).toBe(numberToHex(1, { size: 32 }));
    expect(answers.slice(13).map(readUri)).toEqual(["ipfs://pictures/1", "ipfs://pictures/2", undefined]);
    for (const to of hostile)
      for (const data of [supportsInterface, tokenUri(1n)])
        await expect(chain.call({ to, data })).rejects.toThrow(/the contract call failed|do not respond/);
    expect(trap.connections()).toBe(0);
  });

  test("ninety-nine that never end leave the last one enough gas", async () => {
    const endless = hostile.at(-1) as Hex;
    const calls = [...Array(99).fill(endless), picture].map((to) => ({ to, data: tokenUri(3n) }));
    const answers = await chain.callMany({ calls });
    expect(answers.slice(0, 99)).toEqual(Array(99).fill(undefined));
    expect(readUri(answers[99])).toBe("ipfs://pictures/3");
  });

  test("an unused address returns `0x`, and a result is cut at its limit", async () => {
    const one = { to: picture, data: tokenUri(1n) };
    expect(await chain.callMany({ calls: [{ to: nobody, data: "0x" }, one] })).toEqual([
      "0x",
      await chain.call(one),
    ]);
    const whole = await chain.call(one);
    expect(whole).toHaveLength(2 + 2 * 96);
    for (const [maxResultBytes, bytes] of [
      [95, 95],
      [96, 96],
      [97, 96],
    ] as const)
      expect(await chain.callMany({ calls: [one, one], maxResultBytes })).toEqual(
        Array(2).fill(whole.slice(0, 2 + 2 * bytes)),
      );
  });

  test("large calls are split into more round trips, and one that no node accepts counts as failed", async () => {
    const long: Hex = `${tokenUri(4n)}${"00".repeat(9_000)}`;
    const calls = Array.from({ length: 9 }, () => ({ to: picture, data: long }));
    const tooLong = { to: picture, data: `${tokenUri(4n)}${"00".repeat(60_000)}` as Hex };
    const answers = await chain.callMany({ calls: [...calls, tooLong] });
    expect(answers.map(readUri)).toEqual([...Array(9).fill("ipfs://pictures/4"), undefined]);
  });

  test("a chain that does not respond is a failure", async () => {
    const dead = await new Chains().of(localNetwork("http://127.0.0.1:1"));
    await expect(dead.callMany({ calls: [{ to: picture, data: "0x" }] })).rejects.toBeInstanceOf(
      ChainFailure,
    );
  });
});
