import type { Scope } from "../../language/model/scope.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";
import { type DeclaredEntity, isDeclared, isSame, mentionsIn } from "./names-in-schema.ts";

export interface Reference {
  readonly source: SourceFile;
  readonly span: Span;
  readonly isDeclaration: boolean;
}

/** All mentions of an entity, sorted by file and offset. A file that several schemas share counts once. */
export function referencesTo(entity: DeclaredEntity, scopes: readonly Scope[]): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const scope of scopes) {
    const source = scope.file.source;
    for (const { entity: other, span, isDeclaration } of mentionsIn(scope)) {
      if (isDeclared(other) && isSame(other, entity))
        found.set(`${source.path}\0${span.start}`, { source, span, isDeclaration });
    }
  }
  return [...found.values()].sort(
    (a, b) =>
      (a.source.path < b.source.path ? -1 : a.source.path > b.source.path ? 1 : 0) ||
      a.span.start - b.span.start,
  );
}
