import { isYaml } from "../../language/load.ts";
import type { Span } from "../../language/source/span.ts";
import { completeRidl } from "./complete-ridl.ts";
import { completeYaml } from "./complete-yaml.ts";
import type { CompletionRequest } from "./completion-request.ts";
import type { Suggestion } from "./suggestion.ts";

export interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** Whether suggestions were cut off, so that the editor requests them again after the next key. */
  readonly isIncomplete: boolean;
  /** The text that a suggestion replaces. */
  readonly span: Span;
}

/** Maximum number of suggestions. A schema may have thousands of types. */
const suggestionsMax = 200;

/** Computes completions from the text before the cursor, because half-typed code is not in the syntax tree. */
export async function complete(task: CompletionRequest): Promise<Completion> {
  const { source, offset } = task;
  const lineStart = source.text.lastIndexOf("\n", offset - 1) + 1;
  const before = source.text.slice(lineStart, offset);
  const all = isYaml(source.path) ? completeYaml(task, before) : await completeRidl(task, before);
  const typed = /[^\s[\](){}<>:,|"@+=?]*$/.exec(before)?.[0] ?? "";
  const matches = ranked(all, typed);
  return {
    suggestions: matches.slice(0, suggestionsMax),
    isIncomplete: matches.length > suggestionsMax,
    span: { start: offset - typed.length, end: offset },
  };
}

/** Keeps suggestions that contain the typed letters in order, as editors do ("gor" matches GetOrders). Prefix matches come first. */
function ranked(suggestions: readonly Suggestion[], typed: string): readonly Suggestion[] {
  const letters = typed.toLowerCase();
  if (letters === "") return suggestions;
  const ranks: readonly Suggestion[][] = [[], [], []];
  for (const suggestion of suggestions) {
    const label = suggestion.label.toLowerCase();
    const at = label.indexOf(letters);
    if (at === 0) ranks[0]?.push(suggestion);
    else if (at > 0) ranks[1]?.push(suggestion);
    else if (hasLetters(label, letters)) ranks[2]?.push(suggestion);
  }
  return ranks.flat();
}

function hasLetters(label: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = label.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
