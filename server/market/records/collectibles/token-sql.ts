/** Token filters, and the columns that responses show of a token. */

import type { Parameters } from "../../../base/storage/sql.ts";
import { type Column, type JsonRow, json, jsonOrNull, jsonRow, plainText, utcTime } from "../json-row.ts";

/** Fields are AND-ed, values of one field OR-ed. An empty or absent field restricts nothing. Addresses are lower case. */
export interface TokenConditions {
  readonly searchText?: string | undefined;
  readonly properties?: readonly PropertyCondition[] | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly notOwners?: readonly string[] | undefined;
}

/** CTE `wanted (id)`: the tokens that pass the filter, of the collection in the CTE `here`. Undefined if all pass. */
export function wantedTable(conditions: TokenConditions, parameters: Parameters): string | undefined {
  const words = wordConditions(conditions.searchText ?? "", parameters);
  const withProperties = tokensWithProperties(conditions.properties ?? [], parameters);
  const others = [...words, ...ownerConditions(conditions, parameters)];
  if (others.length === 0)
    return withProperties === undefined ? undefined : `wanted (id) as materialized (${withProperties})`;
  const parts = withProperties === undefined ? others : [...others, `token.id in (${withProperties})`];
  return `wanted as materialized (
    select token.id from collectible as token where token.collection_id = (select id from here) and ${parts.join(" and ")}
  )`;
}

/**
 * Whether a token is in the CTE `wanted`. With `is true`, Postgres looks the id up in a hash table. Otherwise it may join, and compare each
 * id with all of `wanted`, because it does not know how many there are.
 */
export function isWanted(id: string): string {
  return `(${id} in (select id from wanted)) is true`;
}

/** Every word of the search text must occur in the token's name. */
function wordConditions(searchText: string, parameters: Parameters): readonly string[] {
  const words = searchText.split(/\s+/).filter((word) => word !== "");
  return words.map((word) => `position(lower(${parameters.bind(word, "text")}) in lower(token.name)) > 0`);
}

