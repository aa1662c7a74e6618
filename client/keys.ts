import type { MethodInfo } from "ridlkit-runtime/client";

/** Only services that use a secret key get one, so that it travels no further than necessary. */
const servicesWithSecrets: ReadonlySet<string> = new Set(["Builder", "Indexer"]);

export async function secretHeaders(
  key: string | (() => string | Promise<string>),
  { service }: MethodInfo,
): Promise<Readonly<Record<string, string>>> {
  if (!servicesWithSecrets.has(service)) return {};
  return { Authorization: `BEARER ${typeof key === "string" ? key : await key()}` };
}
