/** Secret keys by the signing keys with which they are signed. */
import { unknownKeyId } from "../sealer.ts";
import type { Queries } from "../storage/database.ts";

const isValid = "revoked_at is null and (expires_at is null or expires_at > now())";

/** Returns the number of valid secret keys for each id of a signing key. */
export async function countSecretKeys(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.query<{ id: string; count: number }>(
    `select coalesce(signed_with, '${unknownKeyId}') as id, count(*)::int as count from secret_key
     where ${isValid} group by 1 order by 1`,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

export async function revokeSecretKeys(queries: Queries, signedWith: string): Promise<number> {
  const rows = await queries.query(
    `update secret_key set revoked_at = now() where signed_with = $1 and ${isValid} returning 1`,
    [signedWith],
  );
  return rows.length;
}
