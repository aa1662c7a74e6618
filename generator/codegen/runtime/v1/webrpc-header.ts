/** The schema that the header `Webrpc` names, such as `webrpc@v0.44.0;gen-typescript@v0.30.0;shop@v1.0.0`. */

export interface SchemaVersion {
  readonly name: string;
  readonly version: string;
}

/** Returns the last part of a header: `shop@v1.0.0`. Missing parts are empty text. */
export function schemaIn(header: string): SchemaVersion {
  const [name = "", version = ""] = header.split(";").at(-1)?.trim().split("@") ?? [];
  return { name, version };
}
