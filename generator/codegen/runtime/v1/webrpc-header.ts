/** Returns the schema that a header `Webrpc` names, here shop: `webrpc@v0.44.0;shop@v1.0.0`. Missing parts are empty text. */
export function schemaIn(header: string): { readonly name: string; readonly version: string } {
  const [name = "", version = ""] = header.split(";").at(-1)?.trim().split("@") ?? [];
  return { name, version };
}
