/** Compares the schema versions of client and server, using their `Webrpc` headers. */
import { schemaIn } from "./webrpc-header.ts";

/**
 * Returns a sentence for the caller if client and server use different versions, such as `"…;shop@v1"` and
 * `"…;shop@v2"`. Undefined if they are equal, or if the client's header does not name this schema.
 */
export function describeVersionMismatch(caller: string | undefined, server: string): string | undefined {
  const own = schemaIn(server);
  const { name, version } = schemaIn(caller ?? "");
  if (name !== own.name || version === own.version) return undefined;
  return `the client was generated from ${name} ${version.slice(0, 40)} and this server from ${own.version}: regenerate the client`;
}
