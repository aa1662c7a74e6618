import { createRequire } from "node:module";
import type { Address } from "viem";
import type { Artifact } from "../../server/chain/sandbox/artifact.ts";
import type { Ledger } from "../../server/chain/sandbox/ledger.ts";

const require = createRequire(import.meta.url);

/** A contract of `test/contracts`, compiled. */
export function testContract(name: string): Artifact {
  return require(`../contracts/${name}.json`) as Artifact;
}

export async function deployContract(
  ledger: Ledger,
  name: string,
  args: readonly unknown[] = [],
): Promise<Address> {
  const address = ledger.deploy(testContract(name), args);
  await ledger.settle();
  return address;
}
