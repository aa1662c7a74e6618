import { accounts, type Contract, type MarketWorld } from "../../server/market/indexer/market-world.ts";
import { sandboxContract } from "../../server/market/indexer/trading.ts";
import { testContract } from "../../support/test-contracts.ts";

const eventsOfRound = 20;

export interface BusyMarket {
  readonly address: string;
  /** Sends a transaction with a multiple of 20 events. It waits to be mined. */
  trade(events: number): Promise<void>;
}

/** Deploys markets that emit the events of a busy Sequence market, all for tokens of one collection. */
export async function deployBusyMarkets(world: MarketWorld, count: number): Promise<readonly BusyMarket[]> {
  const coin = await world.deploy(sandboxContract("SandboxToken"), ["Play Dollar", "PLAY", 6]);
  const token = await world.deploy(testContract("TradedToken"));
  const markets: BusyMarket[] = [];
  while (markets.length < count)
    markets.push(busyMarket(await world.deploy(testContract("BusyMarket")), [token.address, coin.address]));
  return markets;
}

function busyMarket(contract: Contract, tokens: readonly string[]): BusyMarket {
  return {
    address: contract.address,
    trade: (events) =>
      contract.send(accounts[0] as `0x${string}`, "trade", [events / eventsOfRound, ...tokens], {
        gas: 12_000_000n,
      }),
  };
}
