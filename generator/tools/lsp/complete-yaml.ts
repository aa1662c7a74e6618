import { acceptedForms, metaKeys } from "../../language/model/meta/keys.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import {
  enumKeys,
  errorKeys,
  fileKeys,
  methodKeys,
  serviceKeys,
  structKeys,
  typedKeys,
} from "../../language/yaml/keys.ts";
import type { CompletionRequest } from "./completion-request.ts";
import { metaKeyDocs } from "./meta-key-docs.ts";
import {
  enumBases,
  errorSuggestions,
  type Suggestion,
  structSuggestions,
  typeSuggestions,
} from "./suggestion.ts";

const noSuggestions: readonly Suggestion[] = [];

/**
 * Suggests completions at the cursor. In block style, suggests keys and values; inside `{ }`, only types and errors. `before` is the text
 * of the line up to the cursor.
 */
export function completeYaml(task: CompletionRequest, before: string): readonly Suggestion[] {
  if (/^\s*#|\s#/.test(before)) return noSuggestions;
  const path = pathAbove(task.source, task.offset, before);
  const key = /^\s*(- )?([^:\s]+):\s+(.*)$/.exec(before);
  if (key === null) return /^\s*[\w.]*$/.test(before) ? keysAt(path) : valueAt(path, task, before);
  return valueAt([...path, key[2] as string], task, key[3] as string);
}

/** The keys that contain the line, outermost first. */
function pathAbove({ text }: SourceFile, offset: number, before: string): readonly string[] {
  const path: string[] = [];
  let indent = /^ */.exec(before)?.[0].length ?? 0;
  let end = text.lastIndexOf("\n", offset - 1);
  while (end > 0 && indent > 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const [, spaces = "", key] = /^( *)(?:- )?([^\s#:][^:#]*?):(?:\s|$)/.exec(text.slice(start, end)) ?? [];
    if (key !== undefined && spaces.length < indent) {
      path.unshift(key);
      indent = spaces.length;
    }
    end = start - 1;
  }
  return path;
}

function keysAt(path: readonly string[]): readonly Suggestion[] {
  const [top, , third, , fifth] = path;
  if (path.length === 0) return keysOf(fileKeys);
  if (top === "types" && path.length === 2)
    return [...keysOf({ ...structKeys, ...enumKeys, ...typedKeys }), ...metaKeySuggestions()];
  if (top === "types" && third === "fields" && path.length === 4)
    return [...keysOf(typedKeys), ...metaKeySuggestions()];
  if (top === "errors" && path.length === 2) return keysOf(errorKeys);
  if (top === "services" && path.length === 2) return keysOf(serviceKeys);
  if (top === "services" && third === "methods" && path.length === 4 && fifth === undefined)
    return keysOf(methodKeys);
  return noSuggestions;
}

function keysOf(table: Readonly<Record<string, string>>): Suggestion[] {
  return Object.entries(table).map(([label, docs]) => ({ label, kind: "key", docs, snippet: `${label}: ` }));
}

function metaKeySuggestions(): Suggestion[] {
  return Object.keys(metaKeys).map((label) => ({
    label,
    kind: "key",
    docs: metaKeyDocs[label as keyof typeof metaKeyDocs],
    snippet: `${label}: `,
  }));
}

function valueAt(
  path: readonly string[],
  { scope }: CompletionRequest,
  typed: string,
): readonly Suggestion[] {
  const last = path.at(-1) ?? "";
  const [top, , third] = path;
  if (last === "enum") return enumBases();
  if (last === "errors" && top === "services")
    return errorSuggestions(scope, typed.split(/[\s,[\]]+/).slice(0, -1));
  if ((last === "input" || last === "output") && !typed.includes("{")) return structSuggestions(scope);
  if (last === "stream") return ["output", "input", "both"].map((label) => ({ label, kind: "value" }));
  if (last === "accepts") return acceptedForms.map((label) => ({ label, kind: "value" }));
  if (["secret", "pii", "default.empty", "proxy"].includes(last)) return [{ label: "true", kind: "value" }];
  if (last === "normalize") return [{ label: "lowercase", kind: "value" }];
  if (last === "nullable") return ["read", "always"].map((label) => ({ label, kind: "value" }));
  const isField = third === "fields" && path.length === 4;
  const isAlias = top === "types" && path.length === 2;
  const isArgument = top === "services" && (path[4] === "input" || path[4] === "output");
  if (last === "type" || isField || isAlias || isArgument)
    return /[^\w\]<>,\s]\s*\w*$/.test(typed) && !typed.includes("{")
      ? noSuggestions
      : typeSuggestions(scope, isArgument || isField);
  return noSuggestions;
}
