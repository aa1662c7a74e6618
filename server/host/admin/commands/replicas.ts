import { sharedSettings } from "../../../base/config/config.ts";
import { isReplicaAlive, type SharedSettings } from "../../../base/storage/replicas.ts";
import { utcSeconds } from "../../../base/storage/sql.ts";
import { type Command, networkName } from "../command.ts";

export const replicas: readonly Command[] = [
  {
    name: "replicas list",
    help: "list the running hosts with their versions, followed chains, signing keys, and settings that differ",
    positionals: [],
    details:
      "The first signing key signs; the others only verify and decrypt. All hosts need the same ones, and the same settings where they are listed.",
    run: async ({ config, database }) => {
      const rows = await (await database()).query<ReplicaRow>(
        `select id::text as id, machine, process, version, ${utcSeconds("started_at")} as "startedAt",
                ${utcSeconds("seen_at")} as "seenAt",
                array(select chain_id::float8 from follower_cursor where replica_id = replica.id order by chain_id) as chains,
                signing_keys as "signingKeys", settings
         from replica where ${isReplicaAlive} order by started_at, id`,
      );
      const differing = sharedSettings.filter(
        (name) => new Set(rows.map(({ settings }) => String(settings[name]))).size > 1,
      );
      return {
        list: rows.map(({ chains, signingKeys, settings, ...row }) => ({
          ...row,
          follows: chains.map((chainId) => networkName(config, chainId)),
          signingKeys,
          settings: differing.map((name) => `${name}=${settings[name]}`),
        })),
      };
    },
  },
];

interface ReplicaRow {
  readonly id: string;
  readonly machine: string;
  readonly process: number;
  readonly version: string;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly chains: readonly number[];
  readonly signingKeys: readonly string[];
  readonly settings: Partial<SharedSettings>;
}
