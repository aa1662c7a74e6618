import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartFault } from "../start-fault.ts";
import type { Database, Queries } from "../storage/database.ts";
import { readAccessKey } from "./access-key.ts";
import { databaseLookups } from "./credential-lookups.ts";
import { createAccessKey, createProject, createSecretKey, createServiceAccount } from "./records.ts";
import type { SigningKey } from "./signing-key.ts";

/** The demo project of a developer's own host. */
export interface Sandbox {
  readonly projectId: number;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** The keys are the only copy, so they lie beside the database for later starts. */
interface StoredSandbox extends Sandbox {
  readonly secretKeyId: string;
  /** Which signing key the secret key is of. */
  readonly signedWith: string;
}

/** The demo project of the last start, or a new one if the database or the signing key is another. */
export async function openSandbox(
  database: Database,
  dataDir: string,
  signingKey: SigningKey,
): Promise<Sandbox> {
  const path = join(dataDir, "sandbox.json");
  const kept = readStored(path);
  const isGood =
    kept !== undefined && kept.signedWith === fingerprint(signingKey) && (await isKnown(database, kept));
  const { projectId, accessKey, secretKey } = isGood ? kept : await make(database, path, signingKey);
  return { projectId, accessKey, secretKey };
}

const openKeysSql = `
select project.id, exists (select from access_key where project_id = project.id and disabled_at is null) as "hasAccessKey",
  exists (
    select from secret_key join service_account on address = account
    where project_id = project.id and revoked_at is null and (expires_at is null or expires_at > now())
  ) as "hasSecretKey"
from project where is_sandbox order by id`;

/** Throws StartFault where keys still hold that a sandbox has shown: in production they would be anybody's. */
export async function rejectSandboxKeys(database: Queries): Promise<void> {
  const rows = await database.query<{ id: string; hasAccessKey: boolean; hasSecretKey: boolean }>(
    openKeysSql,
  );
  const open = rows.find(({ hasAccessKey, hasSecretKey }) => hasAccessKey || hasSecretKey);
  if (open === undefined) return;
  const { id, hasAccessKey } = open;
  throw new StartFault(
    `--production: project ${id} of this database is a sandbox's, and its keys were shown to whoever was there; use another database (--data-dir, DATABASE_URL), or make them void: ${hasAccessKey ? `platform keys list ${id}, platform keys disable` : `platform secrets list ${id}, platform secrets revoke`}`,
  );
}

function readStored(path: string): StoredSandbox | undefined {
  try {
    // One that somebody emptied is none: `null`.
    return (JSON.parse(readFileSync(path, "utf8")) as StoredSandbox | null) ?? undefined;
  } catch {
    return undefined;
  }
}

async function isKnown(database: Database, kept: StoredSandbox): Promise<boolean> {
  const lookups = databaseLookups(database);
  const hash = readAccessKey(kept.accessKey);
  const access = hash === undefined ? undefined : await lookups.accessKey(hash);
  const secret = await lookups.secretKey(kept.secretKeyId);
  return access?.isDisabled === false && secret?.isRevoked === false;
}

async function make(database: Database, path: string, signingKey: SigningKey): Promise<StoredSandbox> {
  const made = await database.transaction(async (queries) => {
    const project = await createProject(queries, "Sandbox");
    await queries.query("update project set is_sandbox = true where id = $1", [project.id]);
    const { key } = await createAccessKey(queries, project.id, {
      name: "sandbox",
      services: [],
      origins: [],
    });
    const account = await createServiceAccount(queries, project.id, { name: "sandbox", access: "WRITE" });
    const secret = await createSecretKey(queries, signingKey, { account, expiresAt: undefined });
    if (secret === undefined) throw new Error("an account is there once it was made");
    return { projectId: project.id, accessKey: key, secretKey: secret.token, secretKeyId: secret.id };
  });
  const kept: StoredSandbox = { ...made, signedWith: fingerprint(signingKey) };
  writeFileSync(`${path}.new`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return kept;
}

function fingerprint({ algorithm, verify }: SigningKey): string {
  const bytes = verify.type === "secret" ? verify.export() : verify.export({ type: "spki", format: "der" });
  return createHash("sha256").update(algorithm).update(bytes).digest("hex").slice(0, 16);
}
