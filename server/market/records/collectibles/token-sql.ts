/** Which tokens count, and what is told of them. */
import { type JsonRow, json, jsonOrNull, jsonRow, utcTime, word } from "../json-row.ts";
import type { Parameters } from "../parameters.ts";
import { mergeConditions, type PropertyCondition } from "./property-conditions.ts";

/** Parts are AND-ed, values of one part OR-ed; an empty or absent part restricts nothing. Addresses are lower case. */
export interface TokenConditions {
  readonly searchText?: string | undefined;
  readonly properties?: readonly PropertyCondition[] | undefined;
  readonly owners?: readonly string[] | undefined;
  readonly notOwners?: readonly string[] | undefined;
}

/** `wanted (id)`, for a `with`: the tokens of `here` that pass. Undefined: all do. */
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

/** Each word of the text is somewhere in the name. */
function wordConditions(searchText: string, parameters: Parameters): readonly string[] {
  const words = searchText.split(/\s+/).filter((word) => word !== "");
  return words.map((word) => `position(lower(${parameters.bind(word, "text")}) in lower(token.name)) > 0`);
}

/** All of them, by what the database keeps of properties: the values that are meant are found first, and then the tokens that have them. */
function propertyConditions(
  properties: readonly PropertyCondition[],
  parameters: Parameters,
): readonly string[] {
  const wishes = mergeConditions(properties).flatMap(({ name, min, max, lists }) =>
    (lists.length === 0 ? [[]] : lists).map((values) => ({ name, min, max, values })),
  );
  if (wishes.length === 0) return [];
  const asked = JSON.stringify(wishes.map((wish, place) => ({ place, ...wish })));
  return [
    `token.id in (
      with asked as (
        select * from json_to_recordset(${parameters.bind(asked, "json")}) as one (place int, name text, min bigint, max bigint, "values" json)
      ), meant as (
        select distinct asked.place, known.id
        from asked cross join lateral json_array_elements_text(asked."values") as listed (value)
        join property_value as known on ${isMeant} and known.kind in ('integer', 'text', 'member')
          and md5(known.value) = md5(listed.value) and known.value = listed.value
        union all
        select asked.place, known.id
        from asked
        join property_value as known on ${isMeant} and known.number is not null
        where json_array_length(asked."values") = 0
      )
      select having_it.collectible_id
      from meant join collectible_property as having_it on having_it.property_id = meant.id
      group by having_it.collectible_id
      having ${hasAll(wishes.length, parameters)}
    )`,
  ];
}

const isMeant = `known.collection_id = (select id from here) and known.name = asked.name and known.tokens > 0
          and (asked.min is null or known.number >= asked.min) and (asked.max is null or known.number <= asked.max)`;

/** Places that fit into a bigint. */
const bitsMax = 62;

/** Whether the rows of a token are of all places. Bits are gathered without the sort that counting needs. */
function hasAll(places: number, parameters: Parameters): string {
  return places <= bitsMax
    ? `bit_or(1::bigint << meant.place) = ${parameters.bind(String(2n ** BigInt(places) - 1n), "bigint")}`
    : `count(distinct meant.place) = ${parameters.bind(places, "int")}`;
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

/** A token as it is stored, by the names of the contract. */
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
  /** Its files. Null: none. */
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

/** Of `collectible as token`. */
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
  tokenId: word("token.token_id"),
  status: word("token.status"),
});

/** Selects the files of tokens as one object, lists of AssetRow by the ids of tokens. */
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
