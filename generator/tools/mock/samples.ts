import type { LoadedContract } from "../../verify/in-memory/load.ts";
import { toHandlerValue } from "../../verify/replay/stub-server.ts";
import { builtInTexts, type TextSource } from "../../verify/samples/example-texts.ts";
import { type Random, seededRandom } from "../../verify/samples/random.ts";
import { Samples } from "../../verify/samples/values.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Generates a response struct as handlers return it. The same seed gives the same struct. */
export type Sample = (typeName: string, seed: number | Random) => Fields;

/** Prefers examples in the schema, then strings that suit the field's name, then any valid values. */
export function sampler(loaded: LoadedContract, texts: TextSource = builtInTexts): Sample {
  return (typeName, seed) => {
    const random = typeof seed === "number" ? seededRandom(seed) : seed;
    const options = { side: "response", random, style: "plain", optional: "some", texts } as const;
    return toHandlerValue(loaded, typeName, new Samples(loaded.plan, options).body(typeName), []);
  };
}

/** Hashes a request (FNV-1a), so that the same request gets the same response, independent of earlier calls. */
export function requestSeed(seed: number, method: string, request: unknown): number {
  const text = `${seed} ${method} ${canonicalJson(request)}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** JSON of a handler's input, with bigints as strings and every file as "file". */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" ? `${inner}` : inner instanceof Blob ? "file" : inner,
    ) ?? ""
  );
}
