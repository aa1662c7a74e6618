/** Whether the two sides of a call were made from the same version of a schema, told from their headers `Webrpc`. */

/**
 * `"webrpc@v0.44.0;ridlkit@0.1.0;shop@v1"`, `"…;shop@v2"` → a sentence for the caller. Undefined where they are the same, or the caller
 * says nothing of this schema.
 */
export function describeVersionMismatch(caller: string | undefined, server: string): string | undefined {
  const [name = "", here = ""] = schemaOf(server);
  const [theirs, there = ""] = schemaOf(caller ?? "");
  if (theirs !== name || there === here) return undefined;
  return `the caller was made from ${name} ${there.slice(0, 40)} and this server from ${here}: generate the client anew`;
}

/** The last part is the schema. */
function schemaOf(header: string): readonly string[] {
  return header.split(";").at(-1)?.trim().split("@") ?? [];
}
