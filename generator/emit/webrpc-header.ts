import type { Plan } from "../plan/plan.ts";

/** The protocol that we speak, and the seam of the runtime: not the version of this tool, which would turn every upgrade into a diff. */
const speakers = "webrpc@v0.44.0;ridlkit@v1";

/** Value of the header `Webrpc`, which clients and servers send: `webrpc@v0.44.0;ridlkit@v1;Test@v1.0.0`. Nobody compares it. */
export function webrpcHeader({ schemaName, schemaVersion, schemaHash }: Plan): string {
  const version = schemaVersion === "" ? `v0.0.0-${schemaHash}` : schemaVersion;
  // A header is visible ASCII; the name of a schema may be anything.
  return `${speakers};${schemaName}@${version}`.replace(/[^\x21-\x7e]/g, "-");
}
