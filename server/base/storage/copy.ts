import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";

/** A cell's value; bytes become `bytea`. */
export type CopyValue = string | number | boolean | Date | Uint8Array | null;

/** A row: its cells, or its line in the text format of `COPY`, already escaped. */
export type CopyRow = readonly CopyValue[] | string;

/** Size of a chunk, in characters: small enough for a slow database, large enough to make the cost per chunk negligible. */
const chunkCharacters = 65_536;

/** Sends rows in the text format of `COPY`. The connection stays usable after the database rejects a row. */
export async function copyRows(client: pg.ClientBase, sql: string, rows: Iterable<CopyRow>): Promise<void> {
  const { from } = await import("pg-copy-streams");
  await pipeline(Readable.from(chunksOf(rows), { objectMode: false }), client.query(from(sql)));
}

function* chunksOf(rows: Iterable<CopyRow>): Iterable<string> {
  let chunk = "";
  for (const row of rows) {
    chunk += typeof row === "string" ? row : `${copyCells(row)}\n`;
    if (chunk.length < chunkCharacters) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

/** Encodes the cells of a row. `join` creates one flat string; a string built by `+=` would keep all its parts in memory. */
export function copyCells(cells: readonly CopyValue[]): string {
  return cells.map(copyText).join("\t");
}

function copyText(value: CopyValue): string {
  if (value === null) return "\\N";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return special.test(value) ? value.replace(specials, escaped) : value;
  if (value instanceof Uint8Array) return `\\\\x${hexOf(value)}`;
  return value instanceof Date ? value.toISOString() : value ? "t" : "f";
}

const special = /[\\\n\r\t]/;
const specials = /[\\\n\r\t]/g;

function escaped(character: string): string {
  return { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character] ?? "\\\\";
}

function hexOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("hex");
}
