import { createRequire } from "node:module";
import type { Abi, Hex } from "viem";

export interface Artifact {
  readonly abi: Abi;
  /** Creation code, without the constructor's arguments. */
  readonly bytecode: Hex;
}

const require = createRequire(import.meta.url);

/** Reads a contract from a package's build: `readArtifact("@uniswap/v2-core/build/UniswapV2Factory.json")`. Throws if it is missing. */
export function readArtifact(path: string, from: NodeJS.Require = require): Artifact {
  const { abi, bytecode } = from(path) as { abi: Abi; bytecode: string };
  return { abi, bytecode: (bytecode.startsWith("0x") ? bytecode : `0x${bytecode}`) as Hex };
}
