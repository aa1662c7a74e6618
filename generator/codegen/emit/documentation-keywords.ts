import type { Documented } from "../plan/plan.ts";

/** Converts docs to keywords of JSON Schema and OpenAPI. The reason for a deprecation becomes the last line. */
export function documentationKeywords({ docs, deprecated }: Documented): {
  readonly description?: string;
  readonly deprecated?: true;
} {
  const lines = deprecated === undefined || deprecated === "" ? docs : [...docs, `Deprecated: ${deprecated}`];
  const description = lines.join("\n").trim();
  return {
    ...(description === "" ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated: true }),
  };
}
