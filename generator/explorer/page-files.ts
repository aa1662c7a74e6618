import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pageFolder } from "./page-folder.ts";

/** The texts of the built page, by name. */
export async function readPageFiles(): Promise<ReadonlyMap<string, string>> {
  const folder = pageFolder();
  const names = (await readdir(folder)).sort();
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
  );
  return new Map(texts);
}
