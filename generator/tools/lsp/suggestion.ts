import type { Fix } from "../../language/diagnostics/diagnostic.ts";
import { coreTypeNames, integers } from "../../language/model/core-types.ts";
import { suggestImport } from "../../language/model/missing-names.ts";
import type { Scope } from "../../language/model/scope.ts";
import { fileType } from "../../language/model/types.ts";
import type { Declaration } from "../../language/syntax/tree.ts";
import { coreForm } from "./hover.ts";

/** A completion. */
export interface Suggestion {
  readonly label: string;
  readonly kind:
    | "keyword"
    | "key"
    | "core"
    | "struct"
    | "enum"
    | "alias"
    | "error"
    | "value"
    | "file"
    | "annotation";
  /** A short description next to the label. */
  readonly detail?: string;
  readonly docs?: string;
  /** The inserted text. Default: the label. `$1` and `$0` are tab stops. */
  readonly snippet?: string;
  /** An additional edit: the import of a name from another file. */
  readonly fix?: Fix;
}

export function keyword(label: string, detail: string, snippet?: string): Suggestion {
  return { label, kind: "keyword", detail, ...(snippet === undefined ? {} : { snippet }) };
}

/** Suggests all types. A type from a file that is not imported has an edit that imports it. */
export function typeSuggestions(scope: Scope, withFile: boolean): readonly Suggestion[] {
  const core = [...coreTypeNames, ...(withFile ? ([fileType] as const) : [])].map(
    (name): Suggestion => ({ label: name, kind: "core", docs: coreForm(name) }),
  );
  return [...core, keyword("map", "map<K,V>", "map<${1:string},$2>"), ...declaredTypes(scope)];
}

function declaredTypes(scope: Scope, isWanted: (node: Declaration) => boolean = () => true): Suggestion[] {
  const seen = new Set<string>();
  const found: Suggestion[] = [];
  for (const { node, file } of scope.types) {
    if (seen.has(node.name.text) || !isWanted(node)) continue;
    seen.add(node.name.text);
    found.push({
      label: node.name.text,
      kind: node.kind,
      detail: node.kind,
      ...fileDocs(file.source.path, scope),
    });
  }
  return [...found, ...unimportedSuggestions(scope, seen, (node) => isType(node) && isWanted(node))];
}

/** Suggests key types of maps: string, integers and enums. */
export function keyTypes(scope: Scope): readonly Suggestion[] {
  return [...enumBases(), ...declaredTypes(scope, ({ kind }) => kind === "enum")];
}

export function structSuggestions(scope: Scope): readonly Suggestion[] {
  return declaredTypes(scope, ({ kind }) => kind === "struct");
}

export function enumBases(): readonly Suggestion[] {
  return ["string", ...Object.keys(integers)].map((label) => ({ label, kind: "core" }));
}

export function errorSuggestions(scope: Scope, without: readonly string[]): readonly Suggestion[] {
  const seen = new Set(without);
  const own = scope.errors.flatMap(({ node }): Suggestion[] => {
    const { name, code, message, httpStatus } = node;
    if (seen.has(name.text)) return [];
    seen.add(name.text);
    return [
      {
        label: name.text,
        kind: "error",
        detail: `${code.text}, HTTP ${httpStatus?.text ?? "400"}`,
        docs: message.value,
      },
    ];
  });
  return [...own, ...unimportedSuggestions(scope, seen, ({ kind }) => kind === "error")];
}

/** Maximum number of suggested names from files that are not imported. */
const maxUnimported = 500;

function unimportedSuggestions(
  scope: Scope,
  seen: Set<string>,
  isWanted: (node: Declaration) => boolean,
): Suggestion[] {
  const found: Suggestion[] = [];
  for (const file of scope.allFiles()) {
    if (file === scope.file || scope.importsFile(file, scope.file)) continue;
    for (const node of file.declarations) {
      if (node.kind === "service" || !isWanted(node) || seen.has(node.name.text)) continue;
      if (found.length === maxUnimported) return found;
      seen.add(node.name.text);
      const { kind } = node;
      const fix = suggestImport(node.name.text, scope)?.suggestion;
      if (fix !== undefined)
        found.push({ label: node.name.text, kind, detail: `${kind}, ${fix.title}`, fix });
    }
  }
  return found;
}

function isType({ kind }: Declaration): boolean {
  return kind === "struct" || kind === "enum" || kind === "alias";
}

function fileDocs(path: string, scope: Scope): { readonly docs?: string } {
  return path === scope.file.source.path ? {} : { docs: path.slice(path.lastIndexOf("/") + 1) };
}
