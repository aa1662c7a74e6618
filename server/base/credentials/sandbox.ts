import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartFault } from "../start-fault.ts";
import type { Database, Queries } from "../storage/database.ts";
import { readAccessKey } from "./access-key.ts";
import { databaseLookups, isValid } from "./credentials.ts";
import { createAccessKey, createProject, createSecretKey, createServiceAccount } from "./records.ts";
import type { SigningKey } from "./signing-key.ts";

export interface Sandbox {
  readonly projectId: number;
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * Proves to the sandbox's own paths that a page was opened by the address in the terminal. Stays the same while the secret key does, so that
 * open pages survive a restart.
 */
export function pageToken({ secretKey }: Pick<Sandbox, "secretKey">): string {
  return createHash("sha256").update(`sandbox page ${secretKey}`).digest("base64url");
}

/** Written to the data folder for later starts: the database only has hashes of the keys. */
interface StoredSandbox extends Sandbox {
  readonly secretKeyId: string;
  /** Id of the signing key. */
  readonly signedWith: string;
}

/** Returns the demo project of the last start, or creates one if the database or the signing key has changed. */
export async function openSandbox(
  database: Database,
  dataDir: string,
  signingKey: SigningKey,
): Promise<Sandbox> {
  const path = join(dataDir, "sandbox.json");
  const stored = readStored(path);
  const isValid =
    stored !== undefined && stored.signedWith === signingKey.id && (await isKnown(database, stored));
  const { projectId, accessKey, secretKey } = isValid ? stored : await create(database, path, signingKey);
  return { projectId, accessKey, secretKey };
}

const openKeysSql = `
select id from project
where is_sandbox and disabled_at is null and (
  exists (
    select from access_key
    where project_id = project.id and disabled_at is null and (expires_at is null or expires_at > now())
  ) or exists (
    select from secret_key join service_account on address = account
    where project_id = project.id and revoked_at is null and disabled_at is null
      and (expires_at is null or expires_at > now())
  )
)
order by id`;

/** Throws StartFault if keys that a sandbox has shown are still valid: in production anyone could know them. */
export async function rejectSandboxKeys(database: Queries): Promise<void> {
  const [open] = await database.query<{ id: string }>(openKeysSql);
  if (open === undefined) return;
  throw new StartFault(
    `--production: project ${open.id} of this database belongs to a sandbox, which has shown its keys; use another database (--data-dir, DATABASE_URL), or invalidate the keys with: platform projects disable ${open.id}`,
  );
}

function readStored(path: string): StoredSandbox | undefined {
  try {
    // `null`: the file was emptied.
    return (JSON.parse(readFileSync(path, "utf8")) as StoredSandbox | null) ?? undefined;
  } catch {
    return undefined;
  }
}

async function isKnown(database: Database, stored: StoredSandbox): Promise<boolean> {
  const lookups = databaseLookups(database);
  const hash = readAccessKey(stored.accessKey);
  const access = hash === undefined ? undefined : await lookups.accessKey(hash);
  const secret = await lookups.secretKey(stored.secretKeyId);
  return access !== undefined && isValid(access) && secret !== undefined && isValid(secret);
}

async function create(database: Database, path: string, signingKey: SigningKey): Promise<StoredSandbox> {
  const created = await database.transaction(async (queries) => {
    const project = await createProject(queries, "Sandbox");
    await queries.query("update project set is_sandbox = true where id = $1", [project.id]);
    const { key } = await createAccessKey(queries, project.id, {
      name: "sandbox",
      services: [],
      origins: [],
    });
    const account = await createServiceAccount(queries, project.id, { name: "sandbox", access: "WRITE" });
    const secret = await createSecretKey(queries, signingKey, { account, expiresAt: undefined });
    if (secret === undefined) throw new Error("the new account is missing");
    return { projectId: project.id, accessKey: key, secretKey: secret.token, secretKeyId: secret.id };
  });
  const stored: StoredSandbox = { ...created, signedWith: signingKey.id };
  writeFileSync(`${path}.new`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return stored;
}
