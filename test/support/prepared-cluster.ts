import { execFileSync } from "node:child_process";
import { openPaths } from "../../server/base/storage/embedded/paths.ts";

/** The environment variable in which workers find the path of an empty cluster that has never run. */
export const preparedClusterVariable = "TEST_CLUSTER";

/** Puts an empty cluster into a data folder, as the host's first start does, which takes seconds. */
export function prepareCluster(dataDir: string): void {
  const prepared = process.env[preparedClusterVariable];
  if (prepared !== undefined) execFileSync("cp", ["-a", prepared, openPaths(dataDir).cluster]);
}
