import { isYaml } from "../../language/load.ts";
import type { Span } from "../../language/source/span.ts";
import { completeRidl } from "./complete-ridl.ts";
import { completeYaml } from "./complete-yaml.ts";
import type { CompletionRequest } from "./completion-request.ts";
import type { Suggestion } from "./suggestion.ts";

export interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** True if the list was cut: the editor then sends a new request at the next keystroke. */
  readonly isIncomplete: boolean;
  /** The text that an accepted suggestion replaces. */
  readonly span: Span;
}

/** Longer lists are of no use to a reader, and a schema can have thousands of types. */
const suggestionsMax = 200;

/** Returns suggestions for the cursor. Uses the text before the cursor, because half-typed code is in no syntax tree. */
export async function complete(task: CompletionRequest): Promise<Completion> {
  const { source, offset } = task;
  const lineStart = source.text.lastIndexOf("\n", offset - 1) + 1;
  const before = source.text.slice(lineStart, offset);
  const all = isYaml(source.path) ? completeYaml(task, before) : await completeRidl(task, before);
  const typed = /[^\s[\](){}<>:,|"@+=?]*$/.exec(before)?.[0] ?? "";
  const fitting = ranked(all, typed);
  return {
    suggestions: fitting.slice(0, suggestionsMax),
    isIncomplete: fitting.length > suggestionsMax,
    span: { start: offset - typed.length, end: offset },
  };
}

/** Keeps labels that contain the letters in order, as editors do ("gor": GetOrders). Prefix matches come first, then substrings. */
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
