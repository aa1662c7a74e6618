import type { Database } from "../../server/base/storage/database.ts";
import { databaseOf } from "../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../support/host.ts";
import { collectionAddress } from "../support/market-data.ts";
import { postBytes } from "../support/open-loop.ts";
import { makeKey } from "../support/operator.ts";
import { besiege } from "./siege.ts";

const chainId = 137;
const hostile = collectionAddress(1);
const usual = collectionAddress(2);
const currency = `0x${"a".repeat(40)}`;

interface Call {
  readonly path: string;
  readonly body: object;
}

const collectionCall = (path: string, body: object = {}): Call => ({
  path: `/rpc/Marketplace/${path}`,
  body: { chainId: `${chainId}`, contractAddress: hostile, ...body },
});

/** The methods whose responses grow with data that strangers, or a project itself, can add. */
const growing: readonly Call[] = [
  {
    path: "/rpc/Metadata/TokenCollectionFilters",
    body: { chainID: `${chainId}`, contractAddress: hostile },
  },
  collectionCall("ListCollectibles", { side: "listing", page: { pageSize: 100 } }),
  collectionCall("GetFloorOrder"),
  {
    path: "/rpc/Marketplace/GetOrders",
    body: {
      chainId: `${chainId}`,
      input: Array.from({ length: 100 }, (_, index) => ({
        contractAddress: hostile,
        orderId: `${index + 1}`,
      })),
    },
  },
  { path: "/rpc/Builder/GetAudience", body: { audienceId: 1_000_001 } },
  {
    path: "/rpc/Builder/ListContractSources",
    body: { page: { pageSize: 7, column: "id" } },
  },
  { path: "/rpc/Indexer/GetAllWebhookListeners", body: { chainId: `${chainId}` } },
];

/** One address calls each method whose response can be large, and reads nothing. A host for each attack: its memory is that of the attack. */
export async function reportHostileData(): Promise<readonly string[]> {
  await using data = await makeData();
  const keys = await makeHostileData(data);
  const broken: string[] = [];
  for (const call of growing) broken.push(...(await attackHost(data, keys, call, { times: 4 })));
  return broken;
}

/** The same with requests that have as many values to filter by as a body holds. */
export async function reportFilters(): Promise<readonly string[]> {
  await using data = await makeData();
  const keys = await makeHostileData(data);
  const broken: string[] = [];
  const bodyMaxBytes = 1_048_576;
  for (const field of ["properties", "inAccounts", "marketplaces"]) {
    const most = (value: unknown): unknown[] =>
      Array(Math.floor((bodyMaxBytes - 500) / (JSON.stringify(value).length + 1))).fill(value);
    const values =
      field === "properties" ? [{ name: "Short 1", values: most(1) }] : most(field === "inAccounts" ? "" : 0);
    const call = collectionCall("ListCollectibles", { filter: { [field]: values } });
    broken.push(...(await attackHost(data, keys, call, { times: 1, name: `${field} of 1 MiB` })));
  }
  return broken;
}

interface Keys {
  readonly attacker: Readonly<Record<string, string>>;
  readonly other: Readonly<Record<string, string>>;
}

async function attackHost(
  data: Data,
  { attacker, other }: Keys,
  { path, body }: Call,
  // How often each connection sends the call at once.
  { times, name = path.slice("/rpc/".length) }: { readonly times: number; readonly name?: string },
): Promise<readonly string[]> {
  await using host = await startAttacked(data);
  const port = Number(new URL(host.url).port);
  const call = postBytes(path, JSON.stringify(body), attacker);
  const floor = postBytes(
    "/rpc/Marketplace/GetFloorOrder",
    JSON.stringify({ chainId: `${chainId}`, contractAddress: usual }),
    other,
  );
  return await besiege({
    name,
    process: host.process,
    port,
    calls: Array(times).fill(call),
    other: { port, call: floor },
  });
}

