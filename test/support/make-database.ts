import { randomBytes } from "node:crypto";
import pg from "pg";

export interface MadeDatabase {
  readonly name: string;
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** A database on a server, to be dropped after use: an empty one, or a copy of `template`. */
export async function makeDatabase(server: string, template?: string): Promise<MadeDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const copy = template === undefined ? "" : ` template ${template} strategy file_copy`;
  await onServer(server, `create database ${name}${copy}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(sql);
  await client.end();
}
