import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { allCases } from "../conformance/cases.ts";
import type { ReferenceRequest } from "../support/reference.ts";

/** The fuzzer's inputs: the recorded cases, the platform's schema, and every schema below `folders`. */
export function readCorpus(folders: readonly string[]): readonly ReferenceRequest[] {
  const own = fileURLToPath(new URL("../../schema/", import.meta.url));
  return [...allCases().map(({ request }) => request), ...[own, ...folders].flatMap(readFolder)];
}

/** Each .ridl file is an entry that may import the others. */
function readFolder(folder: string): ReferenceRequest[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ridl"),
  );
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  return paths.map((path) => ({ kind: "ridl", path, files }));
}
