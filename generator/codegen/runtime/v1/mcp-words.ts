/** Splits texts into words for the search. */

/** `getUserIDs of 2 repos` → `get`, `user`, `id`, `2`, `repo`: stemmed words without those that occur everywhere. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/['’]s?\b/g, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !stopWords.has(word))
    .map(stem);
}

const stopWords: ReadonlySet<string> = new Set(
  (
    "a an and any are as at be been being but by can could did do does for from had has have how i if in into is it its " +
    "me my of on onto or our out should so some that the their them then there these they this those to up us want was we " +
    "were when where will with would you your need please given specified if given using via which what who whose whether"
  ).split(" "),
);

/**
 * Removes English endings, so that `creates`, `created`, `creating` and `creation` are one word. Lighter than Porter's
 * algorithm, because names of methods have few forms.
 */
export function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const singular = word
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x|z)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  const base = singular
    .replace(/^(.{3,})ations?$/, "$1at")
    .replace(/^(.{3,})ions?$/, "$1")
    .replace(/^(.*[aeiouy].*)(?:ing|ed)$/, "$1");
  const undoubled = base === singular ? base : base.replace(/([bdgmnprt])\1$/, "$1");
  return undoubled.length < 3 ? singular : undoubled.replace(/e$/, "").replace(/y$/, "i");
}

/** Groups of words that mean the same in the names of methods. */
const groups: readonly (readonly string[])[] = [
  "get fetch read retrieve show view display see look inspect obtain describe return check lookup",
  "list all every enumerate browse show see get",
  "search find query lookup look list",
  "create add make new register insert open generate provision build start",
  "update change edit modify set patch adjust rename alter replace configure",
  "delete remove destroy erase drop discard purge clear delete",
  "remove unassign detach unlink revoke unset",
  "cancel abort stop terminate halt end kill",
  "start launch run begin trigger execute resume restart",
  "enable activate allow on",
  "disable deactivate off turn",
  "send submit publish deliver post",
  "lock freeze",
  "copy duplicate clone",
  "download export",
  "upload import",
  "approve accept confirm",
  "reject deny decline dismiss",
  "organization organisation org company",
  "repository repo",
  "configuration config setting preference option",
  "application app",
  "environment env",
  "administrator admin",
  "information info detail",
  "picture image photo",
  "message msg",
  "person user member people account",
  "permission access right role",
  "count number many",
  "authentication auth login",
  "latest newest recent",
].map((words) => [...new Set(words.split(" ").map(stem))]);

const related = new Map<string, Set<string>>();
for (const group of groups)
  for (const word of group) {
    const others = related.get(word) ?? new Set();
    related.set(word, others);
    for (const other of group) if (other !== word) others.add(other);
  }

/** Returns words that often stand for a word. */
export function relatedWords(word: string): ReadonlySet<string> {
  return related.get(word) ?? noWords;
}

const noWords: ReadonlySet<string> = new Set();
