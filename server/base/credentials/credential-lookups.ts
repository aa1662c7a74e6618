import type { Database } from "../storage/database.ts";

export interface AccessKeyRow {
  readonly projectId: number;
  readonly isDisabled: boolean;
  /** Empty: all services. */
  readonly services: readonly string[];
  /** Empty: any page, and calls without a page. */
  readonly origins: readonly string[];
}

export interface SecretKeyRow {
  readonly projectId: number;
  readonly account: string;
  readonly access: "READ" | "WRITE";
  readonly isRevoked: boolean;
  /** Origins of pages that may send the project's secret keys. */
  readonly origins: readonly string[];
}

export interface CredentialLookups {
  accessKey(hash: Buffer): Promise<AccessKeyRow | undefined>;
  secretKey(id: string): Promise<SecretKeyRow | undefined>;
}

export function databaseLookups(database: Database): CredentialLookups {
  return {
    async accessKey(hash) {
      const [row] = await database.query<AccessKeyRow & { projectId: string }>(findAccessKey, [hash]);
      return row === undefined ? undefined : { ...row, projectId: Number(row.projectId) };
    },
    async secretKey(id) {
      const [row] = await database.query<SecretKeyRow & { projectId: string }>(findSecretKey, [id]);
      return row === undefined ? undefined : { ...row, projectId: Number(row.projectId) };
    },
  };
}

const findAccessKey = {
  name: "access-key-by-hash",
  text: `select project_id as "projectId", disabled_at is not null as "isDisabled", services, origins
         from access_key where hash = $1`,
};

const findSecretKey = {
  name: "secret-key-by-id",
  text: `select account.project_id as "projectId", account.address as account, account.access,
                key.revoked_at is not null as "isRevoked",
                array(select origin from project_origin where project_id = account.project_id) as origins
         from secret_key key join service_account account on account.address = key.account
         where key.id = $1`,
};
