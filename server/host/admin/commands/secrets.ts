import { createSecretKey } from "../../../base/credentials/records.ts";
import { utc } from "../../../base/storage/sql.ts";
import {
  AdminFault,
  argument,
  type Command,
  firstOf,
  type Row,
  readProjectFilter,
  signingKeysOf,
} from "../command.ts";

export const secrets: readonly Command[] = [
  {
    name: "secrets list",
    help: "list secret keys, of all projects or of one; never shows the keys themselves",
    positionals: ["[PROJECT]"],
    run: async ({ database }, { positionals: [project] }) => {
      const queries = await database();
      const list = await queries.query<Row>(
        `select key.id::text as id, account.project_id::float8 as "projectId", key.account, account.access,
                ${utc("issued_at")} as "issuedAt", ${utc("expires_at")} as "expiresAt",
                ${utc("revoked_at")} as "revokedAt"
         from secret_key key join service_account account on account.address = key.account
         where $1::bigint is null or account.project_id = $1 order by issued_at, key.id`,
        [await readProjectFilter(queries, project)],
      );
      return { list };
    },
  },
  {
    name: "secrets create",
    help: "create a secret key for a service account; it is only shown once",
    positionals: ["ACCOUNT"],
    options: { expires: { valueName: "TIME", help: "30m, 12h or 90d from now (default: never)" } },
    run: async ({ config, database }, input) => {
      const [signingKey] = signingKeysOf(config);
      const account = argument(input, 0).toLowerCase();
      const expiresAt = readExpiry(firstOf(input, "expires"));
      const created = await createSecretKey(await database(), signingKey, { account, expiresAt });
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

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const [, count, unit] = /^([1-9][0-9]{0,4})([mhd])$/.exec(text) ?? [];
  if (count === undefined || unit === undefined)
    throw new AdminFault(`--expires: expected a duration such as 30m, 12h or 90d, found "${text}"`);
  return new Date(Date.now() + Number(count) * unitMs[unit as keyof typeof unitMs]);
}
