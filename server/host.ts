import { once } from "node:events";
import { createApp } from "./app.ts";
import type { Config } from "./config/config.ts";
import { openDoor } from "./http/door.ts";
import { Networks } from "./networks/networks.ts";
import { readNetworks } from "./networks/settings.ts";
import type { Ready } from "./ready.ts";
import { openStorage } from "./storage/open.ts";

export interface Around {
  readonly appVersion: string;
  /** Takes one line for the operator. */
  readonly log: (line: string) => void;
  readonly onReady: (ready: Ready) => void;
  /** Aborted when the host is to stop. */
  readonly stop: AbortSignal;
}

/**
 * Opens what the host consists of, from the ground up, and serves until it is told to stop. All is closed in the reverse order,
 * also if something later could not be opened: first the door, so that the calls under way still find everything below them.
 */
export async function serve(config: Config, { appVersion, log, onReady, stop }: Around): Promise<void> {
  await using _database = await openStorage(config, log);
  const networks = new Networks(readNetworks(config).networks);
  const app = createApp({ networks, appVersion, log, checkResponses: config.checkResponses });
  await using door = await openDoor(app, {
    host: config.host,
    port: config.port,
    maxCalls: config.maxConcurrentCalls,
    drainMs: config.stopMaxSeconds * 1_000,
    onRefusal: () => {},
    onCutOff: (connections) => log(`stopped while ${connections} connections were owed an answer`),
  });
  onReady({ url: door.url, networks: networks.all.map(({ chainId, name }) => ({ chainId, name })) });
  if (!stop.aborted) await once(stop, "abort");
}
