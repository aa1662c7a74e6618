import type { MethodInfo } from "../generated/runtime/v1/client.ts";

/** What reads or makes use of a secret key. The other services are called without, so that it travels no further than it must. */
const servicesWithSecrets: ReadonlySet<string> = new Set(["Builder", "Indexer"]);

export async function secretHeaders(
  key: string | (() => string | Promise<string>),
  { service }: MethodInfo,
): Promise<Readonly<Record<string, string>>> {
  if (!servicesWithSecrets.has(service)) return {};
  return { Authorization: `BEARER ${typeof key === "string" ? key : await key()}` };
}
