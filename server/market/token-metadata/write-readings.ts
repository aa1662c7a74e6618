/** Stores the results of readings: metadata that obeys the rules for imports, or the reason of a failure. */
import type { MetadataLine } from "../../../generated/records/types.ts";
import type { Database, Transaction } from "../../base/storage/database.ts";
import { describeIssue } from "../import-export/check-values.ts";
import { maxTraitsBytes, metadata } from "../import-export/kinds/metadata.ts";
import { maxFailures, retryDelaySeconds } from "./limits.ts";
import type { MetadataFields } from "./parse-document.ts";
import type { Claim } from "./queue.ts";
import { ReadingFault } from "./token-uri.ts";

export interface TokenReading {
  readonly claim: Claim;
  readonly uri: string | undefined;
  readonly result:
    | { readonly fields: MetadataFields }
    /** `isTransient`: the token itself may be fine, so the failure does not count. */
    | { readonly reason: string; readonly isTransient: boolean };
}

/** Longest stored reason and URI, in characters. */
const maxTextLength = 500;

/**
 * Omits values that the record cannot store, truncates the name, and keeps the attributes and properties that fit into
 * `maxTraitsBytes`. Throws ReadingFault if the rest is still invalid.
 */
export function storableFields({ chainId, address, tokenId }: Claim, fields: MetadataFields): MetadataFields {
  const name = String(fields["name"] ?? "").slice(0, 200);
  const line: Record<string, unknown> = { chainId, contractAddress: address, tokenId, ...fields, name };
  // An issue may hide others, and each check lists a few.
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    const issues = metadata.validate(line)?.listed ?? [];
    if (issues.length === 0) break;
    for (const { path } of issues) omit(line, path);
    for (const key of ["attributes", "assets"]) {
      const list = line[key];
      if (Array.isArray(list)) line[key] = list.filter((each) => each !== undefined);
    }
  }
  const [issue] = metadata.validate(line)?.listed ?? [];
  if (issue !== undefined) throw new ReadingFault(describeIssue(issue));
  return { ...line, ...storableTraits(line as Pick<MetadataLine, "attributes" | "properties">) };
}

function storableTraits({
  attributes = [],
  properties,
}: Pick<MetadataLine, "attributes" | "properties">): MetadataFields {
  let bytesLeft = maxTraitsBytes - "[]{}".length;
  const fits = (part: unknown): boolean => {
    const bytes = Buffer.byteLength(JSON.stringify(part)) + 1;
    if (bytes > bytesLeft) return false;
    bytesLeft -= bytes;
    return true;
  };
  const stored = attributes.filter(fits);
  if (properties === undefined) return { attributes: stored };
  return { attributes: stored, properties: Object.fromEntries(Object.entries(properties).filter(fits)) };
}

/** Checks of one document; each lists up to 20 issues, and a document has up to 1,000 attributes. */
const maxRounds = 60;

/** Omits the value at a path: a field of the line, an item of a list, or a field of an asset. */
function omit(
  line: Record<string, unknown>,
  [key = "", index = "", part]: readonly (string | number)[],
): void {
  const list = line[key];
  if (!Array.isArray(list) || index === "") delete line[key];
  else if (key === "assets" && part !== undefined) delete list[Number(index)]?.[part];
  else list[Number(index)] = undefined;
}

const writeFieldsSql = `
with given as materialized (
  select * from json_to_recordset($1) as given (id bigint, name text, description text, image text, video text, audio text,
    "imageData" text, "externalUrl" text, "backgroundColor" text, "animationUrl" text, decimals smallint, attributes json, properties json)
), allowed as materialized (
  select token.id from collectible as token join token_read on collectible_id = token.id
  where token.id in (select id from given) and (origin is distinct from 'import' or is_forced)
    and deleted_because is null
  order by token.id for update of token
)
update collectible as token set name = given.name, description = given.description, image = given.image, video = given.video,
  audio = given.audio, image_data = given."imageData", external_url = given."externalUrl",
  background_color = given."backgroundColor", animation_url = given."animationUrl", decimals = given.decimals,
  attributes = coalesce(given.attributes, '[]'), properties = given.properties, status = 'AVAILABLE', origin = 'chain',
  metadata_updated_at = now()
from given join allowed using (id) where token.id = given.id
returning token.id`;

