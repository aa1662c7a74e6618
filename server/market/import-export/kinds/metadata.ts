import type { MetadataLineWithDefaults as Line } from "../../../../generated/records/types.ts";
import { readMetadataLine } from "../../../../generated/records/validators.ts";
import { utcExact } from "../../../base/storage/sql.ts";
import { ChainLookup, chainNotServed, timestampError, uint256Error } from "../check-values.ts";
import { countingUpsert, type RecordKind, stagingTable } from "../record-kind.ts";

const addCollections: string = `
insert into collection (chain_id, address)
select chain_id, address from ${stagingTable} staged
where not exists (select from collection known where known.chain_id = staged.chain_id and known.address = staged.address)
group by chain_id, address order by min(line)
on conflict do nothing`;

const timestamps = ["updatedAt"] as const;

/**
 * Largest attributes and properties of a token together, in bytes of JSON. Most tokens have less than two thousand. The values are indexed,
 * and all tokens of a collection contribute to its filters.
 */
export const maxTraitsBytes = 65_536;

export const metadata: RecordKind<Line, ChainLookup> = {
  name: "metadata",
  identifiedBy: "chainId, contractAddress and tokenId",
  example: {
    chainId: "polygon",
    contractAddress: "0x631998e91476da5b870d741192fc5cbc55f5a52e",
    tokenId: "42",
    name: "Knife",
    attributes: [{ trait_type: "Rarity", value: "Rare" }],
    image: "https://example.org/42.png",
  },
  validate: readMetadataLine,
  loadContext: async (_, networks) => new ChainLookup(networks),
  key: ["chain_id", "address", "token_id"],
  partitionBy: ["chain_id", "address"],
  columns: [
    ["chain_id", "bigint"],
    ["address", "text"],
    ["token_id", "numeric"],
    ["name", "text"],
    ["description", "text"],
    ["image", "text"],
    ["video", "text"],
    ["audio", "text"],
    ["image_data", "text"],
    ["external_url", "text"],
    ["background_color", "text"],
    ["animation_url", "text"],
    ["decimals", "smallint"],
    ["attributes", "json"],
    ["properties", "json"],
    ["updated_at", "timestamptz"],
    ["assets", "json"],
  ],
  stage: (line, chains) => {
    const chainId = chains.find(line.chainId);
    if (chainId === undefined) return chainNotServed(line.chainId);
    const attributes = JSON.stringify(line.attributes ?? []);
    const properties = line.properties === undefined ? null : JSON.stringify(line.properties);
    const error = lineError(line) ?? traitsError(attributes, properties ?? "");
    if (error !== undefined) return error;
    return [
      chainId,
      line.contractAddress,
      line.tokenId,
      line.name,
      line.description ?? null,
      line.image ?? null,
      line.video ?? null,
      line.audio ?? null,
      line.imageData ?? null,
      line.externalUrl ?? null,
      line.backgroundColor ?? null,
      line.animationUrl ?? null,
      line.decimals ?? null,
      attributes,
      properties,
      line.updatedAt ?? null,
      line.assets === undefined ? null : JSON.stringify(line.assets),
    ];
  },
  checks: [
    `
select line, format('metadata of this token was deleted: %s; to allow it: platform metadata restore', deleted_because) as fault
from ${stagingTable} staged
join collection using (chain_id, address)
join collectible on collectible.collection_id = collection.id and collectible.token_id = staged.token_id
where deleted_because is not null
  -- Evaluated once: usually, there are none.
  and exists (select from collectible any_token where any_token.deleted_because is not null)`,
  ],
  merge: [
    addCollections,
    // Metadata that was read from the chain stays, assets included.
    `
delete from ${stagingTable} staged using collection, collectible known
where collection.chain_id = staged.chain_id and collection.address = staged.address
  and known.collection_id = collection.id and known.token_id = staged.token_id and known.origin = 'chain'`,
    countingUpsert(`
  insert into collectible as known (collection_id, token_id, name, description, image, video, audio, image_data, external_url,
    background_color, animation_url, decimals, attributes, properties, status, origin, metadata_updated_at)
  select collection.id, token_id, name, description, image, video, audio, image_data, external_url,
    background_color, animation_url, decimals, attributes, properties, 'AVAILABLE', 'import', coalesce(updated_at, now())
  from ${stagingTable} join collection using (chain_id, address)
  order by line
  on conflict (collection_id, token_id) do update set name = excluded.name, description = excluded.description,
    image = excluded.image, video = excluded.video, audio = excluded.audio, image_data = excluded.image_data,
    external_url = excluded.external_url, background_color = excluded.background_color, animation_url = excluded.animation_url,
    decimals = excluded.decimals, attributes = excluded.attributes, properties = excluded.properties, status = excluded.status,
    origin = excluded.origin, metadata_updated_at = excluded.metadata_updated_at
  where known.deleted_because is null and (known.name, known.description, known.image, known.video, known.audio, known.image_data, known.external_url,
     known.background_color, known.animation_url, known.decimals, known.attributes::text, known.properties::text, known.status,
     known.origin) is distinct from
    (excluded.name, excluded.description, excluded.image, excluded.video, excluded.audio, excluded.image_data, excluded.external_url,
     excluded.background_color, excluded.animation_url, excluded.decimals, excluded.attributes::text, excluded.properties::text,
     excluded.status, excluded.origin)`),
    `
create temp table staged_asset on commit drop as
select row_number() over () as place, collection.id as collection_id, collectible.id as collectible_id, asset.*
from ${stagingTable} staged
join collection using (chain_id, address)
join collectible on collectible.collection_id = collection.id and collectible.token_id = staged.token_id
  and collectible.deleted_because is null
left join json_to_recordset(staged.assets) as asset ("metadataField" text, url text, filename text, filesize bigint, "mimeType" text,
  width int, height int, "updatedAt" timestamptz) on true
where staged.assets is not null`,
    "create unique index on staged_asset (place)",
    "create index on staged_asset (collectible_id)",
    "analyze staged_asset",
    `
delete from asset using staged_asset staged
where staged.place > 0 and asset.collectible_id = staged.collectible_id and not exists (
  select from staged_asset kept where kept.collectible_id = asset.collectible_id and kept."metadataField" = asset.metadata_field)`,
    `
insert into asset as known (collection_id, collectible_id, metadata_field, url, filename, filesize, mime_type, width, height, updated_at)
select collection_id, collectible_id, "metadataField", url, filename, filesize, "mimeType", width, height, "updatedAt"
from staged_asset where place > 0 and "metadataField" is not null
on conflict (collection_id, collectible_id, metadata_field) do update set url = excluded.url, filename = excluded.filename,
  filesize = excluded.filesize, mime_type = excluded.mime_type, width = excluded.width, height = excluded.height,
  updated_at = excluded.updated_at`,
  ],
  exportSql: () => `
select chain_id::float8 as "chainId", address as "contractAddress", token_id::text as "tokenId", token.name, attributes, description,
       image, video, audio, properties, image_data as "imageData", external_url as "externalUrl",
       background_color as "backgroundColor", animation_url as "animationUrl", decimals,
       ${utcExact("metadata_updated_at")} as "updatedAt",
       (select json_agg(json_strip_nulls(json_build_object('metadataField', metadata_field, 'url', url, 'filename', filename,
          'filesize', filesize, 'mimeType', mime_type, 'width', width, 'height', height, 'updatedAt', ${utcExact("asset.updated_at")}))
          order by asset.id)
        from asset where collectible_id = token.id) as assets
from collectible token join collection on collection.id = collection_id
where origin is not null and deleted_because is null
order by chain_id, address, token.token_id`,
  fetchCount: 200,
};

function traitsError(attributes: string, properties: string): string | undefined {
  const bytes = Buffer.byteLength(attributes) + Buffer.byteLength(properties);
  return bytes <= maxTraitsBytes
    ? undefined
    : `/attributes: attributes and properties have ${bytes} bytes of JSON, at most ${maxTraitsBytes} are allowed`;
}

function lineError(line: Line): string | undefined {
  const fields = (line.assets ?? []).map(({ metadataField }) => metadataField);
  const duplicate = fields.find((field, index) => fields.indexOf(field) !== index);
  if (duplicate !== undefined) return `/assets: "${duplicate}" appears twice`;
  for (const [index, asset] of (line.assets ?? []).entries()) {
    const error = timestampError({ ...asset }, timestamps);
    if (error !== undefined) return `/assets/${index}${error}`;
  }
  return uint256Error("tokenId", line.tokenId) ?? timestampError({ ...line }, timestamps);
}
