import type { Live } from "../live/load.ts";
import { forHandlers } from "../replay/handler-values.ts";
import { type Random, seededRandom } from "../samples/random.ts";
import { Samples } from "../samples/values.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A struct of answers as handlers give it: examples of the schema first, else values that its rules allow. The same seed gives the same. */
export function sampleAnswer(live: Live, typeName: string, seed: number | Random): Fields {
  const random = typeof seed === "number" ? seededRandom(seed) : seed;
  const samples = new Samples(live.plan, { side: "response", random, style: "plain", optional: "some" });
  return forHandlers(live, typeName, samples.body(typeName), []);
}

/** A number that stands for a call: the same request is answered alike, whatever was asked before. FNV-1a. */
export function seedOf(seed: number, method: string, request: unknown): number {
  const text = `${seed} ${method} ${canonical(request)}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** JSON of what a handler is given, with bigints as text, and of files that they are files. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" ? `${inner}` : inner instanceof Blob ? "file" : inner,
    ) ?? ""
  );
}
