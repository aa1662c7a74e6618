import type { Declaration } from "./declarations.ts";

/** The part of a word that its forms share: `rejected` and `rejects` → `reject`. */
function stem(word: string): string {
  const short = word.toLowerCase().replace(/(?:ies|es|ed|ing|s|y|e)$/, "");
  return short.length < 3 ? word.toLowerCase() : short;
}

/** `maxItemsOf` and `max-items` → `max`, `items`, `of`. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").match(/[A-Za-z0-9]+/g) ?? [];
  return new Set(words.map(stem));
}

/** How much more a word in a path or a name says about a declaration than one in its comment. */
const nameWeight = 2;

/**
 * Returns the best declaration of each file: those that contain most of the words come first. Rare words count more than frequent ones.
 */
export function search(
  declarations: readonly Declaration[],
  words: readonly string[],
): readonly Declaration[] {
  const wanted = [...new Set(words.flatMap((word) => [...stemsOf(word)]))];
  const indexed = declarations.map((declaration) => ({
    declaration,
    named: stemsOf(`${declaration.path} ${declaration.name ?? ""}`),
    described: stemsOf(declaration.text),
  }));
  const weights = wanted.map((word) => {
    const count = indexed.filter(({ named, described }) => named.has(word) || described.has(word)).length;
    return Math.log(1 + declarations.length / (1 + count));
  });
  return indexed
    .map(({ declaration, named, described }) => {
      const scores = wanted.map((word, index) => {
        const weight = weights[index] ?? 0;
        return named.has(word) ? weight * nameWeight : described.has(word) ? weight : 0;
      });
      return { declaration, found: scores.filter((score) => score > 0).length, score: sum(scores) };
    })
    .filter(({ found }) => found > 0)
    .sort((a, b) => b.found - a.found || b.score - a.score)
    .map(({ declaration }) => declaration)
    .filter(isFirstOfItsFile());
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function isFirstOfItsFile(): (declaration: Declaration) => boolean {
  const seen = new Set<string>();
  return ({ path }) => {
    if (seen.has(path)) return false;
    seen.add(path);
    return true;
  };
}
