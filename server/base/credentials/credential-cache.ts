import type { AccessKeyRow, CredentialLookups, SecretKeyRow } from "./credential-lookups.ts";

export interface CredentialCache extends CredentialLookups {
  /** Something about this project's credentials changed. */
  invalidateProject(projectId: number): void;
  /** Anything may have changed. */
  invalidateAll(): void;
}

/** Rows that are kept at most; the oldest go first. About 10 MB. */
const maxRows = 20_000;

/** How long a row is trusted, in milliseconds, should a change never be told. */
const maxAgeMs = 30_000;

/**
 * Remembers what it found, so that a call costs no round trip for its credentials, as long as changes are told: `isTold` is
 * asked on each look-up, and without it the database is. What is not found is not remembered.
 */
export function cacheCredentials(lookups: CredentialLookups, isTold: () => boolean): CredentialCache {
  const accessKeys = new Map<string, Kept<AccessKeyRow>>();
  const secretKeys = new Map<string, Kept<SecretKeyRow>>();
  /** Counts changes: what was asked for before one may be older than it. */
  let changes = 0;

  async function find<Row extends { readonly projectId: number }>(
    kept: Map<string, Kept<Row>>,
    key: string,
    ask: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const isTrusted = isTold();
    const known = isTrusted ? kept.get(key) : undefined;
    if (known !== undefined && performance.now() < known.until) return known.row;
    const before = changes;
    const row = await ask();
    if (row !== undefined && isTrusted && changes === before) {
      kept.delete(key);
      kept.set(key, { row, until: performance.now() + maxAgeMs });
      if (kept.size > maxRows) dropOldest(kept);
    }
    return row;
  }

  return {
    accessKey: (hash) => find(accessKeys, hash.toString("latin1"), () => lookups.accessKey(hash)),
    secretKey: (id) => find(secretKeys, id, () => lookups.secretKey(id)),
    invalidateProject(projectId) {
      changes++;
      for (const kept of [accessKeys, secretKeys])
        for (const [key, { row }] of kept) if (row.projectId === projectId) kept.delete(key);
    },
    invalidateAll() {
      changes++;
      accessKeys.clear();
      secretKeys.clear();
    },
  };
}

interface Kept<Row> {
  readonly row: Row;
  readonly until: number;
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