const assetsSql = `
with given as materialized (
  select collection_id, collectible_id, asset.* from json_to_recordset($1) as given (collectible_id bigint, assets json)
  join collectible on collectible.id = collectible_id
  cross join lateral json_to_recordset(given.assets) as asset ("metadataField" text, url text, filename text, "mimeType" text)
), gone as (
  delete from asset where collectible_id = any($2::bigint[])
    and not exists (select from given where given.collectible_id = asset.collectible_id and "metadataField" = metadata_field)
)
insert into asset (collection_id, collectible_id, metadata_field, url, filename, mime_type, updated_at)
select collection_id, collectible_id, "metadataField", url, filename, "mimeType", now() from given
on conflict (collection_id, collectible_id, metadata_field) do update
set url = excluded.url, filename = excluded.filename, mime_type = excluded.mime_type, updated_at = excluded.updated_at,
  filesize = case when asset.url = excluded.url then asset.filesize end,
  width = case when asset.url = excluded.url then asset.width end, height = case when asset.url = excluded.url then asset.height end`;

const refreshingSql = `
update collectible set status = 'REFRESHING'
where id = any($1) and status = 'AVAILABLE' and origin = 'chain'`;

/** If a request arrived during the reading, the counts differ and its due time is kept. */
const finishSql = `
update token_read as token
set uri = given.uri, reason = given.reason, failures = given.failures, read_at = now(),
  is_forced = case when token.wish = given.request_count and given.reason is null then false else is_forced end,
  due_at = case when token.wish <> given.request_count then token.due_at else now() + make_interval(secs => given.wait) end
from json_to_recordset($1) as given (id bigint, request_count bigint, uri text, reason text, failures int, wait float8)
where token.collectible_id = given.id`;

export async function writeTokenReadings(
  database: Database,
  readings: readonly TokenReading[],
): Promise<void> {
  if (readings.length === 0) return;
  await database.transaction(async (tx) => {
    await writeFields(tx, readings);
    const failed = readings.filter(({ result }) => "reason" in result);
    if (failed.length > 0) await tx.query(refreshingSql, [failed.map(({ claim }) => claim.collectibleId)]);
    await tx.query(finishSql, [JSON.stringify(readings.map(rowOf))]);
  });
}

async function writeFields(tx: Transaction, readings: readonly TokenReading[]): Promise<void> {
  const fieldsByToken = new Map(
    readings.flatMap(({ claim, result }) =>
      "fields" in result ? [[claim.collectibleId, result.fields] as const] : [],
    ),
  );
  if (fieldsByToken.size === 0) return;
  const rows = [...fieldsByToken].map(([id, fields]) => ({ ...fields, id }));
  const written = await tx.query<{ id: string }>(writeFieldsSql, [JSON.stringify(rows)]);
  if (written.length === 0) return;
  const assets = written.map(({ id }) => ({
    collectible_id: id,
    assets: fieldsByToken.get(id)?.["assets"] ?? [],
  }));
  await tx.query(assetsSql, [JSON.stringify(assets), written.map(({ id }) => id)]);
}

function rowOf({ claim, uri, result }: TokenReading): object {
  const row = {
    id: claim.collectibleId,
    request_count: claim.requestCount,
    uri: uri?.slice(0, maxTextLength),
  };
  if ("fields" in result) return { ...row, failures: 0 };
  const failures = result.isTransient ? claim.failures : claim.failures + 1;
  const wait = failures < maxFailures ? retryDelaySeconds(claim.failures) : undefined;
  const reason = result.reason.slice(0, maxTextLength).replace(/\0|\p{Surrogate}/gu, "");
  return { ...row, reason, failures, wait };
}
