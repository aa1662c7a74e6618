import { firstSentence, type McpApi, type McpMethod } from "./mcp-api.ts";

/* Splits texts into words for the search. */

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

type Action = "get" | "list" | "search" | "create" | "update" | "delete";

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
function relatedWords(word: string): ReadonlySet<string> {
  return related.get(word) ?? noWords;
}

const noWords: ReadonlySet<string> = new Set();

/* Finds methods by the words of a question: BM25 over names, documentation and fields. */

/** How much a word counts by where it occurs. */
const weights = {
  name: 5,
  service: 2.5,
  summary: 2.5,
  docs: 0.7,
  request: 1,
  response: 0.6,
  path: 1,
} as const;

type Part = keyof typeof weights;

const parts = Object.keys(weights) as readonly Part[];

/** How fast repetitions of a word stop counting, and how much long texts lose. */
const saturation = 2;
const lengthPenalty = 0.5;

/** A related word counts less than the word itself. */
const relatedWeight = 0.45;

/** How much of the score depends on how many words of the method's own name the question has. */
const coverageWeight = 0.35;

/** How much a method gains if it does what the question asks for. */
const actionWeight = 0.2;

/** Words for actions occur everywhere, so they count less than others. */
const actionWordWeight = 0.5;

export class McpSearch {
  readonly #methods: readonly McpMethod[];
  /** By word: the index of each method with the word, and the weighted count. */
  readonly #postings = new Map<string, Map<number, number>>();
  /** For each method, the words of its own name. */
  readonly #names: readonly (readonly string[])[];
  readonly #actions: readonly (Action | undefined)[];

  constructor(api: McpApi, methods: readonly McpMethod[]) {
    this.#methods = methods;
    const texts = methods.map((method) => textsOf(method, api));
    this.#names = texts.map(({ name }) => [...new Set(name)]);
    this.#actions = this.#names.map((words) => words.map(actionOf).find((action) => action !== undefined));
    for (const part of parts) {
      const total = texts.reduce((sum, words) => sum + words[part].length, 0);
      const average = total / Math.max(1, methods.length) || 1;
      texts.forEach((words, index) => {
        const { length } = words[part];
        const unit = weights[part] / (1 - lengthPenalty + (lengthPenalty * length) / average);
        for (const word of words[part]) {
          const counts = this.#postings.get(word) ?? new Map<number, number>();
          this.#postings.set(word, counts);
          counts.set(index, (counts.get(index) ?? 0) + unit);
        }
      });
    }
  }

  /** Returns the best methods, the best first. Methods with equal scores keep the order of the schema. */
  find(query: string, limit: number): readonly McpMethod[] {
    // `TensorBoard` may be one word in the names of methods, or two.
    const words = [...new Set([...wordsOf(query), ...wordsOf(query.toLowerCase())])];
    const scores = new Map<number, number>();
    const known = new Set<string>();
    for (const word of words) {
      const best = new Map<number, number>();
      for (const [variant, weight] of this.#variantsOf(word)) {
        known.add(variant);
        const counts = this.#postings.get(variant);
        if (counts === undefined) continue;
        const rarity = this.#rarity(counts.size) * (actionOf(word) === undefined ? 1 : actionWordWeight);
        for (const [index, count] of counts) {
          const score = (weight * rarity * count) / (saturation + count);
          if (score > (best.get(index) ?? 0)) best.set(index, score);
        }
      }
      for (const [index, score] of best) scores.set(index, (scores.get(index) ?? 0) + score);
    }
    const wanted = new Set(words.flatMap((word) => actionOf(word) ?? []));
    // A question without a verb asks for something that exists.
    if (wanted.size === 0 && isQuestion(query)) wanted.add("get").add("list");
    const factorOf = (index: number): number => {
      const coverage = 1 - coverageWeight + coverageWeight * this.#coverage(index, known);
      const action = this.#actions[index];
      return coverage * (action !== undefined && wanted.has(action) ? 1 + actionWeight : 1);
    };
    return [...scores]
      .map(([index, score]) => [index, score * factorOf(index)] as const)
      .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
      .slice(0, limit)
      .flatMap(([index]) => this.#methods[index] ?? []);
  }

  *#variantsOf(word: string): Generator<readonly [string, number]> {
    yield [word, 1];
    for (const other of relatedWords(word)) yield [other, relatedWeight];
    if (this.#postings.has(word) || word.length < 5) return;
    // Probably a typo, or another form of a known word.
    for (const other of this.#postings.keys()) if (isSimilar(word, other)) yield [other, relatedWeight];
  }

  #rarity(count: number): number {
    return Math.log(1 + (this.#methods.length - count + 0.5) / (count + 0.5));
  }

  /** Returns how much of a method's own name the words have, from 0 to 1. */
  #coverage(index: number, known: ReadonlySet<string>): number {
    let found = 0;
    let all = 0;
    for (const word of this.#names[index] ?? []) {
      const rarity = this.#rarity(this.#postings.get(word)?.size ?? 0);
      all += rarity;
      if (known.has(word)) found += rarity;
    }
    return all === 0 ? 0 : found / all;
  }
}

/** `which forks are there` and `forks?`, but not `fork a repository`. */
function isQuestion(text: string): boolean {
  return /[?]\s*$|^\s*(?:am|are|can|did|do|does|has|have|how|is|may|was|were|what|when|where|which|who|whom|whose|why)\b/i.test(
    text,
  );
}

function isSimilar(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 3) return false;
  let same = 0;
  while (same < word.length && word[same] === other[same]) same++;
  let last = 0;
  while (last < word.length - same && fromEnd(word, last) === fromEnd(other, last)) last++;
  const longer = Math.max(word.length, other.length);
  return same + last >= longer - 1 || (same >= 5 && same >= longer - 3);
}

function fromEnd(text: string, index: number): string {
  return text.charAt(text.length - 1 - index);
}

function textsOf(method: McpMethod, api: McpApi): Readonly<Record<Part, readonly string[]>> {
  const [service = "", own = ""] = method.name.split(".");
  const { docs = "", path, request, response } = method;
  const summary = firstSentence(docs);
  return {
    name: wordsOf(own),
    service: wordsOf(service),
    summary: wordsOf(summary),
    docs: wordsOf(docs.slice(summary.length)),
    request: fieldWords(request, api),
    response: response === undefined ? ["file"] : [...wordsOf(response), ...fieldWords(response, api)],
    path: method.verb === undefined ? [] : wordsOf(path),
  };
}

function fieldWords(name: string, { types }: McpApi): readonly string[] {
  const type = types[name];
  return type?.kind === "struct" ? type.fields.flatMap((field) => wordsOf(field.name)) : [];
}