/** With the limits of a host in production. It follows the network, for webhooks, but its node is down. */
function startAttacked(data: Data): Promise<RunningHost> {
  const details = { rpcUrls: ["http://127.0.0.1:9"], follow: true };
  return startHost({
    data,
    args: ["--networks", "polygon", "--log-level", "error", "--max-lag-ms", "100"],
    env: { NETWORK_DETAILS: JSON.stringify({ [chainId]: details }) },
  });
}

/** Documents of 1,000 tokens, an audience, contracts and webhooks, each as large as the platform accepts. */
async function makeHostileData(data: Data): Promise<Keys> {
  await using host = await startAttacked(data);
  await using database = databaseOf(data);
  await database.query(
    "insert into currency (chain_id, address, symbol, name, decimals, usd_rate) values ($1, $2, 'USD', 'Dollar', 6, 1)",
    [chainId, currency],
  );
  await mint(database, hostile, { tokens: 1_000, textLength: 65_536, traits: 20 });
  await mint(database, usual, { tokens: 1, textLength: 60, traits: 2 });
  await database.query(
    `with made as (insert into audience (id, project_id, name) values (1000001, $1, 'Many') returning id)
    insert into audience_contact (audience_id, address, name)
    select made.id, '0x' || lpad(to_hex(each), 40, '0'), repeat('n', 1000) from made, generate_series(1, 10000) as each`,
    [host.projectId],
  );
  await database.query(
    `insert into contract_source (project_id, uid, contract_type, name, abi)
    select $1, 'large-' || each, 'ERC721', 'Large', repeat('a', 1048576) from generate_series(1, 9) as each`,
    [host.projectId],
  );
  // 4 MiB of filters in as many listeners as a project may have.
  await database.query(
    `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret, pause_reason)
    select each, $1, $2, 'https://example.com/' || rpad(each || '-', 2000, 'u'), 'example.com', repeat('n', 128), 'object', json_build_object(
      'contractAddresses', json_build_array($3::text),
      'events', json_build_array('Transfer(address,address,uint256)'),
      'accounts', (select json_agg('0x' || lpad(to_hex(1000 * each + account), 40, '0')) from generate_series(1, 86) as account)
    ), '', 'owner' from generate_series(1, 1000) as each`,
    [host.projectId, chainId, hostile],
  );
  const { accessKey } = await makeKey(data);
  await database.query("analyze");
  const attacker = { "X-Access-Key": host.accessKey, Authorization: `Bearer ${host.secretKey}` };
  return { attacker, other: { "X-Access-Key": accessKey } };
}

/**
 * The first eight properties have as many long values as filters list. In earlier versions, the other twenty did too: a value of its own
 * for each token.
 */
async function mint(
  database: Database,
  address: string,
  {
    tokens,
    textLength,
    traits,
  }: { readonly tokens: number; readonly textLength: number; readonly traits: number },
): Promise<void> {
  await database.query(
    `with made as (insert into collection (chain_id, address) values ($1, $2) returning id), token as (
      insert into collectible (collection_id, token_id, name, status, origin, description, image, image_data, attributes)
      select made.id, each, 'Token ' || each, 'AVAILABLE', 'chain', repeat('d', $5::int), repeat('i', $5::int), repeat('x', 2 * $5::int), (
        select json_agg(json_build_object('trait_type', kind, 'value', value)) from (
          select 'Short ' || trait as kind, rpad((each % 63)::text, 1000, 'x') as value from generate_series(1, 8) as trait
          union all
          select 'Trait ' || trait, rpad(each || '-' || trait, 1000, 'x') from generate_series(1, $6::int) as trait
        ) as one
      )
      from made, generate_series(1, $3::int) as each
      returning id, collection_id, token_id
    )
    insert into market_order (
      collection_id, collectible_id, order_id, marketplace, side, status, created_by, currency_id, price_amount, quantity_initial,
      quantity_remaining, quantity_available
    )
    select token.collection_id, token.id, token.token_id, 'opensea', 'listing', 'active', $2, currency.id, token.token_id, 1, 1, 1
    from token join currency on currency.chain_id = $1 and currency.address = $4`,
    [chainId, address, tokens, currency, textLength, traits],
  );
}
