import type { VersionResponse } from "../../../../generated/types.ts";

/** The versions that are running. The same on every service, and for the whole life of a server. */
export function version(versions: VersionResponse["version"]): () => VersionResponse {
  const answer: VersionResponse = { version: versions };
  return () => answer;
}
