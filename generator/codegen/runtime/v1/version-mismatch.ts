/** Compares the schema versions of client and server, using their `Webrpc` headers. */

/**
 * Returns a sentence for the caller if client and server use different versions, such as `"…;shop@v1"` and
 * `"…;shop@v2"`. Undefined if they are equal, or if the client's header does not name this schema.
 */
export function describeVersionMismatch(caller: string | undefined, server: string): string | undefined {
  const [name = "", here = ""] = schemaOf(server);
  const [theirs, there = ""] = schemaOf(caller ?? "");
  if (theirs !== name || there === here) return undefined;
  return `the client was generated from ${name} ${there.slice(0, 40)} and this server from ${here}: regenerate the client`;
}

/** The last part of the header is the schema. */
function schemaOf(header: string): readonly string[] {
  return header.split(";").at(-1)?.trim().split("@") ?? [];
}
