import type { Json } from "../../plan/json.ts";

/** What a schema does not say and an OpenAPI document should. */
export interface OpenapiOptions {
  /** Default "yaml". */
  readonly form?: "yaml" | "json";
  /** Default: the name of the schema. */
  readonly title?: string;
  /** Addresses without the basepath, which is part of the paths. Default: where the document is served. */
  readonly servers?: readonly OpenapiServer[];
  /** The annotation whose value names, parted by commas, the schemes that a call needs all of. Default "auth". */
  readonly securityAnnotation?: string;
  /** By name, as OpenAPI describes them: `{ accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" } }`. */
  readonly securitySchemes?: Readonly<Record<string, Json>>;
}

export interface OpenapiServer {
  readonly url: string;
  readonly description?: string;
}
