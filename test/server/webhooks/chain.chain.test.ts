/** From the contract to the receiver: compares what a host sends with what ethers reads from the chain. */
import { fileURLToPath } from "node:url";
import { EventFragment, Interface, id as keccakOf, type Log } from "ethers";
import { Webhook } from "standardwebhooks";
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Artifact } from "../../../server/chain/sandbox/artifact.ts";
import { TransactionBatch } from "../../../server/chain/sandbox/transaction-batch.ts";
import { type ClientClass, isInstalled, loadClient } from "../../clients/official.ts";
import { contractIr } from "../../support/contract-ir.ts";
import { type RunningHost, startHost } from "../../support/host.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { noSandbox } from "../../support/sandbox.ts";
import { testContract } from "../../support/test-contracts.ts";

const [alice, bob] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
] as const;
const patient = { timeout: 120_000 };

const events = {
  erc20: "Transfer(address indexed from,address indexed to,uint256 value)",
  erc20Short: "Transfer(address indexed,address indexed,uint256)",
  erc721: "Transfer(address indexed from,address indexed to,uint256 indexed tokenId)",
  approvalForAll: "ApprovalForAll(address indexed owner,address indexed operator,bool approved)",
  single:
    "TransferSingle(address indexed operator,address indexed from,address indexed to,uint256 id,uint256 value)",
  batch:
    "TransferBatch(address indexed operator,address indexed from,address indexed to,uint256[] ids,uint256[] values)",
  uri: "URI(string value,uint256 indexed id)",
};

