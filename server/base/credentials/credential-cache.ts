/**
 * Caches keys. When a key is disabled or revoked, the database notifies all replicas, which stop accepting it within milliseconds.
 */
import type { AccessKeyRow, CredentialLookups, SecretKeyRow } from "./credential-lookups.ts";

export interface CredentialCache extends CredentialLookups {
  /** Credentials of this project have changed. */
  invalidateProject(projectId: number): void;
  /** Any credentials may have changed. */
  invalidateAll(): void;
}

/** Most rows in each cache; the oldest are evicted first. About 10 MB. */
const maxRows = 20_000;

/** How long a row is trusted, in milliseconds, in case a change notification is lost. */
const maxAgeMs = 30_000;

/**
 * Caches credentials, so that calls need no round trip to the database. Uses the cache only while `isNotified` returns true, that
 * is, while changes are reported. Does not cache missing rows.
 */
export function cacheCredentials(lookups: CredentialLookups, isNotified: () => boolean): CredentialCache {
  const accessKeys = new Map<string, CachedRow<AccessKeyRow>>();
  const secretKeys = new Map<string, CachedRow<SecretKeyRow>>();
  /** Counts changes. A row that was requested before a change may be older than the change. */
  let changes = 0;

  async function find<Row extends { readonly projectId: number }>(
    cache: Map<string, CachedRow<Row>>,
    key: string,
    load: () => Promise<Row | undefined>,
  ): Promise<Row | undefined> {
    const isTrusted = isNotified();
    const known = isTrusted ? cache.get(key) : undefined;
    if (known !== undefined && performance.now() < known.until) return known.row;
    const before = changes;
    const row = await load();
    if (row !== undefined && isTrusted && changes === before) {
      cache.delete(key);
      cache.set(key, { row, until: performance.now() + maxAgeMs });
      if (cache.size > maxRows) dropOldest(cache);
    }
    return row;
  }

  return {
    accessKey: (hash) => find(accessKeys, hash.toString("latin1"), () => lookups.accessKey(hash)),
    secretKey: (id) => find(secretKeys, id, () => lookups.secretKey(id)),
    invalidateProject(projectId) {
      changes++;
      for (const cache of [accessKeys, secretKeys])
        for (const [key, { row }] of cache) if (row.projectId === projectId) cache.delete(key);
    },
    invalidateAll() {
      changes++;
      accessKeys.clear();
      secretKeys.clear();
    },
  };
}

interface CachedRow<Row> {
  readonly row: Row;
  readonly until: number;
}

function dropOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