/** SQL of the ids of tokens. Finds the matching property values first, then the tokens that have all of them. Undefined without conditions. */
function tokensWithProperties(
  properties: readonly PropertyCondition[],
  parameters: Parameters,
): string | undefined {
  const required = mergeConditions(properties).flatMap(({ name, min, max, lists }) =>
    (lists.length === 0 ? [[]] : lists).map((values) => ({ name, min, max, values })),
  );
  if (required.length === 0) return undefined;
  const numbered = JSON.stringify(required.map((condition, place) => ({ place, ...condition })));
  return `
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
    `;
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
  /** Fields of the contract that are null or empty here, because the token exceeds its share of the page. */
  readonly omitted: readonly string[];
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

/**
 * Largest metadata of all tokens of a page, in bytes of JSON: a page of 30 tokens, the default, may have an embedded picture of 64 KiB in
 * each. Everyone can mint tokens with large metadata, and each caller gets a page in one response. A quarter is for the assets.
 */
const maxPageBytes = 2_097_152;

const textColumns = {
  description: "token.description",
  image: "token.image",
  video: "token.video",
  audio: "token.audio",
  imageData: "token.image_data",
  externalUrl: "token.external_url",
  backgroundColor: "token.background_color",
  animationUrl: "token.animation_url",
} as const;

/**
 * Joins `cut (omitted)` to `collectible as token`: the fields that the token's equal share of the page has no room for. The largest fields are
 * omitted, so that an embedded picture does not cost the others. `pageSize` is SQL.
 */
export function cutToken(pageSize: string): string {
  const share = `(${(maxPageBytes * 3) / 4} / ${pageSize})`;
  const lengths = Object.values(textColumns).map((column) => `coalesce(octet_length(${column}), 0)`);
  const sizes = [
    // The length of a large text is known without reading it.
    ...Object.entries(textColumns).map(
      ([field, column]) =>
        `('${field}', case when octet_length(${column}) > ${share} then octet_length(${column}) else octet_length(to_json(${column})::text) end)`,
    ),
    "('attributes', octet_length(token.attributes::text))",
    "('properties', octet_length(token.properties::text))",
  ];
  // JSON escapes a byte with six characters at most. Most tokens are so small that their fields need not be compared. With `offset 0`, the
  // cut is computed once for each token, not for each column.
  return `cross join lateral (
        select case
          when (${lengths.join(" + ")}) * 6 + octet_length(token.attributes::text)
            + coalesce(octet_length(token.properties::text), 0) <= ${share} then '{}'
          else array(
            select field from (
              select field, sum(size) over (order by size, field) as total from (values ${sizes.join(", ")}) as sized (field, size)
              where size is not null
            ) as summed where total > ${share}
          ) end as omitted
        offset 0
      ) as cut`;
}

/** Columns of `collectible as token`, joined with `cutToken`. */
export const tokenJson: JsonRow<OwnTokenRow> = jsonRow<OwnTokenRow>({
  name: json("to_json(token.name)"),
  description: uncut("description"),
  image: uncut("image"),
  video: uncut("video"),
  audio: uncut("audio"),
  imageData: uncut("imageData"),
  externalUrl: uncut("externalUrl"),
  backgroundColor: uncut("backgroundColor"),
  animationUrl: uncut("animationUrl"),
  decimals: jsonOrNull("token.decimals"),
  attributes: json("case when 'attributes' = any(cut.omitted) then '[]' else token.attributes end"),
  properties: jsonOrNull("case when 'properties' <> all(cut.omitted) then token.properties end"),
  origin: jsonOrNull("to_json(token.origin)"),
  updatedAt: jsonOrNull(utcTime("token.metadata_updated_at")),
  omitted: json("to_json(cut.omitted)"),
  tokenId: plainText("token.token_id"),
  status: plainText("token.status"),
});

function uncut(field: keyof typeof textColumns): Column<string | null> {
  return jsonOrNull(`case when '${field}' <> all(cut.omitted) then to_json(${textColumns[field]}) end`);
}

/**
 * SQL of one JSON object that maps token ids to lists of AssetRow. A token's list ends where its equal share of the page does. `pageSize`
 * is SQL.
 */
export function assetsOf(tokens: string, pageSize: string): string {
  return `
      select json_object_agg(collectible_id, assets) from (
        select collectible_id, json_agg(asset order by id) as assets from (
          select collectible_id, id, asset, sum(octet_length(asset::text)) over (partition by collectible_id order by id) as bytes from (
            select asset.collectible_id, asset.id, json_build_object(
              'id', asset.id, 'collectionId', asset.collection_id, 'metadataField', asset.metadata_field, 'url', asset.url,
              'filename', asset.filename, 'filesize', asset.filesize, 'mimeType', asset.mime_type, 'width', asset.width,
              'height', asset.height, 'updatedAt', asset.updated_at at time zone 'UTC'
            ) as asset
            from asset where asset.collectible_id in (${tokens})
          ) as one
        ) as summed
        where bytes <= ${maxPageBytes / 4} / ${pageSize}
        group by collectible_id
      ) as one`;
}

/* Property conditions of a filter, and how they are merged. */

/** A token passes if one of its values for the property is in the range and in the list. */
export interface PropertyCondition {
  readonly name: string;
  readonly min?: number | null | undefined;
  readonly max?: number | null | undefined;
  /** Empty or undefined: any value. */
  readonly values?: readonly string[] | undefined;
}

/** All conditions on one property. Both ends of the range are inclusive; null means unbounded. */
export interface MergedCondition {
  readonly name: string;
  readonly min: number | null;
  readonly max: number | null;
  /** A token needs a value from each list. A property that is itself a list can match several. */
  readonly lists: readonly (readonly string[])[];
}

/** Limits on the properties and the values of a filter. Both multiply the rows that the database reads. */
const maxPropertyNames = 20;
const maxPropertyValues = 1_000;

/** Returns an error message if a filter exceeds the limits. */
export function propertyLimitError(conditions: readonly PropertyCondition[]): string | undefined {
  const names = new Set(conditions.map(({ name }) => name)).size;
  if (names > maxPropertyNames) return `conditions on at most ${maxPropertyNames} properties, found ${names}`;
  const values = conditions.reduce((sum, condition) => sum + (condition.values?.length ?? 0), 0);
  return values > maxPropertyValues
    ? `at most ${maxPropertyValues} values in all, found ${values}`
    : undefined;
}

/** Merges conditions by property: intersects the ranges and removes duplicate lists. Omits conditions that restrict nothing. */
export function mergeConditions(conditions: readonly PropertyCondition[]): readonly MergedCondition[] {
  const names = new Set(conditions.map(({ name }) => name));
  return [...names]
    .map((name) =>
      mergedOf(
        name,
        conditions.filter((condition) => condition.name === name),
      ),
    )
    .filter(({ min, max, lists }) => min !== null || max !== null || lists.length > 0);
}

function mergedOf(name: string, conditions: readonly PropertyCondition[]): MergedCondition {
  const [mins, maxs] = [
    conditions.flatMap(({ min }) => min ?? []),
    conditions.flatMap(({ max }) => max ?? []),
  ];
  const lists = conditions.flatMap(({ values = [] }) =>
    values.length === 0 ? [] : [[...new Set(values)].sort()],
  );
  return {
    name,
    min: mins.length === 0 ? null : Math.max(...mins),
    max: maxs.length === 0 ? null : Math.min(...maxs),
    lists: [...new Map(lists.map((list) => [JSON.stringify(list), list])).values()],
  };
}
