import type { Declaration } from "./declarations.ts";

/** The part of a word that its forms share: `rejected` and `rejects` → `reject`, `stopped` → `stop`. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  const short = lower.replace(/(?:ies|es|(?<!s)s|ed|ing|y|e)$/, "");
  const single = short.replace(/([^aeious])\1$/, "$1");
  return [single, short].find((text) => text.length >= 3) ?? lower;
}

/** `maxItemsOf` and `max-items` → `max`, `item`, `of`. */
function stemsOf(text: string): ReadonlySet<string> {
  const words = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").match(/[A-Za-z0-9]+/g) ?? [];
  return new Set(words.map(stem));
}

/** Words of sentences that say nothing about a declaration. */
const ignored = new Set(
  "a an and are as at be by for from has in is it of on or that the to when which with".split(" "),
);

/** How much a word counts, by where it is. */
const weights = { name: 2, comment: 1, message: 0.5 } as const;

export interface Hit {
  readonly declaration: Declaration;
  /** Number of the words that the declaration contains. */
  readonly words: number;
}

/**
 * Returns the best declaration of each file: those that contain most of the words come first, where names and comments count twice as much
 * as messages. Then, rare words count more than frequent ones.
 */
export function search(declarations: readonly Declaration[], words: readonly string[]): readonly Hit[] {
  const wanted = [
    ...new Set(words.filter((word) => !ignored.has(word)).flatMap((word) => [...stemsOf(word)])),
  ];
  const indexed = declarations.map((declaration) => ({
    declaration,
    name: stemsOf(`${declaration.path} ${declaration.name ?? ""}`),
    comment: stemsOf(declaration.text),
    message: stemsOf(declaration.literals),
  }));
  const places = ["name", "comment", "message"] as const;
  const rarity = wanted.map((word) => {
    const count = indexed.filter((entry) => places.some((place) => entry[place].has(word))).length;
    return Math.log(1 + declarations.length / (1 + count));
  });
  return indexed
    .map((entry) => {
      const matches = wanted.map((word) => places.find((each) => entry[each].has(word)));
      const scores = matches.map((place, index) =>
        place === undefined ? 0 : weights[place] * (rarity[index] ?? 0),
      );
      return {
        declaration: entry.declaration,
        words: matches.filter((place) => place !== undefined).length,
        described: matches.filter((place) => place === "name" || place === "comment").length,
        score: scores.reduce((total, score) => total + score, 0),
      };
    })
    .filter((hit) => hit.words > 0)
    .sort((a, b) => b.words + b.described - a.words - a.described || b.score - a.score)
    .filter(isFirstOfItsFile());
}

function isFirstOfItsFile(): (hit: Hit) => boolean {
  const seen = new Set<string>();
  return ({ declaration: { path } }) => {
    if (seen.has(path)) return false;
    seen.add(path);
    return true;
  };
}
