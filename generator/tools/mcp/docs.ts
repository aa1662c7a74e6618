/** Finds pages and sections of the documentation. */

/** A page of the documentation. */
export interface DocsPage {
  /** `schema-language`. */
  readonly name: string;
  /** Markdown. */
  readonly text: string;
}

/** Longest answer, in characters: about 8,000 tokens. */
const answerMaxLength = 30_000;
const sectionsMax = 5;
/** In characters. Longer sections count less, because a table of all codes has every word. */
const sectionMaxLength = 6_000;

/** Returns the page with the name `query`, the sections that have the words of `query`, or a list of pages if `query` is empty. Cut at `maxLength` characters. */
export function searchDocs(
  pages: readonly DocsPage[],
  query: string,
  maxLength: number = answerMaxLength,
): string {
  const name = query
    .trim()
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase();
  const page = pages.find((one) => one.name === name);
  if (page !== undefined) return bounded(page.text, maxLength);
  if (name === "") return pages.map((one) => `${one.name}: ${titleOf(one.text)}`).join("\n");
  const found = bestSections(pages, wordsOf(query)).slice(0, sectionsMax);
  if (found.length === 0)
    return `No section matches. The pages are: ${pages.map((one) => one.name).join(", ")}.`;
  return bounded(
    found.map(({ page: at, text }) => `<!-- page ${at} -->\n${text.trim()}`).join("\n\n"),
    maxLength,
  );
}

interface Section {
  readonly page: string;
  readonly text: string;
  readonly heading: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/** Rare words count more, and words of headings three times as much. */
function bestSections(pages: readonly DocsPage[], words: readonly string[]): readonly Section[] {
  const sections = pages.flatMap(sectionsOf);
  const rarity = new Map(
    words.map((word) => [
      word,
      Math.log(sections.length / (1 + sections.filter((one) => one.words.has(word)).length)),
    ]),
  );
  const score = ({ text, heading, words: own }: Section): number =>
    words.reduce(
      (sum, word) => sum + (own.has(word) ? 1 : 0) * (heading.has(word) ? 3 : 1) * (rarity.get(word) ?? 0),
      0,
    ) / Math.max(1, text.length / sectionMaxLength);
  return sections
    .map((section) => ({ section, points: score(section) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .map(({ section }) => section);
}

function sectionsOf({ name, text }: DocsPage): readonly Section[] {
  return text.split(/^(?=#{1,3} )/m).map((section) => ({
    page: name,
    text: section,
    heading: new Set(wordsOf(section.split("\n", 1)[0] ?? "")),
    words: new Set(wordsOf(section)),
  }));
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => word.replace(/(?:ing|ed|es|s)$/, ""));
}

function titleOf(text: string): string {
  return /^# (.*)$/m.exec(text)?.[1] ?? "";
}

function bounded(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength)}\n… ${text.length - maxLength} more characters. Search for words to see sections.`;
}
