import { isYaml } from "../load.ts";
import type { Scope } from "../model/scope.ts";
import type { SourceFile } from "../source/source-file.ts";
import type { Span } from "../source/span.ts";
import { completeRidl } from "./complete-ridl.ts";
import { completeYaml } from "./complete-yaml.ts";
import type { Suggestion } from "./suggestion.ts";

export interface CompletionTask {
  /** As it stands in the editor, half typed. */
  readonly source: SourceFile;
  readonly offset: number;
  /** Of that file, as far as it can be read. */
  readonly scope: Scope;
  /** All scopes of the schema. */
  readonly scopes: readonly Scope[];
  readonly list: (folder: string) => readonly string[];
}

export interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** What a suggestion takes the place of. */
  readonly span: Span;
}

/** What may be written at a place. It looks at the text before it, for what is half typed is in no tree. */
export function complete(task: CompletionTask): Completion {
  const { source, offset } = task;
  const lineStart = source.text.lastIndexOf("\n", offset - 1) + 1;
  const before = source.text.slice(lineStart, offset);
  const suggestions = isYaml(source.path) ? completeYaml(task, before) : completeRidl(task, before);
  const start = offset - (/[^\s[\](){}<>:,|"@+=?]*$/.exec(before)?.[0].length ?? 0);
  return { suggestions, span: { start, end: offset } };
}
