import type { Queries } from "../../../base/storage/database.ts";
import { uint256Max } from "../../../base/uint256.ts";
import { readPlace } from "../../../chain/follower/place.ts";
import {
  type CollectionKey,
  type CollectionState,
  collectionStates,
  findCollection,
  followCollection,
  leaveCollection,
  tokenFaults,
} from "../../../market/token-metadata/collections.ts";
import { wishOnDemand } from "../../../market/token-metadata/queue.ts";
import {
  AdminFault,
  type AdminPorts,
  argument,
  type Command,
  firstOf,
  type Input,
  type Row,
} from "../command.ts";
import { chainIdNamed, networkName } from "../networks.ts";

/** Tokens with faults that `show` lists. */
const faultsMax = 1_000;
export const collections: readonly Command[] = [
  {
    name: "collections add",
    help: "read a collection's tokens, owners and metadata off its chain; a host must follow the network",
    positionals: ["NETWORK", "ADDRESS"],
    options: {
      from: {
        valueName: "BLOCK",
        help: "also read its history from this block on, beside what is new; its own new blocks come after it",
      },
    },
    run: async (ports, input) => {
      const key = keyOf(ports, input);
      const from = firstOf(input, "from");
      if (from !== undefined && !/^[0-9]{1,15}$/.test(from))
        throw new AdminFault("--from: expected the number of a block");
      const database = await ports.database();
      await database.transaction((tx) =>
        followCollection(tx, {
          ...{ ...key, followedBy: "operator" },
          fromBlock: from === undefined ? undefined : Number(from),
        }),
      );
      const isFollowed = (await readPlace(database, key.chainId)) !== undefined;
      return {
        one: await stateOf(ports, database, await idOf(database, key)),
        ...(isFollowed
          ? {}
          : { note: `${argument(input, 0)} is not followed by any host yet; see: platform follow list` }),
      };
    },
  },
  {
    name: "collections list",
    help: "the collections that are read off their chains, and how far",
    positionals: [],
    run: async (ports) => {
      const rows = await collectionStates(await ports.database());
      return { list: rows.map((row) => shown(ports, row)) };
    },
  },
  {
    name: "collections show",
    help: "the tokens of a collection whose last reading failed, and why; the first thousand",
    positionals: ["NETWORK", "ADDRESS"],
    run: async (ports, input) => {
      const database = await ports.database();
      const id = await idOf(database, keyOf(ports, input));
      const rows = await tokenFaults(database, id, faultsMax);
      return { list: rows.map(({ next, ...row }) => ({ ...row, next: next?.toISOString() ?? null })) };
    },
  },
  {
    name: "collections refresh",
    help: "read the metadata of all tokens of a collection once more, or of one; also in the place of imported metadata",
    positionals: ["NETWORK", "ADDRESS", "[TOKEN]"],
    run: async (ports, input) => {
      const database = await ports.database();
      const id = await idOf(database, keyOf(ports, input));
      const token = input.positionals[2];
      if (token !== undefined && !(/^[0-9]{1,78}$/.test(token) && BigInt(token) <= uint256Max))
        throw new AdminFault(`"${token.slice(0, 80)}" is no number of a token`);
      const tokens = await wishOnDemand(database, id, token ?? null);
      if (tokens === 0) throw new AdminFault("there is no such token");
      return { one: { tokens } };
    },
  },
  {
    name: "collections remove",
    help: "read a collection no more, also when orders name it; what is known of it stays",
    positionals: ["NETWORK", "ADDRESS"],
    run: async (ports, input) => {
      const database = await ports.database();
      const id = await idOf(database, keyOf(ports, input));
      await database.transaction((tx) => leaveCollection(tx, id));
      return { one: await stateOf(ports, database, id) };
    },
  },
];

function keyOf({ config }: AdminPorts, input: Input): CollectionKey {
  const [name, address] = [argument(input, 0), argument(input, 1).toLowerCase()];
  const chainId = chainIdNamed(config, name);
  if (!/^0x[0-9a-f]{40}$/.test(address)) throw new AdminFault(`"${address.slice(0, 80)}" is no address`);
  return { chainId, address };
}

async function idOf(database: Queries, key: CollectionKey): Promise<string> {
  const id = await findCollection(database, key);
  if (id === undefined)
    throw new AdminFault(`there is no collection ${key.address} here; see: platform collections list`);
  return id;
}

async function stateOf(ports: AdminPorts, database: Queries, id: string): Promise<Row> {
  const [state] = await collectionStates(database, id);
  if (state === undefined) throw new AdminFault("this collection has never been followed");
  return shown(ports, state);
}

function shown({ config }: AdminPorts, { chainId, ...state }: CollectionState): Row {
  return { network: networkName(config, chainId), ...state };
}
