/** A host with test currencies, and a generated client of its Marketplace service. */
import { Marketplace } from "../../../../generated/client.ts";
import type { Database } from "../../../../server/base/storage/database.ts";
import { databaseOf } from "../../../support/database.ts";
import { makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { storeCurrencies } from "./order-book.ts";

/** The queried network. */
export const chainId = 137;

export interface Market extends AsyncDisposable {
  readonly host: RunningHost;
  readonly database: Database;
  readonly client: Marketplace;
}

function clientOf(host: RunningHost): Marketplace {
  return new Marketplace({ url: `${host.url}/polygon`, headers: () => ({ "x-access-key": host.accessKey }) });
}

export async function openMarket(): Promise<Market> {
  const data = await makeData();
  const unlimited = "1000000000";
  const host = await startHost({
    data,
    args: [
      "--check-responses",
      "--networks",
      "polygon",
      "--rate-limit-project",
      unlimited,
      "--rate-limit-address",
      unlimited,
    ],
  });
  const database = databaseOf(data);
  await storeCurrencies(database, chainId);
  return {
    host,
    database,
    client: clientOf(host),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    },
  };
}
