/** The store in Postgres that docs/stream-store.md shows. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Pool } from "pg";
import type { ReplayStore } from "../../generator/runtime/src/server-streams.ts";
import type { News } from "../fixtures/feeds/generated/types.ts";
import { blocksOf, root } from "../support/docs.ts";

export interface NewsStore extends ReplayStore<News> {
  publish(topic: string, create: (id: string) => News, db?: Pick<Pool, "query">): Promise<News>;
  close(): void;
}

export type OpenStore = (pool: Pool, options?: { maxItems?: number; maxAgeMs?: number }) => NewsStore;

export interface DocumentedStore extends Disposable {
  /** The file with the code of the page. */
  readonly path: string;
  /** The tables, from the comment of the code. */
  readonly sql: string;
}

export function documentedStore(): DocumentedStore {
  const text = blocksOf("docs/stream-store.md").find(({ file }) => file === "store.ts")?.text ?? "";
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-store-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const path = join(folder, "store.ts");
  writeFileSync(path, text);
  const sql = (/\/\*\*\n( \* create table.*?) \*\//s.exec(text)?.[1] ?? "").replaceAll(/^ \* /gm, "");
  return { path, sql, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function loadStore(path: string): Promise<OpenStore> {
  const module = (await import(pathToFileURL(path).href)) as { readonly itemsInPostgres: OpenStore };
  return module.itemsInPostgres;
}
