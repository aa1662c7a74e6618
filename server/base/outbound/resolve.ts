import { Resolver } from "node:dns/promises";

/** Resolves a name. Throws if it has no address. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Timeout of a DNS query, in milliseconds, and the number of tries. */
const queryMaxMs = 2_000;
const tries = 2;

/**
 * Queries name servers from the event loop. The system's resolver would use a pool of four threads, which four names with slow
 * servers would block for everyone. Ignores /etc/hosts.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: queryMaxMs, tries });
  return async (name) => {
    const plain = name.replace(/[.]$/, "").toLowerCase();
    // RFC 6761, section 6.3: name servers must not be queried for localhost.
    if (plain === "localhost" || plain.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    const results = await Promise.allSettled([resolver.resolve4(plain), resolver.resolve6(plain)]);
    const addresses = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    if (addresses.length > 0) return addresses;
    throw results.find((result) => result.status === "rejected")?.reason ?? new Error("no address");
  };
}
