import type { LiveContract } from "../../verify/live/load.ts";
import { toHandlerValue } from "../../verify/replay/handler-values.ts";
import { builtInTexts, type TextSource } from "../../verify/samples/example-texts.ts";
import { type Random, seededRandom } from "../../verify/samples/random.ts";
import { Samples } from "../../verify/samples/values.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Makes a response struct as handlers return it. The same seed makes the same. */
export type Sample = (typeName: string, seed: number | Random) => Fields;

/** Examples of the schema come first, then texts of a known meaning, then values that the rules allow. */
export function sampler(live: LiveContract, texts: TextSource = builtInTexts): Sample {
  return (typeName, seed) => {
    const random = typeof seed === "number" ? seededRandom(seed) : seed;
    const options = { side: "response", random, style: "plain", optional: "some", texts } as const;
    return toHandlerValue(live, typeName, new Samples(live.plan, options).body(typeName), []);
  };
}

/** A number that stands for a call: the same request is answered alike, whatever was asked before. FNV-1a. */
export function requestSeed(seed: number, method: string, request: unknown): number {
  const text = `${seed} ${method} ${canonicalJson(request)}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** JSON of what a handler is given, with bigints as text, and of files that they are files. */
export function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" ? `${inner}` : inner instanceof Blob ? "file" : inner,
    ) ?? ""
  );
}
