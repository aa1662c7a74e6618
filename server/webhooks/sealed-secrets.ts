/** Listeners' secrets by the signing keys with which they are encrypted. */
import { type SealingKeys, sealedWith, unknownKeyId } from "../base/sealer.ts";
import type { Queries } from "../base/storage/database.ts";
import { validPreviousSecret } from "./listener.ts";
import type { SecretBox } from "./secret.ts";

/** SQL: whether the secret of `webhook_listener as listener` is encrypted with one of these keys. A secret that was given up is empty. */
export const isSealedWith = (keyIds: string): string =>
  `(listener.secret <> '' and ${sealedWith("listener.secret")} = any(${keyIds}))`;

/** Returns the number of listeners for each id of a signing key. Listeners whose secret was given up are not counted. */
export async function countByKey(queries: Queries): Promise<ReadonlyMap<string, number>> {
  const rows = await queries.query<{ id: string; listeners: number }>(
    `select ${sealedWith("secret")} as id, count(*)::int as listeners from webhook_listener
     where secret <> '' group by 1 order by 1`,
  );
  return new Map(rows.map(({ id, listeners }) => [id, listeners]));
}

/** The keys of `countByKey` that are not among the host's. */
export async function countUnreadable(
  queries: Queries,
  keys: SealingKeys,
): Promise<ReadonlyMap<string, number>> {
  const known = new Set([unknownKeyId, ...keys.map(({ id }) => id)]);
  return new Map([...(await countByKey(queries))].filter(([id]) => !known.has(id)));
}

/** Rows that are read at a time. */
const pageRows = 1_000;

interface SealedRow {
  readonly id: string;
  readonly secret: Buffer;
  readonly previous: Buffer | null;
}

/** Encrypts all secrets with the newest key that are encrypted with another one. Hosts may run meanwhile. */
export async function resealAll(
  queries: Queries,
  box: SecretBox,
  newestId: string,
): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  let after = "-1";
  for (;;) {
    const rows = await queries.query<SealedRow>(
      `select id, secret, ${validPreviousSecret} as previous from webhook_listener listener
       where id > $1 and secret <> ''
         and (${sealedWith("secret")} <> $2 or ${sealedWith(validPreviousSecret)} <> $2)
       order by id limit ${pageRows}`,
      [after, newestId],
    );
    for (const row of rows) counts[await resealOne(queries, box, row)]++;
    const last = rows.at(-1);
    if (last === undefined) return counts;
    after = last.id;
  }
}

async function resealOne(
  queries: Queries,
  box: SecretBox,
  { id, secret, previous }: SealedRow,
): Promise<"resealed" | "unreadable"> {
  const reseal = (sealed: Buffer): Buffer | undefined => {
    const text = box.open(sealed, Number(id));
    return text === undefined ? undefined : box.seal(text, Number(id));
  };
  const newSecret = reseal(secret);
  if (newSecret === undefined) return "unreadable";
  // A secret that was rotated meanwhile is encrypted with the newest key.
  await queries.query(
    `update webhook_listener set secret = $3, previous_secret = coalesce($4, previous_secret)
     where id = $1 and secret = $2`,
    [id, secret, newSecret, previous === null ? null : (reseal(previous) ?? null)],
  );
  return "resealed";
}

/** Gives up the secrets that are encrypted with a lost key, until `RotateWebhookSecret` creates new ones. Returns their number. */
export async function forgetKey(queries: Queries, keyId: string): Promise<number> {
  const rows = await queries.query(
    `update webhook_listener set secret = '' where ${sealedWith("secret")} = $1 returning 1`,
    [keyId],
  );
  return rows.length;
}
