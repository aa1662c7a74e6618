import type { SchemaElement } from "./element.ts";
import { ridlElements } from "./ridl-elements.ts";
import type { Schema } from "./schema.ts";
import { yamlElements } from "./yaml-elements.ts";

/** All elements of a schema's files that can be edited. */
export function elementsOf(schema: Schema): readonly SchemaElement[] {
  return Object.entries(schema.files).flatMap(([path, text]) =>
    path.endsWith(".yaml") ? yamlElements(path, text) : ridlElements(path, text),
  );
}
