/** Follows the chain, matches all its events with one listener, and stores the notifications. Nothing is delivered. */
import type { Database } from "../../../server/base/storage/database.ts";
import { ContractTypes } from "../../../server/chain/contract-types/contract-types.ts";
import type { Deriver } from "../../../server/chain/follower/derive/deriver.ts";
import { Chains } from "../../../server/chain/rpc/chains.ts";
import { addListener } from "../../../server/webhooks/listeners.ts";
import { createWebhookDeriver } from "../../../server/webhooks/notify/webhook-deriver.ts";
import { emitterAddress } from "../../support/event-chain.ts";
import { localNetwork } from "../../support/local-network.ts";
import { sealSecret } from "../../support/webhook-world.ts";
import { emptyPlatform } from "./empty-platform.ts";

const transfer = "Transfer(address indexed from,address indexed to,uint256 value)";

/** Creates all tables and the listener. */
export async function prepareNotifications(database: Database): Promise<void> {
  await emptyPlatform(database);
  const [project] = await database.query<{ id: string }>(
    "insert into project (name) values ('Bench') returning id",
  );
  await database.transaction((tx) =>
    addListener(tx, {
      projectId: Number(project?.id),
      chainId: 31_337,
      url: "http://127.0.0.1:9/",
      filters: { contractAddresses: [emitterAddress], events: [transfer] },
      format: "object",
      delivery: "head",
      name: undefined,
      seal: (id) => sealSecret("secret", id),
    }),
  );
}

export function openNotificationDeriver(database: Database, rpcUrl: string): Deriver {
  const chains = new Chains();
  const network = localNetwork(rpcUrl);
  const types = new ContractTypes();
  return createWebhookDeriver({
    database,
    contractTypeOf: (tx, address) => types.of(tx, tx.chainId, address, () => chains.of(network)),
    wake: () => {},
  });
}
