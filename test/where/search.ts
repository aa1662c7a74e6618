/** Finds the source files that a few words, or a whole sentence, are about. */
import MiniSearch from "minisearch";
import { stemmer } from "stemmer";
import type { Declaration, Source } from "./source.ts";

export interface Hit {
  readonly path: string;
  /** The declarations whose names and comments contain most of the words, the best first. */
  readonly declarations: readonly Declaration[];
}

/** What a match counts, by where it is. Chosen with sentences of users for which the right file was known. */
const boost = { path: 2, names: 1, comments: 1, texts: 0.5, identifiers: 0.3 };

/** Words of sentences that say nothing about a file. */
const ignored = new Set(
  (
    "a above after again all an and any are as at be because before below between but by can could do does each else for from has have how i " +
    "if in into is it its just may me more most must my no not of on once only or other our over should so still than that the their them " +
    "then there these they this those to too under until up very was we were what when where which while who will with would you your"
  ).split(" "),
);

/** Returns the best files, of which there are at most `max`. */
export function search(sources: readonly Source[], words: string, max: number): readonly Hit[] {
  const index = new MiniSearch({
    idField: "path",
    fields: Object.keys(boost),
    extractField: (source: Source, field) =>
      field === "names"
        ? source.declarations.map(({ name }) => name).join(" ")
        : source[field as Exclude<keyof Source, "declarations">],
    tokenize: wordsIn,
    processTerm: stemOf,
    searchOptions: { boost },
  });
  index.addAll(sources);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  return index
    .search(words)
    .slice(0, max)
    .map(({ id, terms }) => ({ path: id, declarations: bestOf(byPath.get(id)?.declarations ?? [], terms) }));
}

/** Most declarations shown of one file. */
const declarationsMax = 2;

function bestOf(declarations: readonly Declaration[], terms: readonly string[]): readonly Declaration[] {
  return declarations
    .map((declaration) => {
      const stems = new Set(wordsIn(`${declaration.name ?? ""} ${declaration.comment}`).map(stemOf));
      return { declaration, count: terms.filter((term) => stems.has(term)).length };
    })
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, declarationsMax)
    .map(({ declaration }) => declaration);
}

/** `maxItemsOf` and `max-items of` are the words `max`, `items` and `of`. */
function wordsIn(text: string): string[] {
  return text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").match(/[A-Za-z0-9]+/g) ?? [];
}

/** The part of a word that its forms share: `reject` for `rejected` and `Rejects`. Undefined if the word is ignored. */
function stemOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  return ignored.has(lower) ? undefined : stemmer(lower);
}
