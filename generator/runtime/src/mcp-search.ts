import { declaredType, firstSentence, isSimilar, type McpApi, type McpMethod, typeNames } from "./mcp-api.ts";
import { synonyms } from "./mcp-synonyms.ts";

/* Splits texts into words for the search. */

/** `getUserIDs of 2 repos` → `get`, `user`, `id`, `2`, `repo`: stemmed words without those that occur everywhere. */
export function wordsOf(text: string): readonly string[] {
  return text
    .replace(/['’](?:s|t|re|ve|ll|d|m)?\b/g, "")
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
    "a about again all already also am an and another any anymore anyone anything are aren as at be because been before being but by can cannot " +
    "certain could did didn do does doesn doing don down each ever every everyone everything few for from had has have having he her here him " +
    "his how i if in instead into is isn it its just know let like lot many may me mine more most much must my need needed needs no nobody not now " +
    "of off on once one onto or other our ourselves out over own particular please quite really same see she should single so some " +
    "someone something specified still such tell than that the their them then there these they thing things this those to too two up us use used " +
    "uses using very via want wants was we were what when where whether which who whose why will with without would you your yours given longer"
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

/** What a method does, and English verbs and phrases for it, which fit every API: first those that occur in names. */
const intents: Readonly<Record<Intent, string>> = {
  get: "get fetch read retrieve show view display see inspect obtain describe return check lookup open detail info information,look at,give me",
  list: "list enumerate browse,all,every,each,which,everything",
  search: "search find query lookup",
  count: "count,how many,number of",
  create:
    "create add new register insert generate provision buy bought invite put save store enter upload hire make open,set up,sign up,another,one more,we need",
  update:
    "update change edit modify set patch adjust rename alter replace configure upsert choose fix correct mark put save store move make,from now on,new name,should be,should have,fill in,instead of,has changed,has a new,different",
  delete:
    "delete remove destroy erase drop discard purge clear withdraw cancel trash forget disappear,get rid of,throw away,clean up,kick out,any more,any longer,anymore,no longer,not need,take off,take out,take away,take back,go away,should not,throw out,for good",
  stop: "stop abort halt terminate cancel end kill pause suspend,any more,any longer,no longer,shut down,shut off,turn off,switch off",
  start: "start launch run begin trigger execute resume,turn on,switch on,bring back,bring up,fire up",
  restart: "restart reboot reset",
  restore: "restore recover undelete undo,bring back,get back",
  enable: "enable activate allow grant,turn on,switch on,let me",
  disable:
    "disable deactivate forbid block,any more,any longer,no longer,should not,must not,turn off,switch off",
  attach: "attach connect associate assign link bind join,hook up",
  detach:
    "detach disconnect dissociate unassign unlink unbind release free leave unplug revoke,any more,any longer,no longer,cut off",
  send: "send submit publish deliver post share",
  copy: "copy duplicate clone,second time",
  approve: "approve accept confirm",
  reject: "reject deny decline dismiss refuse",
  batch: "batch bulk multiple,at once,in one go,several,together",
};

type Intent =
  | "get"
  | "list"
  | "search"
  | "count"
  | "create"
  | "update"
  | "delete"
  | "stop"
  | "start"
  | "restart"
  | "restore"
  | "enable"
  | "disable"
  | "attach"
  | "detach"
  | "send"
  | "copy"
  | "approve"
  | "reject"
  | "batch";

const verbs = new Map<string, Intent[]>();
const phrases: (readonly [phrase: RegExp, intent: Intent])[] = [];
for (const [name, text] of Object.entries(intents)) {
  const intent = name as Intent;
  const [words = "", ...longer] = text.split(",");
  for (const word of words.split(" ")) {
    const key = stem(word);
    verbs.set(key, [...(verbs.get(key) ?? []), intent]);
  }
  for (const phrase of longer) phrases.push([phraseOf(phrase.split(" ")), intent]);
}

/** Matches words with up to three others between them. */
function phraseOf(words: readonly string[]): RegExp {
  return new RegExp(`\\b${words.join("\\b(?:\\W+\\w+){0,3}?\\W+")}\\b`, "i");
}

/** Returns what a stemmed word says about the purpose of a method. */
export function intentsOf(word: string): readonly Intent[] {
  return verbs.get(word) ?? [];
}

/** Returns what a query asks for. A query without a verb asks for something that exists. */
function wantedIntents(query: string, words: readonly string[]): ReadonlySet<Intent> {
  const reads = /^\W*how many\b/i.test(query) ? ["count", "list"] : ["get", "list", "search"];
  if (isQuestion(query)) return new Set(reads as Intent[]);
  const wanted = new Set(words.flatMap(intentsOf));
  for (const [phrase, intent] of phrases) if (phrase.test(query)) wanted.add(intent);
  return wanted;
}

/** `which forks are there` and `forks?`, but not `fork a repository` or `how do I fork it?`. */
function isQuestion(text: string): boolean {
  if (
    /^\W*(?:(?:how|where|what)\s+(?:can|do|could|should|would|to)|can|could|may|would|will|please)\b/i.test(
      text,
    )
  )
    return false;
  return /[?]\s*$|^\W*(?:am|are|did|do|does|has|have|how|is|was|were|what|when|where|which|who|whom|whose|why)\b/i.test(
    text,
  );
}

/** By stemmed word: words for the same thing, stemmed. */
const related = new Map<string, ReadonlySet<string>>();
const relatedPhrases: (readonly [phrase: RegExp, related: readonly string[]])[] = [];
for (const group of synonyms) {
  const isPhrase = (word: string): boolean => word.includes("_") || stopWords.has(word);
  const words = group.filter((word) => !isPhrase(word)).map(stem);
  for (const word of words) related.set(word, new Set([...(related.get(word) ?? []), ...words]));
  for (const phrase of group.filter(isPhrase)) relatedPhrases.push([phraseOf(phrase.split("_")), words]);
}

/* Finds methods by the words of a question: BM25 over names, documentation, fields, types and errors. */

/** How much a word counts by where it occurs. */
const weights = {
  name: 5,
  service: 3,
  serviceDocs: 1.5,
  summary: 4,
  docs: 0.7,
  request: 1.5,
  response: 0.6,
  path: 0.7,
  types: 0.1,
  errors: 0.3,
} as const;

type Part = keyof typeof weights;

type Texts = Readonly<Record<Part, readonly string[]>>;

const parts = Object.keys(weights) as readonly Part[];

/** How fast repetitions of a word stop counting, and how much long texts lose. */
const saturation = 1.4;
const lengthPenalty = 0.45;

/** A similar or related word counts less than the word itself. */
const variantWeight = 0.6;

/** Below 1, so that one rare word counts less than several others. */
const rarityPower = 0.5;

/** How much of the score depends on how many words of the names of method and service the query has. */
const coverageWeight = 0.5;

/** How much a method gains if it does what the query asks for, and loses if it does something else. */
const intentGain = 0.3;
const intentLoss = 0.3;

/** Verbs occur everywhere, so they count less than other words. */
const verbWeight = 0.8;

/** A word of the API that a query may mean, how much it counts, and the number of methods that its rarity depends on. */
type Variant = readonly [word: string, weight: number, methods: number];

export class McpSearch {
  readonly #methods: readonly McpMethod[];
  /** By word: the index of each method with the word, and the weighted count. */
  readonly #postings = new Map<string, Map<number, number>>();
  /** For each method, the words of the names of method and service. */
  readonly #names: readonly ReadonlySet<string>[];
  /** What each method does, by its own name. */
  readonly #intents: readonly (readonly Intent[])[];

  constructor(api: McpApi, methods: readonly McpMethod[]) {
    this.#methods = methods;
    const texts = methods.map((method) => textsOf(method, api));
    this.#names = texts.map(({ name, service }) => new Set([...name, ...service]));
    this.#intents = texts.map(({ name }) => [...new Set(name)].slice(0, 2).flatMap(intentsOf));
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

  /** Returns all methods that match, the best first. Methods with equal scores keep the order of the schema. */
  find(query: string): readonly McpMethod[] {
    // `TensorBoard` may be one word in the names of methods, or two.
    const words = [...new Set([...wordsOf(query), ...wordsOf(query.toLowerCase())])];
    const scores = new Map<number, number>();
    const known = new Set<string>();
    const wanted = wantedIntents(query, words);
    const terms = words.map((word) => [intentsOf(word).length > 0, this.#variantsOf(word)] as const);
    for (const [phrase, meant] of relatedPhrases)
      if (phrase.test(query)) terms.push([false, this.#relatedVariants(meant)]);
    for (const [isVerb, variants] of terms) {
      const best = new Map<number, number>();
      for (const [variant, weight, count] of variants) {
        known.add(variant);
        const rarity = this.#rarity(count) * (isVerb ? verbWeight : 1);
        for (const [index, occurrences] of this.#postings.get(variant) ?? []) {
          const score = (weight * rarity * occurrences) / (saturation + occurrences);
          if (score > (best.get(index) ?? 0)) best.set(index, score);
        }
      }
      for (const [index, score] of best) scores.set(index, (scores.get(index) ?? 0) + score);
    }
    const factorOf = (index: number): number => {
      const own = this.#intents[index] ?? [];
      const fits = own.some((intent) => wanted.has(intent));
      const intent = fits ? 1 + intentGain : own.length > 0 && wanted.size > 0 ? 1 - intentLoss : 1;
      const names = this.#names[index] ?? new Set();
      return intent * (1 - coverageWeight + coverageWeight * this.#coverage(names, known, wanted));
    };
    return [...scores]
      .map(([index, score]) => [index, score * factorOf(index)] as const)
      .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
      .flatMap(([index]) => this.#methods[index] ?? []);
  }

  /** Returns the words of a query that match no method, not even by a similar or related word. Omits verbs. */
  unknownWords(query: string): readonly string[] {
    const isKnown = (word: string): boolean =>
      intentsOf(word).length > 0 || this.#variantsOf(word).some(([variant]) => this.#postings.has(variant));
    const texts = new Set(query.split(/[^\p{L}\p{N}'’]+/u));
    return [...texts].filter((text) => wordsOf(text).some((word) => !isKnown(word)));
  }

  /**
   * Whether the name and the summary of a method have fewer than half of the words of a query, or similar or related words.
   * Ignores verbs.
   */
  isWeakMatch(query: string, { name, docs }: McpMethod): boolean {
    const own = new Set(wordsOf(`${name} ${firstSentence(docs)}`));
    const words = [...new Set(wordsOf(query))].filter((word) => intentsOf(word).length === 0);
    const isOwn = (word: string): boolean => this.#variantsOf(word).some(([variant]) => own.has(variant));
    return 2 * words.filter(isOwn).length < words.length;
  }

  /** The words of the names of services and methods without verbs, the most frequent first. */
  get frequentWords(): readonly string[] {
    const counts = new Map<string, { readonly text: string; count: number }>();
    for (const { name } of this.#methods) {
      const texts = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
      for (const [word, text] of new Map(texts.map((one) => [wordsOf(one)[0], one.toLowerCase()]))) {
        if (word === undefined || intentsOf(word).length > 0) continue;
        const counted = counts.get(word) ?? { text, count: 0 };
        counts.set(word, counted);
        counted.count++;
      }
    }
    return [...counts.values()].sort((a, b) => b.count - a.count).map(({ text }) => text);
  }

  #variantsOf(word: string): readonly Variant[] {
    // Probably a typo, or another form of a known word.
    const isUnknown = !this.#postings.has(word) && word.length >= 5;
    const similar = isUnknown ? [...this.#postings.keys()].filter((other) => isSimilar(word, other)) : [];
    return [
      [word, 1, this.#count(word)],
      ...similar.map((other): Variant => [other, variantWeight, this.#count(other)]),
      ...this.#relatedVariants([...(related.get(word) ?? [])]),
    ];
  }

  /** A word for something frequent is less rare than it seems. */
  #relatedVariants(words: readonly string[]): readonly Variant[] {
    const most = Math.max(0, ...words.map((word) => this.#count(word)));
    return words.map((word) => [word, variantWeight, (this.#count(word) + most) / 2]);
  }

  /** Returns the number of methods with a word. */
  #count(word: string): number {
    return this.#postings.get(word)?.size ?? 0;
  }

  #rarity(count: number): number {
    return Math.log(1 + (this.#methods.length - count + 0.5) / (count + 0.5)) ** rarityPower;
  }

  /** Returns how much of the names of method and service the query has, from 0 to 1. */
  #coverage(names: ReadonlySet<string>, known: ReadonlySet<string>, wanted: ReadonlySet<Intent>): number {
    let found = 0;
    let all = 0;
    for (const word of names) {
      const rarity = this.#rarity(this.#count(word));
      all += rarity;
      if (known.has(word) || intentsOf(word).some((intent) => wanted.has(intent))) found += rarity;
    }
    return all === 0 ? 0 : found / all;
  }
}

function textsOf(method: McpMethod, api: McpApi): Texts {
  const [service = "", own = ""] = method.name.split(".");
  const { docs = "", path, request, response, errors = [] } = method;
  const summary = firstSentence(docs);
  return {
    name: wordsOf(own),
    service: wordsOf(service),
    serviceDocs: wordsOf(api.services?.[service] ?? ""),
    summary: wordsOf(summary),
    docs: wordsOf(docs.slice(summary.length)),
    request: fieldWords(request, api),
    response: response === undefined ? ["file"] : [...wordsOf(response), ...fieldWords(response, api)],
    path: method.verb === undefined ? [] : wordsOf(path),
    types: typeWords(method, api),
    errors: errors.flatMap((name) => [...wordsOf(name), ...wordsOf(api.errors[name]?.message ?? "")]),
  };
}

function fieldWords(name: string, api: McpApi): readonly string[] {
  const type = declaredType(api, name);
  return type?.kind === "struct" ? type.fields.flatMap((field) => wordsOf(field.name)) : [];
}

/** How deep types are indexed below requests and responses. */
const levelsMax = 3;

/** The words of the types of a method: their names and documentation, and those of their fields and values. */
function typeWords({ request, response }: McpMethod, api: McpApi): readonly string[] {
  const roots = [request, ...(response === undefined ? [] : [response])];
  const levels = new Map(roots.map((name) => [name, 0]));
  const words: string[] = [];
  for (const [name, level] of levels) {
    const type = declaredType(api, name);
    if (type === undefined) continue;
    words.push(...wordsOf(type.docs ?? ""));
    if (level > 0) words.push(...wordsOf(name));
    if (type.kind === "enum")
      for (const [text, docs = ""] of type.values) words.push(...wordsOf(text), ...wordsOf(docs));
    const fields = type.kind === "struct" ? type.fields : [];
    for (const { name: field, docs = "" } of fields) {
      if (level > 0) words.push(...wordsOf(field));
      words.push(...wordsOf(docs));
    }
    if (level === levelsMax) continue;
    const used =
      type.kind === "alias" ? typeNames(type.type) : fields.flatMap((field) => typeNames(field.type));
    for (const one of used) if (!levels.has(one)) levels.set(one, level + 1);
  }
  return words;
}
