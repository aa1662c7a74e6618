import type { Database } from "../../base/storage/database.ts";
import { listen } from "../../base/storage/listen.ts";
import type { StateVersions } from "./keys.ts";
import { MarketVersions, type MarketVersionsOptions } from "./market-versions.ts";
import { type Sweep, sweepSql } from "./sweep.ts";

/** NOTIFY channel of the triggers of 0028-market-change.sql. */
const channel = "market_change";

/** Interval between sweeps, in milliseconds. Two may fail or be late before versions become uncertain. */
const sweepMs = 1_000;

/** Follows the market's changes on a connection of its own. */
export function openMarketVersions(
  { connection }: Pick<Database, "connection">,
  options: MarketVersionsOptions = {},
): StateVersions & AsyncDisposable {
  const { now = () => performance.now() } = options;
  const versions = new MarketVersions(options);
  const listener = listen({
    connection,
    channel,
    onMessage: (key) => versions.changed(key),
    onGap: () => versions.missed(),
    heartbeat: {
      intervalMs: sweepMs,
      beat: async (client) => {
        const startedAt = now();
        const { rows } = await client.query<Sweep>(sweepSql);
        for (const sweep of rows) versions.swept(sweep, startedAt);
      },
    },
  });
  return {
    versionOf: (keys) => versions.versionOf(keys),
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}
