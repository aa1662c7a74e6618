import { posix } from "node:path";
import type { SchemaConfig } from "./config.ts";

/** The schema's name for `--project`: `{ entry: "schema/api.ridl" }` → `"api"`. */
export function projectName({ name, entry }: SchemaConfig): string {
  return name ?? posix.parse(entry).name;
}
