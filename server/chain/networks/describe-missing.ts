import { localChain } from "./local-chain.ts";
import type { Network } from "./network.ts";

/** Describes what a network lacks, for callers. For the local chain, adds how to install it. */
export function describeMissing({ chainId }: Network, missing: string): string {
  return chainId === localChain.chainId ? `${missing}: ${advice}` : missing;
}

const advice =
  "npm start runs the local chain if its optional packages are installed (npm install --include=optional)";
