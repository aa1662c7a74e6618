import { superuser } from "./cluster.ts";
import type { EmbeddedPaths } from "./paths.ts";

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** The socket of the Postgres on a data folder. */
export function addressOf({ socketFolder }: EmbeddedPaths): SocketAddress {
  return { host: socketFolder, port: 5432, user: superuser, database: "postgres" };
}
