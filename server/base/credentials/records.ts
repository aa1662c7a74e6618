/** Creates the records that `credentials.ts` reads. The database assigns the ids. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Queries } from "../storage/database.ts";
import { generateAccessKey } from "./access-key.ts";
import { signSecretKey } from "./secret-key.ts";
import type { SigningKey } from "./signing-key.ts";

export interface Project {
  readonly id: number;
  readonly name: string;
}

export async function createProject(queries: Queries, name: string): Promise<Project> {
  const [row] = await queries.query<{ id: string }>("insert into project (name) values ($1) returning id", [
    name,
  ]);
  return { id: Number(row?.id), name };
}

/** What an access key may be used for. */
export interface KeyRestrictions {
  /** Empty: all services. */
  readonly services: readonly string[];
  /** Empty: any page, and calls without a page. */
  readonly origins: readonly string[];
}

interface NewAccessKey extends KeyRestrictions {
  readonly name: string;
  /** Undefined: never. */
  readonly expiresAt?: Date | undefined;
}

export interface CreatedAccessKey {
  readonly id: number;
  /** Shown once. */
  readonly key: string;
  readonly prefix: string;
}

export async function createAccessKey(
  queries: Queries,
  projectId: number,
  { name, services, origins, expiresAt }: NewAccessKey,
): Promise<CreatedAccessKey> {
  const { key, hash, prefix } = generateAccessKey(projectId);
  const [row] = await queries.query<{ id: string }>(
    `insert into access_key (project_id, hash, prefix, name, services, origins, expires_at) values ($1, $2, $3, $4, $5, $6, $7)
     returning id`,
    [projectId, hash, prefix, name, services, origins, expiresAt ?? null],
  );
  return { id: Number(row?.id), key, prefix };
}

export type Access = "READ" | "WRITE";

export async function createServiceAccount(
  queries: Queries,
  projectId: number,
  { name, access }: { readonly name: string; readonly access: Access },
): Promise<string> {
  const address = `0x${randomBytes(20).toString("hex")}`;
  await queries.query(
    "insert into service_account (address, project_id, name, access) values ($1, $2, $3, $4)",
    [address, projectId, name, access],
  );
  return address;
}

export interface CreatedSecretKey {
  readonly id: string;
  /** Shown once. */
  readonly token: string;
}

export async function createSecretKey(
  queries: Queries,
  signingKey: SigningKey,
  { account, expiresAt }: { readonly account: string; readonly expiresAt: Date | undefined },
): Promise<CreatedSecretKey | undefined> {
  const [found] = await queries.query<{ project_id: string }>(
    "select project_id from service_account where address = $1",
    [account],
  );
  if (found === undefined) return undefined;
  const id = randomUUID();
  const token = await signSecretKey(signingKey, {
    projectId: Number(found.project_id),
    account,
    id,
    expiresAt: expiresAt === undefined ? undefined : Math.floor(expiresAt.getTime() / 1000),
  });
  await queries.query(
    "insert into secret_key (id, account, expires_at, signed_with) values ($1, $2, $3, $4)",
    [id, account, expiresAt, signingKey.id],
  );
  return { id, token };
}
