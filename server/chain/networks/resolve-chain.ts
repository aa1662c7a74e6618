import { suggest } from "../../../generator/language/diagnostics/suggest.ts";
import { findKnownChain, knownChains, readChainId } from "./known-chains.ts";

/** The chain that an operator means, by its name or id; names of their own go first. Undefined if nobody knows it. */
export function resolveChainId(
  text: string,
  named: Iterable<readonly [number, { readonly name?: string | undefined }]> = [],
): number | undefined {
  for (const [chainId, { name }] of named) if (name === text.toLowerCase()) return chainId;
  return findKnownChain(text)?.chainId ?? readChainId(text);
}

/** `there is no network "polygno"; did you mean "polygon"?` */
export function describeUnknownNetwork(name: string): string {
  const names = [...knownChains().values()].flatMap((chain) => chain.names);
  const near = suggest(name, names);
  const hint = near === undefined ? "give its chain id" : `did you mean "${near}"?`;
  return `there is no network "${name}"; ${hint}`;
}
