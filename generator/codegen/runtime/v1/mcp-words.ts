/** Splits texts into words for the search. */

/** `getUserIDs of 2 repos` → `get`, `user`, `id`, `2`, `repo`: stemmed words without those that occur everywhere. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/['’]s?\b/g, "")
    .replace(/([A-Z]{2,})s(?![a-z])/g, "$1")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !stopWords.has(word))
    .map(stem);
}

const stopWords: ReadonlySet<string> = new Set(
  (
    "a an and any are as at be been being but by can certain could did do does for from had has have how if in into is it " +
    "its of on onto one or our out should single so some that the their them then there these they this those to up us " +
    "want was we were what when where whether which who whose will with would you your need please given specified using via"
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

/** What a method does, and the words for it: first those that occur in names. */
const actions: Readonly<Record<Action, string>> = {
  get: "get fetch read retrieve show view display see look inspect obtain describe return check lookup detail info information",
  list: "list all every enumerate browse",
  search: "search find query lookup look",
  create: "create add make new register insert generate provision put start",
  update:
    "update change edit modify set patch adjust rename alter replace configure upsert choose select pick",
  delete: "delete remove destroy erase drop discard purge clear unassign detach unlink revoke withdraw kick",
};

export type Action = "get" | "list" | "search" | "create" | "update" | "delete";

const actionByWord: ReadonlyMap<string, Action> = new Map(
  Object.entries(actions)
    .reverse()
    .flatMap(([action, words]) => words.split(" ").map((word) => [stem(word), action as Action] as const)),
);

/** Returns what a word says about the action of a method. */
export function actionOf(word: string): Action | undefined {
  return actionByWord.get(word);
}

/** Groups of words that mean the same in the names of methods. */
const groups: readonly (readonly string[])[] = [
  ...Object.values(actions),
  "cancel abort stop terminate halt end kill",
  "start launch run begin trigger execute resume",
  "restart reboot",
  "restore recover undelete",
  "enable activate allow on",
  "disable deactivate off",
  "send submit publish deliver post",
  "lock freeze",
  "copy duplicate clone",
  "download export",
  "upload import",
  "approve accept confirm",
  "reject deny decline dismiss",
  "batch bulk many several multiple together",
  "my me i mine own current authenticated",
  "organization organisation org company",
  "repository repo",
  "configuration config setting preference option",
  "application app",
  "environment env",
  "administrator admin",
  "picture image photo",
  "message msg",
  "person user member people account",
  "permission access right role",
  "count number",
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
