import { posix } from "node:path";
import type { SchemaConfig } from "./config.ts";

/** The name of a schema for `--project`: `{ entry: "schema/api.ridl" }` → `"api"`. */
export function projectName({ name, entry }: SchemaConfig): string {
  return name ?? posix.parse(entry).name;
}
