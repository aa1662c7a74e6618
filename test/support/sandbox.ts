import { afterAll, beforeAll } from "vitest";
import {
  describeMissingPackages,
  type SandboxChain,
  startSandboxChain,
} from "../../server/chain/sandbox/chain.ts";

const missing = describeMissingPackages();

/** Whether tests on a local chain are skipped on this machine, for `describe.skipIf`. CI requires its packages. */
export const noSandbox: boolean = missing !== undefined && process.env["CI"] !== "true";

if (noSandbox) console.log(`left out: ${missing}`);

/** A local chain for the tests of a file. */
export function useSandbox(): () => SandboxChain {
  let chain: SandboxChain | undefined;
  beforeAll(async () => {
    if (!noSandbox) chain = await startSandboxChain();
  });
  afterAll(async () => {
    await chain?.[Symbol.asyncDispose]();
  });
  return () => {
    if (chain === undefined) throw new Error("there is no local chain");
    return chain;
  };
}
