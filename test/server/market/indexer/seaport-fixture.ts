/** A local chain with Seaport, tokens and a follower, to sign and submit orders. */
import { createRequire } from "node:module";
import { type Hex, zeroAddress } from "viem";
import type { Database } from "../../../../server/base/storage/database.ts";
import { openDatabase } from "../../../../server/base/storage/open-database.ts";
import { readCheckpoint } from "../../../../server/chain/follower/checkpoint.ts";
import type { FollowerEvents } from "../../../../server/chain/follower/follower-state.ts";
import { openFollowers } from "../../../../server/chain/follower/open-followers.ts";
import { seaportOf } from "../../../../server/chain/networks/markets.ts";
import type { Network } from "../../../../server/chain/networks/network.ts";
import type { Chain } from "../../../../server/chain/rpc/chain.ts";
import { Chains } from "../../../../server/chain/rpc/chains.ts";
import type { Artifact } from "../../../../server/chain/sandbox/artifact.ts";
import { openMarkets } from "../../../../server/market/indexer/open-markets.ts";
import { parseSignedOrder } from "../../../../server/market/indexer/seaport/parse-signed-order.ts";
import { type Submission, submitOrder } from "../../../../server/market/indexer/seaport/submit.ts";
import { storeConfiguredCurrencies } from "../../../../server/market/records/currencies/currency.ts";
import { localNetwork } from "../../../support/local-network.ts";
import { migratedDatabase } from "../../../support/server.ts";
import { testContract } from "../../../support/test-contracts.ts";
import { accounts, type Contract, type MarketWorld, startMarketWorld } from "./market-world.ts";
import {
  type Components,
  deploySeaport,
  item,
  itemTypes,
  type Seaport,
  type Signed,
  textOf,
} from "./seaport-world.ts";

const require = createRequire(import.meta.url);

export type Terms = Pick<Components, "offerer" | "offer" | "consideration"> & Partial<Components>;

export interface SeaportFixture extends AsyncDisposable {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly world: MarketWorld;
  readonly seaport: Seaport;
  readonly coin: Contract;
  /** ERC-721 tokens: `1` to `4` belong to the first account, `11` to `14` to the second. */
  readonly nft: Contract;
  /** ERC-1155: every account has a million units of token `1`. */
  readonly multi: Contract;
  readonly network: Network;
  /** Unexpected errors. */
  readonly faults: readonly string[];
  /** Follows the chain until the result is disposed of. By default Seaport is configured. */
  follow(details?: object): Promise<AsyncDisposable>;
  untilFollowed(): Promise<void>;
  sign(terms: Terms): Promise<Signed>;
  submit(signed: Signed): Promise<Submission>;
  isStored(orderHash: Hex): Promise<boolean>;
}

export async function openSeaportFixture(): Promise<SeaportFixture> {
  const faults: string[] = [];
  const opened: AsyncDisposable[] = [];
  const keep = <Opened extends AsyncDisposable>(one: Opened): Opened => {
    opened.push(one);
    return one;
  };
  const { url: databaseUrl } = keep(await migratedDatabase());
  const pool = { connections: 12, statementTimeoutMs: 10_000, namedStatements: true };
  const database = keep(openDatabase({ connectionString: databaseUrl }, pool));
  const world = keep(await startMarketWorld());
  const own = await deployAll(world);
  const network = networkOf(world, own.seaport);
  await storeConfiguredCurrencies(database, [network]);
  const chain = await new Chains().of(network);
  const market = seaportOf(network.markets);
  if (market === undefined) throw new Error("the network has a Seaport");
  return {
    databaseUrl,
    database,
    world,
    ...own,
    network,
    faults,
    follow: async (details) => follow({ database, chain, faults }, networkOf(world, own.seaport, details)),
    untilFollowed: () => untilFollowed(database, world),
    sign: async (terms) => own.seaport.sign(await own.seaport.components(terms)),
    submit: (signed) =>
      submitOrder({ database, chain, chainId: 31_337, market }, parseSignedOrder(textOf(signed))),
    async isStored(orderHash) {
      const rows = await database.query("select from market_order where order_id = $1", [orderHash]);
      return rows.length > 0;
    },
    async [Symbol.asyncDispose]() {
      for (const each of opened.reverse()) await each[Symbol.asyncDispose]();
    },
  };
}

