import { createSecretKey } from "../../../base/credentials/records.ts";
import { utc } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  expiresOption,
  listOfProject,
  ofProject,
  overlapOption,
  type Row,
  readExpiry,
  readOverlap,
  signingKeysOfHosts,
} from "../command.ts";

interface OldSecret {
  readonly id: string;
  readonly account: string;
  /** Null: never. */
  readonly expiresAt: string | null;
  readonly replacedExpiresAt: string;
}

export const secrets: readonly Command[] = [
  listOfProject(
    "secrets list",
    "list secret keys, of all projects or of one; never shows the keys themselves",
    (queries, id) =>
      queries.query<Row>(
        `select key.id::text as id, account.project_id::float8 as "projectId", key.account, account.access,
                ${utc("issued_at")} as "issuedAt", ${utc("expires_at")} as "expiresAt",
                ${utc("revoked_at")} as "revokedAt"
         from secret_key key join service_account account on account.address = key.account
         where ${ofProject} order by issued_at, key.id`,
        [id],
      ),
  ),
  {
    name: "secrets create",
    help: "create a secret key for a service account; it is only shown once",
    positionals: ["ACCOUNT"],
    options: expiresOption,
    run: async ({ config, database }, input) => {
      const account = argument(input, 0).toLowerCase();
      const expiresAt = readExpiry(input);
      const opened = await database();
      const [signingKey] = await signingKeysOfHosts(config, opened);
      const created = await createSecretKey(opened, signingKey, { account, expiresAt });
      if (created === undefined)
        throw new AdminFault(`unknown service account "${account}"; see: platform accounts list`);
      return {
        record: {
          id: created.id,
          account,
          expiresAt: expiresAt?.toISOString() ?? null,
          secretKey: created.token,
        },
        note: "Save the key now: it is not stored.",
      };
    },
  },
  {
    name: "secrets rotate",
    help: "create a secret key for the account of another one, which expires after the overlap",
    positionals: ["ID"],
    options: { ...overlapOption, ...expiresOption },
    run: async ({ config, database }, input) => {
      const id = argument(input, 0);
      const [given, overlapMs] = [readExpiry(input), readOverlap(input)];
      const opened = await database();
      const [signingKey] = await signingKeysOfHosts(config, opened);
      return opened.transaction(async (tx) => {
        const [old] = await tx.query<OldSecret>(
          `update secret_key key set expires_at = least(key.expires_at, now() + make_interval(secs => $2))
           from secret_key before
           where key.id::text = $1 and before.id = key.id and key.revoked_at is null
             and (key.expires_at is null or key.expires_at > now())
           returning key.id::text as id, key.account, ${utc("key.expires_at")} as "replacedExpiresAt",
             ${utc("before.expires_at")} as "expiresAt"`,
          [id, overlapMs / 1_000],
        );
        const expiresAt = given ?? (old?.expiresAt == null ? undefined : new Date(old.expiresAt));
        const created = old && (await createSecretKey(tx, signingKey, { account: old.account, expiresAt }));
        if (old === undefined || created === undefined)
          throw new AdminFault(
            `"${id.slice(0, 36)}" is not a valid secret key; see: platform secrets list, or create one: platform secrets create`,
          );
        return {
          record: {
            id: created.id,
            account: old.account,
            expiresAt: expiresAt?.toISOString() ?? null,
            secretKey: created.token,
            replaces: old.id,
            replacedExpiresAt: old.replacedExpiresAt,
          },
          note: "Save the key now: it is not stored.",
        };
      });
    },
  },
  {
    name: "secrets revoke",
    help: "revoke a secret key on all replicas",
    positionals: ["ID"],
    run: async ({ database }, input) => {
      const id = argument(input, 0);
      const [row] = await (await database()).query<{ id: string; account: string; revokedAt: string }>(
        `update secret_key set revoked_at = coalesce(revoked_at, now()) where id::text = $1
         returning id::text as id, account, ${utc("revoked_at")} as "revokedAt"`,
        [id],
      );
      if (row === undefined)
        throw new AdminFault(`unknown secret key "${id.slice(0, 36)}"; see: platform secrets list`);
      return { record: row };
    },
  },
];
