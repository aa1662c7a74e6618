import type { Ir } from "../schema/ir.ts";

/** What there is to say where the host's contract is another than the one that the page was loaded with. Every answer names its own. */
export function stalenessOf(
  headers: readonly (readonly [string, string])[],
  { name, version }: Pick<Ir, "name" | "version">,
): string | undefined {
  // `webrpc@v0.44.0;ridlkit@0.1.0;platform@v0.0.1`
  const header = headers.find(([key]) => key === "webrpc")?.[1] ?? "";
  const [theirs, there] = header.split(";").at(-1)?.split("@") ?? [];
  if (theirs !== name || there === undefined || there === version) return undefined;
  return `This host has ${name} ${there} by now, and this page shows ${version}. Load the page again.`;
}
