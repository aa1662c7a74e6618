import { seededRandom } from "../../support/random.ts";
import { mutations } from "./mutations/index.ts";
import { yamlMutations } from "./mutations/yaml.ts";
import type { Mutant, Mutation, Schema } from "./schema.ts";

/**
 * Creates `perMutation` broken schemas per mutation, from different schemas as long as suitable ones are left. Deterministic for a seed.
 */
export function mutants(corpus: readonly Schema[], perMutation: number, seed: number): Mutant[] {
  const isYaml = ({ entry }: Schema): boolean => entry.endsWith(".yaml");
  const ridl = corpus.filter((schema) => !isYaml(schema));
  return [
    ...made(mutations, ridl, perMutation, seed),
    ...made(yamlMutations, corpus.filter(isYaml), perMutation, seed + 1),
  ];
}

function made(
  kinds: readonly Mutation[],
  schemas: readonly Schema[],
  perMutation: number,
  seed: number,
): Mutant[] {
  return kinds.flatMap((mutation, index) => {
    const random = seededRandom(seed * 1_000 + index);
    const found: Mutant[] = [];
    const seen = new Set<string>();
    for (let tries = 0; found.length < perMutation && tries < 4; tries++) {
      for (const schema of random.shuffle(schemas)) {
        const mutant = found.length < perMutation ? mutation.apply(schema, random) : undefined;
        const key = JSON.stringify([schema.name, mutant?.files[mutant.at.path]]);
        if (mutant === undefined || seen.has(key)) continue;
        seen.add(key);
        found.push(mutant);
      }
    }
    return found;
  });
}
