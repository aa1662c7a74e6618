-- NFT markets: currencies, collections, tokens, and orders for them. These records describe chains and belong to no project.
-- Addresses and hashes are lower case hex text, as on the wire.
-- Designed for 100 million orders, of which a tenth are open: figures in server/market/records/README.md. Price indexes only
-- contain open orders, so that closed orders do not enlarge them. Closed orders are kept, because GetOrders returns them forever. An
-- order whose time is up is treated as expired when it is read, and marked `expired` afterwards, so that the indexes do not fill
-- up. Reads stay within one collection, so partitions would only help the vacuum. Instead, the vacuum starts after a hundredth of
-- the table has changed.

-- Numbers of a chain, and amounts of tokens: 0 to 2^256 - 1.
create domain uint256 as numeric(78, 0)
  check (value >= 0 and value <= 115792089237316195423570985008687907853269984665640564039457584007913129639935);
create domain address as text check (value ~ '^0x[0-9a-f]{40}$');

-- Origin of a record. An import never overwrites records read from a chain.
create type record_origin as enum ('import', 'chain');

-- Currencies of orders. Natural key: (chain_id, address); the zero address is the chain's native coin. The configured currencies
-- are stored too, so that orders can name them. The orders of a currency without a rate are returned, but are never
-- the best order.
create table currency (
  id int generated always as identity primary key,
  chain_id bigint not null,
  address address not null,
  symbol text not null,
  name text not null,
  decimals smallint not null check (decimals between 0 and 77),
  -- US dollars for one whole unit, as imported. Takes precedence over the configuration.
  usd_rate numeric check (usd_rate > 0 and usd_rate < 1e18),
  updated_at timestamptz not null default now(),
  unique (chain_id, address)
);

-- A token contract. Natural key: (chain_id, address). Created by its first order, token or file.
create table collection (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  chain_id bigint not null,
  address address not null,
  created_at timestamptz not null default now(),
  unique (chain_id, address)
);

create type metadata_status as enum ('NOT_AVAILABLE', 'STALE', 'AVAILABLE');

-- A token of a collection, with its metadata. Natural key: (collection_id, token_id). An order for an unknown token creates a row
-- with only these two columns.
create table collectible (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  collection_id bigint not null references collection,
  token_id uint256 not null,
  name text not null default '',
  description text,
  image text,
  video text,
  audio text,
  image_data text,
  external_url text,
  background_color text,
  animation_url text,
  decimals smallint check (decimals between 0 and 255),
  -- `attributes` is a list of objects, `properties` an object. Not jsonb, which would reorder the keys.
  attributes json not null default '[]' check (json_typeof(attributes) = 'array'),
  properties json check (json_typeof(properties) = 'object'),
  status metadata_status not null default 'NOT_AVAILABLE',
  -- Null: no metadata yet.
  origin record_origin,
  metadata_updated_at timestamptz,
  unique (collection_id, token_id)
);

-- Files that metadata links to. Natural key: (collection_id, collectible_id, metadata_field). Without a collectible: a file of
-- the collection.
create table asset (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  collection_id bigint not null references collection,
  collectible_id bigint references collectible,
  metadata_field text not null,
  url text,
  filename text,
  filesize bigint check (filesize between 0 and 9007199254740991),
  mime_type text,
  width int check (width >= 0),
  height int check (height >= 0),
  updated_at timestamptz,
  unique nulls not distinct (collection_id, collectible_id, metadata_field)
);
create index asset_collectible on asset (collectible_id);

-- Owners of a token, and their amounts. Natural key: (collectible_id, owner). An owner with nothing left has no row.
create table collectible_owner (
  collectible_id bigint not null references collectible,
  owner address not null,
  quantity uint256 not null check (quantity > 0),
  primary key (collectible_id, owner)
);
create index collectible_owner_owner on collectible_owner (owner, collectible_id);