type Deployed = Pick<SeaportFixture, "seaport" | "coin" | "nft" | "multi">;

/** Gives every account some of each token, approved for Seaport and its conduit. */
async function deployAll(world: MarketWorld): Promise<Deployed> {
  const seaport = await deploySeaport(world);
  const token = require("../../../../server/chain/sandbox/contracts/SandboxToken.json") as Artifact;
  const coin = await world.deploy(token, ["Play Dollar", "PLAY", 6]);
  const nft = await world.deploy(testContract("TradedCollectible"));
  const multi = await world.deploy(testContract("TradedToken"));
  for (const [index, account] of accounts.entries()) {
    await coin.send(account, "mint", [account, 10n ** 12n]);
    await multi.send(account, "mint", [account, 1n, 1_000_000n]);
    for (let id = 1; id <= 4; id++) await nft.send(account, "mint", [account, BigInt(10 * index + id)]);
    for (const operator of [seaport.contract.address, seaport.conduit]) {
      await coin.send(account, "approve", [operator, 2n ** 255n]);
      for (const each of [nft, multi]) await each.send(account, "setApprovalForAll", [operator, true]);
    }
  }
  await world.chain.mine();
  return { seaport, coin, nft, multi };
}

function networkOf({ chain }: MarketWorld, { contract }: Seaport, details: object = {}): Network {
  return localNetwork(chain.rpcUrl, {
    follow: { start: 0, wsUrls: [chain.wsUrl], pollMs: 50 },
    markets: [{ kind: "seaport", address: contract.address, zones: [`0x${"20".repeat(20)}`] }],
    ...details,
  });
}

interface FollowDependencies {
  readonly database: Database;
  readonly chain: Chain;
  readonly faults: string[];
}

function follow({ database, chain, faults }: FollowDependencies, network: Network): AsyncDisposable {
  const fault = (_: number | string, err: unknown): void => void faults.push(String(err));
  const markets = openMarkets({
    database,
    networks: [network],
    chainOf: async () => chain,
    events: { currenciesFailed: fault, orderChecksFailed: fault, ratesFailed: fault, rateChanged: () => {} },
  });
  const events: FollowerEvents = {
    followStarted: () => {},
    followEnded: () => {},
    headSeen: () => {},
    advanced: () => {},
    reorganized: () => {},
    rewound: () => {},
    skipped: (...what) => faults.push(JSON.stringify(what)),
    nodeDemoted: () => {},
    // Retries if a block is reorganized during the query.
    failed: () => {},
    stopped: (...what) => faults.push(what.map(String).join(" ")),
  };
  const { derivers } = markets;
  const followers = openFollowers({ database, hasSessions: true, networks: [network], derivers, events });
  return {
    async [Symbol.asyncDispose]() {
      await followers[Symbol.asyncDispose]();
      await markets[Symbol.asyncDispose]();
    },
  };
}

async function untilFollowed(database: Database, { chain }: MarketWorld): Promise<void> {
  const head = await chain.head();
  const end = performance.now() + 120_000;
  while ((await readCheckpoint(database, 31_337))?.number !== head) {
    if (performance.now() > end) throw new Error(`block ${head} was not read in time`);
    await new Promise((done) => setTimeout(done, 25));
  }
}

/** A listing of an ERC-721 token. */
export function listingOf({ nft }: Pick<SeaportFixture, "nft">, offerer: Hex, id: bigint): Terms {
  return {
    offerer,
    offer: [item(itemTypes.erc721, nft.address, { id })],
    consideration: [{ ...item(itemTypes.native, zeroAddress, { amount: 1_000n }), recipient: offerer }],
  };
}