describe.skipIf(noSandbox)("webhooks for chain events", () => {
  let host: RunningHost;
  let receiver: Receiver;
  let rpcUrl = "";
  let usd: `0x${string}` = "0x";
  let nft: `0x${string}` = "0x";
  let multi: `0x${string}` = "0x";
  let sender: Sender;

  beforeAll(async () => {
    if (noSandbox) return;
    receiver = await startReceiver();
    host = await startHost({ args: ["--sandbox-chain", "--check-responses"] });
    rpcUrl = host.localChain?.rpcUrl ?? "";
    usd = (host.localChain?.tokens.USD ?? "0x") as `0x${string}`;
    const batch = await TransactionBatch.open(rpcUrl, "0xa0ee7a142d267c1f36714e4a8f75612f20a79720");
    nft = batch.deploy(testContract("TestCollectible"));
    multi = batch.deploy(testContract("TestMultiToken"));
    await batch.mine();
    sender = new Sender(rpcUrl);
    // A listener receives what the follower reads after it was added, including the chain's initial blocks if they are read
    // later.
    const head = Number(await sender.request("eth_blockNumber", []));
    await vi.waitFor(async () => expect(await followedBlock()).toBeGreaterThanOrEqual(head), patient);
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
    await receiver?.[Symbol.asyncDispose]();
  });

  const followedBlock = async (): Promise<number> => {
    const metrics = await (await fetch(`${host.adminUrl}/metrics`)).text();
    return Number(/^platform_chain_block\{.*\} (\d+)$/m.exec(metrics)?.[1] ?? -1);
  };

  const call = async (method: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${host.url}/31337/rpc/Indexer/${method}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-access-key": host.accessKey,
        authorization: `BEARER ${host.secretKey}`,
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };

  let places = 0;
  /** A listener with its own URL path, and the calls that it received. */
  async function listen(
    filters: object,
    more: object = {},
  ): Promise<{ readonly secret: string; readonly got: () => readonly string[] }> {
    const path = `/hook/${++places}`;
    const url = new URL(path, receiver.url).href;
    const { secret } = await call("AddWebhookListener", { url, filters, ...more });
    if (typeof secret !== "string") throw new Error("not added");
    const got = (): readonly string[] => {
      const calls = receiver.calls.filter((each) => each.path === path);
      for (const { body, headers } of calls) new Webhook(secret).verify(body, { ...headers });
      return calls.map(({ body }) => body);
    };
    return { secret, got };
  }

  test("each kind of filter receives exactly its logs, with the fields that ethers decodes", async () => {
    const all = [events.erc20, events.erc721, events.approvalForAll, events.single, events.batch, events.uri];
    const everything = await listen({ contractAddresses: [usd, nft, multi], events: all });
    const contracts = await listen({ contractAddresses: [nft], events: all });
    const short = await listen(
      { contractAddresses: [usd], events: [events.erc20Short] },
      { format: "array" },
    );
    const tokens = await listen({ contractAddresses: [nft, multi], events: all, tokenIDs: [7] });
    const accounts = await listen({ contractAddresses: [usd, nft, multi], events: all, accounts: [bob] });
    const hashes = await listen({
      contractAddresses: [usd, nft, multi],
      events: all,
      topicHashes: [keccakOf("URI(string,uint256)")],
    });
    const wrongCount = await listen({ contractAddresses: [nft], events: [events.erc20] });

    const erc20: Artifact["abi"] = sandboxAbi;
    const nftAbi = testContract("TestCollectible").abi;
    const multiAbi = testContract("TestMultiToken").abi;
    const logs = [
      ...(await sender.send(
        usd,
        encodeFunctionData({ abi: erc20, functionName: "transfer", args: [bob, 5n] }),
      )),
      ...(await sender.send(
        nft,
        encodeFunctionData({ abi: nftAbi, functionName: "move", args: [alice, 7n] }),
      )),
      ...(await sender.send(nft, encodeFunctionData({ abi: nftAbi, functionName: "move", args: [bob, 8n] }))),
      ...(await sender.send(
        nft,
        encodeFunctionData({ abi: nftAbi, functionName: "setApprovalForAll", args: [bob, true] }),
      )),
      ...(await sender.send(
        multi,
        encodeFunctionData({ abi: multiAbi, functionName: "give", args: [alice, 7n, 3n] }),
      )),
      ...(await sender.send(
        multi,
        encodeFunctionData({ abi: multiAbi, functionName: "giveMany", args: [bob, [1n, 7n], [2n, 4n]] }),
      )),
      ...(await sender.send(
        multi,
        encodeFunctionData({ abi: multiAbi, functionName: "setURI", args: ["ipfs://x", 7n] }),
      )),
    ];
    await expect.poll(() => everything.got().length, patient).toBe(7);
    const expected = await Promise.all(logs.map((log) => expectedOf(log, all)));
    const bodies = everything.got().map((body) => JSON.parse(body) as Notification);
    const inOrder = bodies.toSorted((a, b) => a.sequence - b.sequence);
    expect(inOrder.map(({ sequence: _, uid: __, ...rest }) => rest)).toEqual(expected);
    expect(new Set(bodies.map(({ uid }) => uid)).size).toBe(7);

    const indexesOf = (got: readonly string[]): number[] =>
      got
        .map((body) => [JSON.parse(body)].flat()[0] as Notification)
        .map(({ txnHash }) => logs.findIndex((log) => log.transactionHash === txnHash))
        .toSorted((a, b) => a - b);
    await expect.poll(() => indexesOf(contracts.got()), patient).toEqual([1, 2, 3]);
    await expect.poll(() => indexesOf(tokens.got()), patient).toEqual([1, 4, 5, 6]);
    await expect.poll(() => indexesOf(accounts.got()), patient).toEqual([0, 2, 3, 5]);
    await expect.poll(() => indexesOf(hashes.got()), patient).toEqual([6]);
    await expect.poll(() => indexesOf(short.got()), patient).toEqual([0]);
    expect(wrongCount.got()).toEqual([]);
    const [list] = short.got().map((body) => JSON.parse(body) as readonly [Record<string, unknown>]);
    expect(list).toHaveLength(1);
    expect(list?.[0]).toMatchObject({
      txnLogIndex: 0,
      event: { names: ["arg1", "arg2", "arg3"] },
      id: list?.[0]?.["sequence"],
    });
    const { types } = contractIr(fileURLToPath(new URL("../../../schema/platform.ridl", import.meta.url)));
    const fieldsOf = (name: string): readonly string[] | undefined =>
      types
        .find((type) => type.name === name)
        ?.fields?.map((field) => field.name)
        .toSorted();
    const [object] = contracts.got().map((body) => JSON.parse(body) as object);
    expect(Object.keys(list?.[0] ?? {}).toSorted()).toEqual(fieldsOf("EventLog"));
    expect(Object.keys(object ?? {}).toSorted()).toEqual(fieldsOf("WebhookNotification"));
  });

  test("a reorganization sends removals after the additions, with the same numbers", async () => {
    const listener = await listen({ contractAddresses: [multi], events: [events.single] });
    const give = encodeFunctionData({
      abi: testContract("TestMultiToken").abi,
      functionName: "give",
      args: [alice, 99n, 1n],
    });
    await sender.send(multi, give);
    await expect.poll(() => listener.got().length, patient).toBe(1);
    await sender.request("anvil_reorg", [3, []]);
    await sender.request("evm_mine", []);
    await expect
      .poll(() => listener.got().some((body) => body.includes("BLOCK_REMOVED")), patient)
      .toBe(true);
    const told = listener.got().map((body) => JSON.parse(body) as Notification);
    const removed = told.find(({ type }) => type === "BLOCK_REMOVED");
    const added = told.find(
      ({ type, blockHash }) => type === "BLOCK_ADDED" && blockHash === removed?.blockHash,
    );
    expect(told.indexOf(added as Notification)).toBeLessThan(told.indexOf(removed as Notification));
    expect(removed).toEqual({
      ...added,
      type: "BLOCK_REMOVED",
      uid: removed?.uid,
      sequence: removed?.sequence,
    });
    expect(removed?.uid).not.toBe(added?.uid);
    expect(removed?.sequence).toBeGreaterThan(added?.sequence ?? 0);
  });

  test.runIf(isInstalled).each(["2.2.14", "2.3.50", "3.0.13"])(
    "the official client %s adds a listener, receives a call and removes the listener",
    async (version) => {
      const module = await loadClient(`indexer-${version}`);
      const Client = module["Indexer"] as ClientClass;
      const client = new Client(`${host.url}/31337`, (url, init) =>
        fetch(url, {
          ...init,
          headers: {
            ...(init.headers as object),
            "x-access-key": host.accessKey,
            authorization: `BEARER ${host.secretKey}`,
          },
        }),
      );
      const path = `/official/${version}`;
      const added = (await client["addWebhookListener"]?.({
        url: new URL(path, receiver.url).href,
        filters: { contractAddresses: [nft], events: [events.erc721], tokenIDs: ["1234"] },
        projectId: host.projectId,
      })) as {
        readonly status: boolean;
        readonly listener: { readonly id: number; readonly projectID: number };
      };
      expect(added.status).toBe(true);
      expect(added.listener.projectID).toBe(host.projectId);
      const move = encodeFunctionData({
        abi: testContract("TestCollectible").abi,
        functionName: "move",
        args: [bob, 1234n],
      });
      await sender.send(nft, move);
      await expect.poll(() => receiver.calls.filter((each) => each.path === path).length, patient).toBe(1);
      const { id } = added.listener;
      const { listeners = [] } = ((await client["getAllWebhookListeners"]?.({})) ?? {}) as {
        readonly listeners?: readonly { readonly id: number }[];
      };
      expect(listeners.map((each) => each.id)).toContain(id);
      expect(await client["removeWebhookListener"]?.({ id, projectId: host.projectId })).toEqual({
        status: true,
      });
      const gone = await client["removeWebhookListener"]?.({ id, projectId: host.projectId }).catch(
        (err: unknown) => err,
      );
      expect(gone).toBeInstanceOf(module["NotFoundError"] as new () => Error);
    },
    90_000,
  );

  interface Notification {
    readonly type: string;
    readonly blockHash: string;
    readonly uid: string;
    readonly sequence: number;
    readonly txnHash: string;
  }

  /** The notification of the specification, built from the log by ethers only. */
  async function expectedOf(log: Log, texts: readonly string[]): Promise<object> {
    const fragment = texts
      .map((text) => EventFragment.from(text))
      .find(
        (each) =>
          each.topicHash === log.topics[0] &&
          each.inputs.filter(({ indexed }) => indexed).length === log.topics.length - 1,
      );
    if (fragment === null || fragment === undefined) throw new Error("ethers knows no event for it");
    const args = new Interface([fragment]).parseLog(log)?.args ?? [];
    const isLong = fragment.inputs.some(({ type }) => type.endsWith("]"));
    const coder = (await import("ethers")).AbiCoder.defaultAbiCoder();
    const block = (await sender.request("eth_getBlockByHash", [log.blockHash, false])) as {
      readonly parentHash: string;
      readonly timestamp: string;
    };
    const contractType = { [usd]: "ERC20", [nft]: "ERC721", [multi]: "ERC1155" }[log.address];
    return {
      type: "BLOCK_ADDED",
      blockNumber: Number(log.blockNumber),
      blockHash: log.blockHash,
      parentBlockHash: block.parentHash,
      contractAddress: log.address,
      contractType,
      txnHash: log.transactionHash,
      txnIndex: 0,
      txnLogIndex: "0",
      ts: new Date(Number(block.timestamp) * 1_000).toISOString(),
      event: {
        topicHash: fragment.topicHash,
        eventSig: fragment.format("sighash"),
        types: fragment.inputs.map(({ type }) => type),
        names: fragment.inputs.map(({ name }) => name),
        values: fragment.inputs.map(({ type }, index) => {
          const encoded = coder.encode([type], [args[index]]);
          return type === "address" && !isLong ? `0x${encoded.slice(26)}` : encoded;
        }),
      },
      logDataType: fragment.name.startsWith("Transfer") ? "TOKEN_TRANSFER" : "EVENT",
      rawLog: { data: log.data, topics: log.topics },
    };
  }
});

const sandboxAbi: Artifact["abi"] = [
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
    ],
    outputs: [{ name: "", type: "bool" }],
  },
];

/** Sends transactions of an unlocked account, each in its own block. */
class Sender {
  readonly #rpcUrl: string;

  constructor(rpcUrl: string) {
    this.#rpcUrl = rpcUrl;
  }

  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(this.#rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return ((await response.json()) as { readonly result: unknown }).result;
  }

  async send(to: string, data: string): Promise<readonly Log[]> {
    const hash = await this.request("eth_sendTransaction", [{ from: alice, to, data, gas: "0x4c4b40" }]);
    // Anvil responds before it has mined.
    for (;;) {
      const receipt = (await this.request("eth_getTransactionReceipt", [hash])) as {
        readonly logs: readonly Log[];
      } | null;
      if (receipt !== null) return receipt.logs;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
}
