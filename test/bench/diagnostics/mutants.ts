import { seededRandom } from "../../support/random.ts";
import { mutations } from "./mutations/index.ts";
import type { Mutant, Schema } from "./schema.ts";

/**
 * Broken schemas, `perMutation` of each kind, each from another schema as long as there are some that have a place for it.
 * The same seed gives the same ones.
 */
export function mutants(schemas: readonly Schema[], perMutation: number, seed: number): Mutant[] {
  return mutations.flatMap((mutation, index) => {
    const random = seededRandom(seed * 1_000 + index);
    const made: Mutant[] = [];
    const seen = new Set<string>();
    for (let tries = 0; made.length < perMutation && tries < 4; tries++) {
      for (const schema of random.shuffle(schemas)) {
        const mutant = made.length < perMutation ? mutation.apply(schema, random) : undefined;
        const key = JSON.stringify([schema.name, mutant?.files[mutant.at.path]]);
        if (mutant === undefined || seen.has(key)) continue;
        seen.add(key);
        made.push(mutant);
      }
    }
    return made;
  });
}
