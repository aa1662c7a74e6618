/** From contract events to owners: equal to a plain model of the transfers after each step, including reorganizations. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Marketplace } from "../../../../generated/client.ts";
import type { Database } from "../../../../server/base/storage/database.ts";
import { TransactionBatch } from "../../../../server/chain/sandbox/transaction-batch.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, operate } from "../../../support/operator.ts";
import { seededRandom } from "../../../support/random.ts";
import { noSandbox } from "../../../support/sandbox.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { importInto } from "../import-export/run-import.ts";
import { sandboxContract } from "../indexer/trading.ts";

const [alice, bob, carol, nobody] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "0x0000000000000000000000000000000000000000",
] as const;
const accounts = [alice, bob, carol, nobody] as const;
const seed = 20_261_122;
const patient = { timeout: 120_000, interval: 100 };

/** Expected quantities by contract, token and owner. */
type Model = Map<string, bigint>;

describe.skipIf(noSandbox)(`tokens of a chain (seed ${seed})`, () => {
  let data: Data;
  let host: RunningHost;
  let database: Database;
  let batch: TransactionBatch;
  let nft: `0x${string}`;
  let multi: `0x${string}`;

  beforeAll(async () => {
    if (noSandbox) return;
    data = await makeData();
    host = await startHost({ data, args: ["--sandbox-chain"] });
    database = databaseOf(data);
    batch = await openLedger();
    nft = batch.deploy(testContract("DescribedToken"));
    multi = batch.deploy(testContract("DescribedMultiToken"));
    await batch.mine();
  });
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await host?.[Symbol.asyncDispose]();
    await data?.[Symbol.asyncDispose]();
  });

  const openLedger = () => TransactionBatch.open(host.localChain?.rpcUrl ?? "", alice);

  async function request(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(host.localChain?.rpcUrl ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return ((await response.json()) as { readonly result?: unknown }).result;
  }

  const { abi: nftAbi } = testContract("DescribedToken");
  const { abi: multiAbi } = testContract("DescribedMultiToken");

  function moveOne(model: Model, tokenId: number, to: (typeof accounts)[number]): void {
    batch.call({ to: nft, abi: nftAbi, functionName: "move", args: [to, tokenId] });
    for (const account of accounts) model.delete(`${nft} ${tokenId} ${account}`);
    if (to !== nobody) model.set(`${nft} ${tokenId} ${to}`, 1n);
  }

  function moveSome(
    model: Model,
    { from, to, id, value }: { from: string; to: string; id: number; value: bigint },
  ): void {
    const add = (owner: string, change: bigint): void => {
      if (owner === nobody) return;
      const key = `${multi} ${id} ${owner}`;
      const after = (model.get(key) ?? 0n) + change;
      if (after > 0n) model.set(key, after);
      else model.delete(key);
    };
    add(from, -value);
    add(to, value);
  }

  async function known(): Promise<Record<string, string>> {
    const rows = await database.query<{ key: string; quantity: string }>(
      `select address || ' ' || token_id || ' ' || owner as key, quantity::text
       from collectible_owner join collectible on collectible.id = collectible_id join collection on collection.id = collection_id
       order by key`,
    );
    return Object.fromEntries(rows.map(({ key, quantity }) => [key, quantity]));
  }

  /** Tokens that are due, and all tokens of their collections. */
  async function tokensKnown(): Promise<readonly number[]> {
    const [read, there] = await Promise.all([
      database.query("select from token_read"),
      database.query("select from collectible where not is_undone"),
    ]);
    return [read.length, there.length];
  }

  async function expectEqual(model: Model): Promise<void> {
    const wanted = Object.fromEntries([...model].map(([key, quantity]) => [key, quantity.toString()]));
    await expect.poll(known, patient).toEqual(wanted);
  }

  test("owners equal an independent model, through random transfers and reorganizations", async () => {
    let model: Model = new Map();
    const random = seededRandom(seed);
    moveOne(model, 1, alice);
    await batch.mine();
    for (const address of [nft, multi])
      expect(await ask(data, "collections", "add", "31337", address, "--from", "0")).toMatchObject({
        address,
      });
    await expectEqual(model);
    for (let round = 0; round < 12; round++) {
      const snapshot = await request("evm_snapshot");
      const before: Model = new Map(model);
      const tokensBefore = await tokensKnown();
      for (let block = 0; block < 1 + random.below(3); block++) {
        for (let move = 0; move < 1 + random.below(6); move++) {
          const [from, to] = [random.pick(accounts), random.pick(accounts)];
          if (random.chance(40)) moveOne(model, 1 + random.below(4) + round, random.pick(accounts));
          else if (random.chance(50)) {
            const one = { from: nobody, to, id: random.below(3), value: BigInt(random.below(50)) };
            batch.call({
              to: multi,
              abi: multiAbi,
              functionName: "move",
              args: [one.from, to, one.id, one.value],
            });
            moveSome(model, one);
          } else if (random.chance(20)) {
            // An event of the other standard, which must be ignored.
            batch.call({ to: multi, abi: multiAbi, functionName: "lie", args: [alice, 77] });
          } else {
            const ids = [random.below(3), random.below(3)];
            const values = ids.map(() => BigInt(random.below(30)));
            batch.call({
              to: multi,
              abi: multiAbi,
              functionName: "moveMany",
              args: [from, to, ids, values],
            });
            for (const [index, id] of ids.entries())
              moveSome(model, { from, to, id, value: values[index] ?? 0n });
          }
        }
        await batch.mine();
      }
      await expectEqual(model);
      if (!random.chance(60)) continue;
      await request("evm_revert", snapshot);
      await request("evm_increaseTime", 7);
      await request("anvil_mine", "0x5");
      model = before;
      batch = await openLedger();
      await expectEqual(model);
      expect(await tokensKnown()).toEqual(tokensBefore);
    }
    expect((await operate(data, "follow", "skipped")).out).toBe("none\n");
  });

  test("metadata is read when a token is minted, when it reports a change, and on request", async () => {
    const nameOf = async (id: number): Promise<string | undefined> =>
      (
        await database.query<{ name: string }>(
          "select name from collectible join collection on collection.id = collection_id where address = $1 and token_id = $2",
          [nft, id],
        )
      )[0]?.name;
    const uri = (name: string): string => `data:application/json,{"name":"${name}"}`;
    batch.call({ to: nft, abi: nftAbi, functionName: "mint", args: [alice, 501, uri("first")] });
    batch.call({ to: nft, abi: nftAbi, functionName: "mint", args: [alice, 502, "ipfs://x"] });
    await batch.mine();
    await expect.poll(() => nameOf(501), patient).toBe("first");
    const faults = async () =>
      ask<readonly { tokenId: string; reason: string }[]>(data, "collections", "show", "31337", nft);
    await expect.poll(faults, patient).toContainEqual(
      expect.objectContaining({
        tokenId: "502",
        reason: expect.stringContaining("no gateway is configured"),
      }),
    );
    const unread = () =>
      database.query(
        `select token_id from token_read join collectible on collectible.id = collectible_id
         join collection on collection.id = collection_id
         where address = $1 and token_id in (501, 503) and due_at is not null`,
        [nft],
      );
    // Pretends that all were read a while ago. A reading in flight would overwrite the time.
    const age = async (): Promise<void> => {
      await expect.poll(unread, patient).toEqual([]);
      await database.query("update token_read set read_at = now() - interval '1 hour'");
    };
    await age();
    batch.call({ to: nft, abi: nftAbi, functionName: "describe", args: [501, uri("second")] });
    await batch.mine();
    await expect.poll(() => nameOf(501), patient).toBe("second");
    await age();
    batch.call({
      to: nft,
      abi: nftAbi,
      functionName: "describeAll",
      args: ['data:application/json,{"name":"all"}//'],
    });
    batch.call({ to: nft, abi: nftAbi, functionName: "mint", args: [alice, 503, uri("third")] });
    await batch.mine();
    await expect.poll(() => nameOf(503), patient).toBe("third");
    await database.query("update collectible set name = 'imported', origin = 'import' where token_id = 503");
    await age();
    batch.call({ to: nft, abi: nftAbi, functionName: "describe", args: [503, uri("not this")] });
    batch.call({ to: nft, abi: nftAbi, functionName: "describe", args: [501, uri("fourth")] });
    await batch.mine();
    await expect.poll(() => nameOf(501), patient).toBe("fourth");
    expect(await nameOf(503)).toBe("imported");
    expect(await ask(data, "collections", "refresh", "31337", nft, "503")).toEqual({ tokens: 1 });
    await expect.poll(() => nameOf(503), patient).toBe("not this");
    const list = await ask<readonly { readonly address: string }[]>(data, "collections", "list");
    // The sandbox has a collection of its own.
    expect(list).toHaveLength(3);
    expect(list.map(({ address }) => address)).toContain(nft.toLowerCase());
    expect(await ask(data, "collections", "remove", "31337", nft)).toMatchObject({ followedBy: "nobody" });
    expect(await (await fetch(`${host.adminUrl}/metrics`)).text()).toMatch(
      /platform_token_readings_total\{result="read"\} \d+/,
    );
    for (const [args, reason] of [
      [["add", "nowhere", nft], /unknown network "nowhere"/],
      [["add", "31337", "0x12"], /invalid address/],
      [["add", "31337", nft, "--from", "x"], /expected a block number/],
      [["refresh", "31337", nft, "99999999"], /no token 99999999 of this collection is known/],
      [["refresh", "31337", nft, String(2n ** 256n - 1n)], /no token \d{78} of this collection is known/],
      [["refresh", "31337", nft, String(2n ** 256n)], /invalid token id/],
      [["show", "31337", bob], /collection .* does not exist/],
    ] as const)
      expect((await operate(data, "collections", ...args)).err).toMatch(reason);
  });

  test("a token with an order is read and listed, even if its blocks are reorganized", async () => {
    const quiet = batch.deploy(testContract("DescribedToken"));
    const mint = (id: number) =>
      batch.call({
        to: quiet,
        abi: nftAbi,
        functionName: "mint",
        args: [alice, id, `data:application/json,{"name":"Quiet ${id}"}`],
      });
    for (const id of [1, 2, 3]) mint(id);
    await batch.mine();
    const head = Number(await request("eth_blockNumber"));
    const followed = async () =>
      (await ask<readonly { readonly block: number }[]>(data, "follow", "list"))[0]?.block;
    await expect.poll(followed, patient).toBe(head);
    await ask(data, "collections", "add", "31337", quiet);
    const names = async () => {
      const rows = await database.query<{ readonly name: string }>(
        "select name from collectible join collection on collection.id = collection_id where address = $1 order by token_id",
        [quiet.toLowerCase()],
      );
      return rows.map(({ name }) => name);
    };
    expect(await names()).toEqual([]);
    const currency = host.localChain?.tokens.DAI ?? nobody;
    const bring = async (order: Readonly<Record<string, unknown>>) => {
      const line = {
        chainId: 31337,
        collectionContractAddress: quiet,
        side: "offer",
        createdBy: bob,
        priceAmount: "5",
        priceCurrencyAddress: currency,
        ...order,
      };
      expect((await importInto(data, "orders", [line])).err).toBe("");
    };
    await bring({ orderId: "any", priceAmount: "100" });
    await bring({ orderId: "one", tokenId: "1" });
    await expect.poll(names, patient).toEqual(["Quiet 1"]);
    const terms = { isListing: true, isERC1155: false, tokenContract: quiet, tokenId: 2n, quantity: 1n };
    batch.call({
      to: (host.localChain?.market ?? nobody) as `0x${string}`,
      abi: sandboxContract("SandboxMarket").abi as never,
      functionName: "createRequest",
      args: [{ ...terms, expiry: 4_000_000_000n, currency, pricePerToken: 9n }],
    });
    await batch.mine();
    await expect.poll(names, patient).toEqual(["Quiet 1", "Quiet 2"]);

    const client = new Marketplace({
      url: `${host.url}/31337`,
      headers: () => ({ "x-access-key": host.accessKey }),
    });
    const listed = async () => {
      const { collectibles } = await client.listCollectibles({ contractAddress: quiet, side: "offer" });
      return collectibles.map(({ metadata }) => metadata.name).sort();
    };
    const snapshot = await request("evm_snapshot");
    batch.call({ to: quiet, abi: nftAbi, functionName: "move", args: [bob, 3] });
    mint(4);
    await batch.mine();
    await expect.poll(listed, patient).toEqual(["Quiet 1", "Quiet 2", "Quiet 3", "Quiet 4"]);
    await bring({ orderId: "three", tokenId: "3" });
    await request("evm_revert", snapshot);
    await request("evm_increaseTime", 7);
    await request("anvil_mine", "0x5");
    batch = await openLedger();
    await expect.poll(listed, patient).toEqual(["Quiet 1", "Quiet 2", "Quiet 3"]);
    await bring({ orderId: "three", tokenId: "3", status: "cancelled" });
    expect(await listed()).toEqual(["Quiet 1", "Quiet 2"]);
  });
});
