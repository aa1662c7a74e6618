/** Finds methods, types, fields and errors by their names and by words of their descriptions. */
import { docsOf, type Schema } from "./ir.ts";

export type FoundKind = "method" | "type" | "error" | "field";

export interface Found {
  readonly kind: FoundKind;
  /** `GetOrders`, `Order.price` */
  readonly name: string;
  /** The service of a method, or the type of a field. */
  readonly owner: string;
  /** The first sentence of the description. */
  readonly summary: string;
  /** Number of words that match. */
  readonly matched: number;
}

interface Entry extends Omit<Found, "matched"> {
  /** Words of the name in lower case: `getOrders` has `get` and `orders`. */
  readonly words: readonly string[];
  readonly lowerName: string;
  /** In lower case. */
  readonly text: string;
}

export type SearchIndex = readonly Entry[];

/** Number of results. More do not help: a further letter does. */
const maxResults = 40;

/** `services`: names of the services that the host serves; undefined: all. */
export function indexOf({ ir }: Schema, services: readonly string[] | undefined): SearchIndex {
  const entry = (kind: FoundKind, owner: string, name: string, comments?: readonly string[]): Entry => {
    const docs = docsOf(comments);
    return {
      kind,
      owner,
      name,
      summary: firstSentence(docs),
      words: wordsOf(name),
      lowerName: name.toLowerCase(),
      text: docs.join(" ").toLowerCase(),
    };
  };
  return [
    ...ir.services
      .filter(({ name }) => services?.includes(name) ?? true)
      .flatMap((service) =>
        service.methods.map(({ name, comments }) => entry("method", service.name, name, comments)),
      ),
    ...ir.types.map(({ name, comments }) => entry("type", "", name, comments)),
    ...(ir.errors ?? []).map(({ name, message }) => entry("error", "", name, [message])),
    ...ir.types.flatMap(({ name: owner, fields = [] }) =>
      fields.map(({ name, comments }) => entry("field", owner, name, comments)),
    ),
  ];
}

/**
 * Best first. Words match the name, its owner or the description. Of each kind, returns the entries that match most words: a field that
 * matches all does not hide the methods that match some.
 */
export function search(index: SearchIndex, query: string): readonly Found[] {
  const wanted = query
    .toLowerCase()
    .split(/[\s./]+/)
    .filter((word) => word !== "");
  if (wanted.length === 0) return [];
  const found = index.map((entry) => ({ entry, ...scoreOf(entry, wanted) }));
  const most: Partial<Record<FoundKind, number>> = {};
  for (const { entry, matched } of found) most[entry.kind] = Math.max(most[entry.kind] ?? 1, matched);
  return found
    .filter(({ entry, matched }) => matched === most[entry.kind])
    .sort((a, b) => b.matched - a.matched || b.score - a.score || a.entry.name.length - b.entry.name.length)
    .slice(0, maxResults)
    .map(({ entry, matched }) => ({ ...entry, matched }));
}

/** A method with a word in its name comes before a field of that name. */
const kindScore: Readonly<Record<FoundKind, number>> = { method: 60, type: 25, error: 20, field: 0 };

function scoreOf(
  entry: Entry,
  wanted: readonly string[],
): { readonly matched: number; readonly score: number } {
  const scores = wanted.map((word) => scoreOfWord(entry, word)).filter((score) => score > 0);
  return {
    matched: scores.length,
    score: scores.reduce((sum, score) => sum + score, kindScore[entry.kind]),
  };
}

function scoreOfWord({ lowerName, words, owner, text }: Entry, wanted: string): number {
  if (lowerName === wanted) return 100;
  if (lowerName.startsWith(wanted)) return 80;
  if (words.some((word) => word.startsWith(wanted))) return 60;
  if (lowerName.includes(wanted)) return 40;
  if (owner.toLowerCase().startsWith(wanted)) return 30;
  if (words.some((_, first) => isSpread(wanted, words.slice(first).join("")))) return 20;
  return startsWord(text, wanted) ? 10 : 0;
}

/** Whether the name starts with the first letter and has the others in this order: `gor` in `getorders`. */
function isSpread(letters: string, name: string): boolean {
  if (letters.length < 2 || letters[0] !== name[0]) return false;
  let at = 0;
  for (const letter of letters) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function startsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return true;
  return false;
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}

export function firstSentence([first = ""]: readonly string[]): string {
  return /^.*?[.](?= |$)/.exec(first)?.[0] ?? first;
}
