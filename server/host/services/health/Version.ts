import type { VersionResponse } from "../../../../generated/types.ts";

/** The running versions. The same for every service, and constant while the server runs. */
export function version(versions: VersionResponse["version"]): () => VersionResponse {
  const response: VersionResponse = { version: versions };
  return () => response;
}
