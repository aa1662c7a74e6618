/** A process that follows a chain and records it until it is killed: `tsx follower-child.ts DATABASE_URL RPC_URL`. */

import { openDatabase } from "../../server/base/storage/open-database.ts";
import { openFollowers } from "../../server/chain/follower/open-followers.ts";
import { emittedTopic, emitterAddress } from "./event-chain.ts";
import { localNetwork } from "./local-network.ts";
import { recordingDeriver } from "./recording-deriver.ts";

const [databaseUrl = "", rpcUrl = ""] = process.argv.slice(2);
const follow = { start: 0, window: 80, pollMs: 20 };
openFollowers({
  database: openDatabase(
    { connectionString: databaseUrl },
    { connections: 4, statementTimeoutMs: 10_000, namedStatements: true },
  ),
  hasSessions: true,
  networks: [localNetwork(rpcUrl, { follow })],
  derivers: [recordingDeriver({ addresses: new Set([emitterAddress]), topics: new Set([emittedTopic]) })],
  events: {
    followStarted: () => process.stdout.write("followStarted\n"),
    followEnded: () => {},
    headSeen: () => {},
    advanced: () => {},
    reorganized: () => {},
    rewound: () => {},
    skipped: () => {},
    nodeDemoted: () => {},
    failed: () => {},
    stopped: (_, reason) => process.stderr.write(`${reason}\n`),
  },
});
