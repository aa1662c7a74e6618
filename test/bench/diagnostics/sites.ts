import { ridlSites } from "./ridl-sites.ts";
import type { Schema } from "./schema.ts";
import type { Site } from "./site.ts";
import { yamlSites } from "./yaml-sites.ts";

/** All pieces of all files of a schema that an edit can be made to. */
export function sitesOf(schema: Schema): readonly Site[] {
  return Object.entries(schema.files).flatMap(([path, text]) =>
    path.endsWith(".yaml") ? yamlSites(path, text) : ridlSites(path, text),
  );
}
