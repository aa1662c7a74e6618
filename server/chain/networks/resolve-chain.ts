import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { findKnownChain, knownChains, readChainId } from "./known-chains.ts";

/** Resolves a chain by name or id. Names in `named` have priority. Returns undefined for an unknown name. */
export function resolveChainId(
  text: string,
  named: Iterable<readonly [number, { readonly name?: string | undefined }]> = [],
): number | undefined {
  for (const [chainId, { name }] of named) if (name === text.toLowerCase()) return chainId;
  return findKnownChain(text)?.chainId ?? readChainId(text);
}

/** `unknown network "polygno"; did you mean "polygon"?` */
export function describeUnknownNetwork(name: string): string {
  const names = [...knownChains().values()].flatMap((chain) => chain.names);
  const suggestion = suggest(name, names);
  const hint = suggestion === undefined ? "use its chain id" : `did you mean "${suggestion}"?`;
  return `unknown network "${name}"; ${hint}`;
}
