/** Token filters, and the columns that responses show of a token. */
import { type JsonRow, json, jsonOrNull, jsonRow, plainText, utcTime } from "../json-row.ts";
import type { Parameters } from "../parameters.ts";
import { mergeConditions, type PropertyCondition } from "./merge-conditions.ts";

/** Fields are AND-ed, values of one field OR-ed. An empty or absent field restricts nothing. Addresses are lower case. */
export interface TokenConditions {
  readonly searchText?: string | undefined;
  readonly properties?: readonly PropertyCondition[] | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly notOwners?: readonly string[] | undefined;
}

/** CTE `wanted (id)`: the tokens that pass the filter, of the collection in the CTE `here`. Undefined if all pass. */
export function wantedTable(conditions: TokenConditions, parameters: Parameters): string | undefined {
  const parts = [
    ...wordConditions(conditions.searchText ?? "", parameters),
    ...propertyConditions(conditions.properties ?? [], parameters),
    ...ownerConditions(conditions, parameters),
  ];
  if (parts.length === 0) return undefined;
  return `wanted as materialized (
    select token.id from collectible as token where token.collection_id = (select id from here) and ${parts.join(" and ")}
  )`;
}

/** Every word of the search text must occur in the token's name. */
function wordConditions(searchText: string, parameters: Parameters): readonly string[] {
  const words = searchText.split(/\s+/).filter((word) => word !== "");
  return words.map((word) => `position(lower(${parameters.bind(word, "text")}) in lower(token.name)) > 0`);
}

/** Finds the matching property values first, then the tokens that have all of them. */
function propertyConditions(
  properties: readonly PropertyCondition[],
  parameters: Parameters,
): readonly string[] {
  const required = mergeConditions(properties).flatMap(({ name, min, max, lists }) =>
    (lists.length === 0 ? [[]] : lists).map((values) => ({ name, min, max, values })),
  );
  if (required.length === 0) return [];
  const numbered = JSON.stringify(required.map((condition, place) => ({ place, ...condition })));
  return [
    `token.id in (
      with asked as (
        select * from json_to_recordset(${parameters.bind(numbered, "json")}) as one (place int, name text, min bigint, max bigint, "values" json)
      ), matching as (
        select distinct asked.place, known.id
        from asked cross join lateral json_array_elements_text(asked."values") as listed (value)
        join property_value as known on ${matchesCondition} and known.kind in ('integer', 'text', 'member')
          and md5(known.value) = md5(listed.value) and known.value = listed.value
        union all
        select asked.place, known.id
        from asked
        join property_value as known on ${matchesCondition} and known.number is not null
        where json_array_length(asked."values") = 0
      )
      select token_property.collectible_id
      from matching join collectible_property as token_property on token_property.property_id = matching.id
      group by token_property.collectible_id
      having ${hasAll(required.length, parameters)}
    )`,
  ];
}

const matchesCondition = `known.collection_id = (select id from here) and known.name = asked.name and known.tokens > 0
          and (asked.min is null or known.number >= asked.min) and (asked.max is null or known.number <= asked.max)`;

/** Bits of a bigint that are safe to use. */
const maxBits = 62;

/** Whether the rows of a token cover all conditions. `bit_or` avoids the sort that a distinct count needs. */
function hasAll(conditions: number, parameters: Parameters): string {
  return conditions <= maxBits
    ? `bit_or(1::bigint << matching.place) = ${parameters.bind(String(2n ** BigInt(conditions) - 1n), "bigint")}`
    : `count(distinct matching.place) = ${parameters.bind(conditions, "int")}`;
}

function ownerConditions(
  { owners = [], notOwners = [] }: TokenConditions,
  parameters: Parameters,
): readonly string[] {
  const held = (accounts: readonly string[]): string =>
    `exists (
      select from collectible_owner as held
      where held.collectible_id = token.id and held.owner = any(${parameters.bind(accounts, "text[]")})
    )`;
  return [
    ...(owners.length > 0 ? [held(owners)] : []),
    ...(notOwners.length > 0 ? [`not ${held(notOwners)}`] : []),
  ];
}

/** A stored token, with the field names of the contract. */
export interface OwnTokenRow {
  readonly tokenId: string;
  readonly name: string;
  readonly description: string | null;
  readonly image: string | null;
  readonly video: string | null;
  readonly audio: string | null;
  readonly imageData: string | null;
  readonly externalUrl: string | null;
  readonly backgroundColor: string | null;
  readonly animationUrl: string | null;
  readonly decimals: number | null;
  readonly attributes: readonly Readonly<Record<string, unknown>>[];
  readonly properties: Readonly<Record<string, unknown>> | null;
  readonly status: string;
  readonly origin: "import" | "chain" | null;
  readonly updatedAt: string | null;
}

export interface TokenRow extends OwnTokenRow {
  /** Null if the token has none. */
  readonly assets: readonly AssetRow[] | null;
}

export interface AssetRow {
  readonly id: number;
  readonly collectionId: number;
  readonly metadataField: string;
  readonly url: string | null;
  readonly filename: string | null;
  readonly filesize: number | null;
  readonly mimeType: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly updatedAt: string | null;
}

export const tokenJson: JsonRow<OwnTokenRow> = jsonRow<OwnTokenRow>({
  name: json("to_json(token.name)"),
  description: jsonOrNull("to_json(token.description)"),
  image: jsonOrNull("to_json(token.image)"),
  video: jsonOrNull("to_json(token.video)"),
  audio: jsonOrNull("to_json(token.audio)"),
  imageData: jsonOrNull("to_json(token.image_data)"),
  externalUrl: jsonOrNull("to_json(token.external_url)"),
  backgroundColor: jsonOrNull("to_json(token.background_color)"),
  animationUrl: jsonOrNull("to_json(token.animation_url)"),
  decimals: jsonOrNull("token.decimals"),
  attributes: json("token.attributes"),
  properties: jsonOrNull("token.properties"),
  origin: jsonOrNull("to_json(token.origin)"),
  updatedAt: jsonOrNull(utcTime("token.metadata_updated_at")),
  tokenId: plainText("token.token_id"),
  status: plainText("token.status"),
});

/** SQL of one JSON object that maps token ids to lists of AssetRow. */
export function assetsOf(tokens: string): string {
  return `
      select json_object_agg(collectible_id, assets) from (
        select asset.collectible_id, json_agg(json_build_object(
          'id', asset.id, 'collectionId', asset.collection_id, 'metadataField', asset.metadata_field, 'url', asset.url,
          'filename', asset.filename, 'filesize', asset.filesize, 'mimeType', asset.mime_type, 'width', asset.width,
          'height', asset.height, 'updatedAt', asset.updated_at at time zone 'UTC'
        ) order by asset.id) as assets
        from asset where asset.collectible_id in (${tokens})
        group by asset.collectible_id
      ) as one`;
}
