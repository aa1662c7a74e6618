import type { Json } from "../../plan/json.ts";

/** Details of an OpenAPI document that a schema does not contain. */
export interface OpenapiOptions {
  /** Default "yaml". */
  readonly form?: "yaml" | "json";
  /** Version of OpenAPI. Default "3.1". */
  readonly version?: OpenapiVersion;
  /** Default: the name of the schema. */
  readonly title?: string;
  /** URLs without the basepath, which is part of the paths. Default: where the document is served. */
  readonly servers?: readonly OpenapiServer[];
  /**
   * The annotation that lists the security schemes of a method, separated by commas; a call needs all of them. Default
   * "auth".
   */
  readonly securityAnnotation?: string;
  /** By name, as in OpenAPI: `{ accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" } }`. */
  readonly securitySchemes?: Readonly<Record<string, Json>>;
}

/**
 * 3.2 describes the items of streams and the verb QUERY, for which older versions need extensions. 3.0 is for tools that do
 * not read JSON Schema 2020-12; it lacks the names of map keys.
 */
export const openapiVersions = ["3.0", "3.1", "3.2"] as const;

export type OpenapiVersion = (typeof openapiVersions)[number];

export interface OpenapiServer {
  readonly url: string;
  readonly description?: string;
}
