import type { Network } from "./network.ts";

/** What a caller is told of a network where something is missing; of the local chain also how it comes to be there. */
export function describeMissing({ chainId }: Network, missing: string): string {
  return chainId === localChainId ? `${missing}: ${advice}` : missing;
}

const localChainId = 31_337;

const advice =
  "npm start brings the local chain where its optional packages are installed (npm install --include=optional)";
