import { createRequire } from "node:module";
import type { Address } from "viem";
import type { Artifact } from "../../server/chain/sandbox/artifact.ts";
import type { TransactionBatch } from "../../server/chain/sandbox/transaction-batch.ts";

const require = createRequire(import.meta.url);

/** A contract of `test/contracts`, compiled. */
export function testContract(name: string): Artifact {
  return require(`../contracts/${name}.json`) as Artifact;
}

export async function deployContract(
  batch: TransactionBatch,
  name: string,
  args: readonly unknown[] = [],
): Promise<Address> {
  const address = batch.deploy(testContract(name), args);
  await batch.mine();
  return address;
}
