import { Resolver } from "node:dns/promises";

/** The addresses of a name. Throws if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** How long one question may take, in milliseconds, and how often it is asked. */
const questionMaxMs = 2_000;
const tries = 2;

/**
 * Asks name servers from the event loop. The system's resolver would be asked from a pool of four threads, which four names with
 * slow servers would stop for everybody. The file /etc/hosts is not read.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: questionMaxMs, tries });
  return async (name) => {
    const plain = name.replace(/[.]$/, "").toLowerCase();
    // RFC 6761, section 6.3: not a question for name servers.
    if (plain === "localhost" || plain.endsWith(".localhost")) return ["127.0.0.1", "::1"];
    const answers = await Promise.allSettled([resolver.resolve4(plain), resolver.resolve6(plain)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw answers.find((answer) => answer.status === "rejected")?.reason ?? new Error("no address");
  };
}