create type market_kind as enum (
  'unknown', 'sequence_marketplace_v1', 'sequence_marketplace_v2', 'blur', 'zerox', 'opensea', 'looks_rare', 'x2y2', 'alienswap',
  'payment_processor', 'mintify', 'magic_eden', 'sudo_swap', 'coinbase', 'rarible', 'nftx', 'foundation', 'manifold', 'zora',
  'super_rare', 'okx', 'element', 'aqua_xyz', 'auranft_co'
);
create type order_source as enum (
  'unknown', 'external', 'sequence_marketplace_v1', 'sequence_marketplace_v2', 'opensea', 'magic_eden'
);
create type order_side as enum ('unknown', 'listing', 'offer');
create type order_status as enum (
  'unknown', 'active', 'inactive', 'expired', 'cancelled', 'filled', 'decimals_missing'
);

-- Listings and offers of all markets. Natural key: (collection_id, order_id, marketplace), by which GetOrders finds them. Other
-- fields of the wire are computed when an order is read: dollars, net prices, formatted amounts, the status of an expired order.
create table market_order (
  id bigint generated always as identity (maxvalue 9007199254740991) primary key,
  collection_id bigint not null references collection,
  -- Null: an offer for any token of the collection.
  collectible_id bigint references collectible,
  order_id text not null collate "C" check (length(order_id) between 1 and 256),
  marketplace market_kind not null,
  source order_source not null default 'external',
  origin record_origin not null default 'import',
  side order_side not null,
  status order_status not null,
  origin_name text not null default '',
  slug text not null default '',
  -- The maker.
  created_by address not null,
  currency_id int not null references currency,
  -- Price of one unit, in the smallest unit of the currency.
  price_amount uint256 not null,
  quantity_initial uint256 not null,
  quantity_remaining uint256 not null,
  quantity_available uint256 not null,
  quantity_decimals smallint not null default 0 check (quantity_decimals between 0 and 77),
  fee_bps int not null default 0 check (fee_bps between 0 and 10000),
  -- [{"kind": "royalty", "recipientAddress": "0x…", "bps": 250}]
  fee_breakdown json not null default '[]' check (json_typeof(fee_breakdown) = 'array'),
  valid_from timestamptz not null default '1970-01-01T00:00:00Z',
  -- The first moment at which the order can no longer be filled.
  valid_until timestamptz not null default '9999-12-31T23:59:59Z',
  block_number bigint not null default 0 check (block_number between 0 and 9007199254740991),
  -- Times at the market; null if the market does not report them.
  order_created_at timestamptz,
  order_updated_at timestamptz,
  -- Times of this record.
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Set when the record is withdrawn.
  deleted_at timestamptz,
  -- Of two orders with the same price, the older one comes first.
  made_at timestamptz not null generated always as (coalesce(order_created_at, created_at)) stored,
  unique (collection_id, order_id, marketplace),
  check (side <> 'listing' or collectible_id is not null)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01);

-- An order is open if it is, was or will be live. Queries repeat this condition literally, and check the time separately. Listings,
-- cheapest first, and offers, highest first: of a collection, of one token, and offers for any token of a collection.
create index listing_of_collection on market_order (collection_id, currency_id, price_amount, made_at)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'listing';
create index listing_of_collectible on market_order (collectible_id, currency_id, price_amount, made_at)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'listing';
create index offer_of_collection on market_order (collection_id, currency_id, price_amount desc, made_at)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'offer' and collectible_id is not null;
create index offer_of_collectible on market_order (collectible_id, currency_id, price_amount desc, made_at)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'offer' and collectible_id is not null;
create index offer_for_any_token on market_order (collection_id, currency_id, price_amount desc, made_at)
  where status = 'active' and deleted_at is null and quantity_available > 0 and side = 'offer' and collectible_id is null;
-- To mark expired orders.
create index order_end on market_order (valid_until)
  where status = 'active' and deleted_at is null and quantity_available > 0;
