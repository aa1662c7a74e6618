import type { Json } from "../../plan/json.ts";

/** Details of an OpenAPI document that a schema does not contain. */
export interface OpenapiOptions {
  /** Default "yaml". */
  readonly form?: "yaml" | "json";
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

export interface OpenapiServer {
  readonly url: string;
  readonly description?: string;
}
