import type { Ir } from "../schema/ir.ts";

/** A message if the host's contract has changed since the page was loaded. Every response names the host's version. */
export function stalenessOf(
  headers: readonly (readonly [string, string])[],
  { name, version }: Pick<Ir, "name" | "version">,
): string | undefined {
  // `webrpc@v0.48.0;ridlkit@0.1.0;platform@v0.0.1`
  const header = headers.find(([key]) => key === "webrpc")?.[1] ?? "";
  const [hostName, hostVersion] = header.split(";").at(-1)?.split("@") ?? [];
  if (hostName !== name || hostVersion === undefined || hostVersion === version) return undefined;
  return `The host now has ${name} ${hostVersion}, but this page shows ${version}. Reload the page.`;
}
