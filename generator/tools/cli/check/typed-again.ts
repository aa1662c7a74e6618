import { commonOptions, kebab } from "../options.ts";
import type { Call } from "../verb.ts";

/** Options that say how something is told, and not what is done. */
const ofTelling: ReadonlySet<string> = new Set(["format", "quiet", "color", "help", "diff", "dryRun"]);

/** A command with the words and options of this one, as a shell takes it: `generate --project web`. */
export function typedAgain(verb: string, { options, words }: Pick<Call, "words" | "options">): string {
  const given = Object.entries(options).filter(([name]) => !ofTelling.has(name));
  const inOrder = given.toSorted(([a], [b]) => Number(a in commonOptions) - Number(b in commonOptions));
  return [verb, ...words.map(quoted), ...inOrder.flatMap(([name, value]) => typed(name, value))].join(" ");
}

function typed(name: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === "boolean") return [`--${value ? "" : "no-"}${kebab(name)}`];
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return [`--${kebab(name)} ${quoted(text)}`];
}

/** `my folder` → `'my folder'`. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
