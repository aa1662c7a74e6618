import type { Queries } from "../../../base/storage/database.ts";
import { readCheckpoint } from "../../../chain/follower/checkpoint.ts";
import {
  type CollectionKey,
  type CollectionState,
  collectionStates,
  findCollection,
  followCollection,
  listFailedTokens,
  unfollowCollection,
} from "../../../market/token-metadata/followed-collections.ts";
import { enqueueOnDemand } from "../../../market/token-metadata/queue.ts";
import {
  type AdminContext,
  AdminFault,
  argument,
  type Command,
  contractNamed,
  firstOf,
  networkName,
  type Row,
  readTokenId,
} from "../command.ts";

/** Most failed tokens that `show` lists. */
const faultsMax = 1_000;
export const collections: readonly Command[] = [
  {
    name: "collections add",
    help: "read a collection's tokens, owners and metadata from its chain; a host must follow the network",
    positionals: ["NETWORK", "ADDRESS"],
    options: {
      from: {
        valueName: "BLOCK",
        help: "also read its history from this block on; its new blocks are read afterwards",
      },
    },
    run: async (context, input) => {
      const key = contractNamed(context, input);
      const from = firstOf(input, "from");
      if (from !== undefined && !/^[0-9]{1,15}$/.test(from))
        throw new AdminFault("--from: expected a block number");
      const database = await context.database();
      await database.transaction((tx) =>
        followCollection(tx, {
          ...key,
          followedBy: "operator",
          fromBlock: from === undefined ? undefined : Number(from),
        }),
      );
      const isFollowed = (await readCheckpoint(database, key.chainId)) !== undefined;
      return {
        record: await stateOf(context, database, await idOf(database, key)),
        ...(isFollowed
          ? {}
          : { note: `No host follows ${argument(input, 0)} yet; see: platform follow list` }),
      };
    },
  },
  {
    name: "collections list",
    help: "list the collections that are read from their chains, and their progress",
    positionals: [],
    run: async (context) => {
      const rows = await collectionStates(await context.database());
      return { list: rows.map((row) => shown(context, row)) };
    },
  },
  {
    name: "collections show",
    help: "list the first thousand tokens whose metadata could not be read, and why",
    positionals: ["NETWORK", "ADDRESS"],
    run: async (context, input) => {
      const database = await context.database();
      const id = await idOf(database, contractNamed(context, input));
      const rows = await listFailedTokens(database, id, faultsMax);
      return { list: rows.map(({ next, ...row }) => ({ ...row, next: next?.toISOString() ?? null })) };
    },
  },
  {
    name: "collections refresh",
    help: "read the metadata of all tokens of a collection again, or of one token; replaces imported metadata",
    positionals: ["NETWORK", "ADDRESS", "[TOKEN]"],
    run: async (context, input) => {
      const database = await context.database();
      const id = await idOf(database, contractNamed(context, input));
      const [, , text] = input.positionals;
      const token = text === undefined ? undefined : readTokenId(text);
      const tokens = await enqueueOnDemand(database, id, token ?? null);
      if (tokens === 0)
        throw new AdminFault(
          `no token${token === undefined ? "" : ` ${token}`} of this collection is known, unless its metadata was deleted; to read the collection: platform collections add`,
        );
      return { record: { tokens } };
    },
  },
  {
    name: "collections remove",
    help: "stop reading a collection, even if orders name it; keeps its records",
    positionals: ["NETWORK", "ADDRESS"],
    run: async (context, input) => {
      const database = await context.database();
      const id = await idOf(database, contractNamed(context, input));
      await database.transaction((tx) => unfollowCollection(tx, id));
      return { record: await stateOf(context, database, id) };
    },
  },
];

export async function idOf(database: Queries, key: CollectionKey): Promise<string> {
  const id = await findCollection(database, key);
  if (id === undefined)
    throw new AdminFault(`collection ${key.address} does not exist; see: platform collections list`);
  return id;
}

async function stateOf(context: AdminContext, database: Queries, id: string): Promise<Row> {
  const [state] = await collectionStates(database, id);
  if (state === undefined) throw new AdminFault("this collection was never followed");
  return shown(context, state);
}

function shown({ config }: AdminContext, { chainId, ...state }: CollectionState): Row {
  return { network: networkName(config, chainId), ...state };
}
