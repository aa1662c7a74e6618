/** A host that follows a local chain with two Sequence markets and a Seaport, and a generated client of its Marketplace service. */
import { createRequire } from "node:module";
import { Marketplace } from "../../../../generated/client.ts";
import type { Artifact } from "../../../../server/chain/sandbox/artifact.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { accounts, type Contract, type MarketWorld, startMarketWorld } from "./market-world.ts";
import { deploySeaport, type Seaport } from "./seaport-world.ts";

const require = createRequire(import.meta.url);

export function sandboxContract(name: string): Artifact {
  return require(`../../../../server/chain/sandbox/contracts/${name}.json`) as Artifact;
}

/** Wei per millionth of a dollar, which is the smallest unit of the token. */
export const weiOfMicro = 500_000_000n;

export interface Trading extends AsyncDisposable {
  readonly world: MarketWorld;
  readonly markets: readonly SequenceContract[];
  readonly seaport: Seaport;
  readonly coin: Contract;
  readonly host: RunningHost;
  readonly data: Data;
  readonly client: Marketplace;
}

type SequenceKind = "sequence_marketplace_v1" | "sequence_marketplace_v2";
export type SequenceContract = Contract & { readonly kind: SequenceKind };

export interface TradingOptions {
  /** Settings of the followed chain. */
  readonly follow?: object;
}

export async function openTrading({ follow = {} }: TradingOptions = {}): Promise<Trading> {
  const world = await startMarketWorld();
  const kinds: readonly SequenceKind[] = ["sequence_marketplace_v1", "sequence_marketplace_v2"];
  const markets: SequenceContract[] = [];
  for (const kind of kinds) markets.push({ kind, ...(await world.deploy(sandboxContract("SandboxMarket"))) });
  const seaport = await deploySeaport(world);
  const coin = await world.deploy(sandboxContract("SandboxToken"), ["Play Dollar", "PLAY", 6]);
  for (const account of accounts) await coin.send(account, "mint", [account, 10n ** 12n]);
  await world.chain.mine();
  const details = {
    coin: { symbol: "ETH", name: "Ether", decimals: 18, usdRate: "2000" },
    currencies: [{ address: coin.address, symbol: "PLAY", decimals: 6, usdRate: "1" }],
    follow: { start: 0, wsUrls: [world.chain.wsUrl], pollMs: 50, ...follow },
    markets: [
      ...markets.map(({ kind, address }) => ({ kind, address })),
      { kind: "seaport", address: seaport.contract.address },
    ],
  };
  const made = await makeData();
  const env = {
    ...made.env,
    NETWORKS: "31337",
    RPC_URLS: `31337=${world.chain.rpcUrl}`,
    NETWORK_DETAILS: JSON.stringify({ "31337": details }),
  };
  // The admin commands need the same settings.
  const data: Data = { ...made, env };
  const unlimited = "1000000000";
  const host = await startHost({
    data,
    args: ["--rate-limit-project", unlimited, "--rate-limit-address", unlimited],
  });
  const client = new Marketplace({
    url: `${host.url}/31337`,
    headers: () => ({ "x-access-key": host.accessKey }),
  });
  return {
    world,
    markets,
    seaport,
    coin,
    host,
    data,
    client,
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await made[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
