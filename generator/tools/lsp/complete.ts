import { posix } from "node:path";
import type { Fix } from "../../language/diagnostics/diagnostic.ts";
import { isYaml } from "../../language/load.ts";
import { knownAnnotations } from "../../language/model/annotations.ts";
import { possibleConditions } from "../../language/model/conditions.ts";
import { coreTypeNames, integers } from "../../language/model/core-types.ts";
import { groupLine } from "../../language/model/groups.ts";
import { acceptedForms, knownFormats, metaKeys } from "../../language/model/meta/keys.ts";
import { shapeOf, structOf } from "../../language/model/meta/read.ts";
import { suggestImport } from "../../language/model/missing-names.ts";
import type { Scope } from "../../language/model/scope.ts";
import { fileType } from "../../language/model/types.ts";
import type { SourceFile } from "../../language/source/source-file.ts";
import type { Span } from "../../language/source/span.ts";
import { routeVerbs } from "../../language/syntax/route-verbs.ts";
import type { Declaration, EnumNode, FieldNode, MetaNode, TypeNode } from "../../language/syntax/tree.ts";
import {
  enumKeys,
  errorKeys,
  fileKeys,
  methodKeys,
  serviceKeys,
  structKeys,
  typedKeys,
} from "../../language/yaml/keys.ts";
import { coreForm } from "./hover.ts";
import { metaKeyDocs } from "./meta-key-docs.ts";

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

/** A request for completions. */
export interface CompletionRequest {
  /** The current text in the editor. */
  readonly source: SourceFile;
  readonly offset: number;
  /** The scope of the file when it was last parsed, a few keystrokes ago. */
  readonly scope: Scope;
  /** All scopes of the schema at that time. */
  readonly scopes: readonly Scope[];
  /** Parses the current text, for completions that need exact positions. */
  readonly currentScope: () => Promise<Scope | undefined>;
  readonly list: (folder: string) => readonly string[];
}

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

const noSuggestions: readonly Suggestion[] = [];

/** Suggests completions at the cursor. `before` is the text of the line up to the cursor. */
async function completeRidl(task: CompletionRequest, before: string): Promise<readonly Suggestion[]> {
  if (/^\s*#|\s#(?!.*")/.test(before)) return noSuggestions;
  const block = blockAbove(task);
  if (/^\s*\w*$/.test(before))
    return block === "service" && /^\s/.test(before)
      ? [...routeLines(task), ...startOfLine(task)]
      : startOfLine(task);
  if (/^\s*import\s/.test(before) || (block === "import" && /^\s*-/.test(before)))
    return importSuggestions(task, before);
  if (/^\s*enum\s+\S+\s*:\s*\w*$/.test(before)) return enumBases();
  if (/^\s*type\s+\S+\s*:/.test(before)) return typesAfter(before, task.scope, false);
  if (/^\s*error\s/.test(before)) return errorLine(task, before);
  if (/^\s*\+/.test(before)) return metaLine(task, before);
  if (/^\s*(@\w*(:("[^"]*"|\S+))?\s+)*@\w*$/.test(before)) return annotations(task);
  if (block === "struct" && /^\s*-\s*\S+?\??\s*:/.test(before)) return typesAfter(before, task.scope, true);
  return block === "service" && /^\s*-/.test(before) ? methodLine(task, before) : noSuggestions;
}

/** The keyword of the block that contains the cursor. */
function blockAbove({ source: { text }, offset }: CompletionRequest): string | undefined {
  let end = text.lastIndexOf("\n", offset - 1);
  while (end > 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const word = /^\s*(import|struct|enum|type|error|service|webrpc|name|version|basepath)\b/.exec(
      text.slice(start, end),
    )?.[1];
    if (word !== undefined) return word;
    end = start - 1;
  }
  return undefined;
}

/** Suggests the path of a service above its methods, and the verbs of routes below them. */
function routeLines({ source: { text }, offset }: CompletionRequest): readonly Suggestion[] {
  const above = text.slice(text.lastIndexOf("\nservice", offset) + 1, offset);
  if (!/\n[ \t]*-/.test(above)) return [keyword("path", "prefix of all routes", "path = /$1")];
  return routeVerbs.map((verb) => keyword(verb, "route of the method above", `${verb} /$1`));
}

function startOfLine({ scope }: CompletionRequest): readonly Suggestion[] {
  const given = new Set(scope.file.headers.map(({ key }) => key));
  const headers = [
    keyword("webrpc", "version of the schema language", "webrpc = v1"),
    keyword("name", "name of the schema", "name = $1"),
    keyword("version", "version of the schema", "version = v${1:0.1.0}"),
    keyword("basepath", "path prefix of all methods", "basepath = ${1:/rpc}"),
  ].filter(({ label }) => !given.has(label as "name"));
  return [
    ...headers,
    keyword("import", "use declarations of other files", "import ${1:./types.ridl}"),
    keyword("struct", "an object", "struct ${1:Name}\n  - ${2:id}: ${3:string}"),
    keyword("enum", "a set of named values", "enum ${1:Kind}: ${2:string}\n  - ${3:first}"),
    keyword("type", "an alias of a type", "type ${1:Name}: ${2:string}"),
    keyword(
      "error",
      "an error that methods can return",
      `error ${nextCode(scope)} \${1:NotFound} "\${2:Not found}" HTTP \${3:404}`,
    ),
    keyword("service", "a group of methods", "service ${1:Name}\n  - ${2:Method}() => ($3)"),
  ];
}

function nextCode({ errors }: Scope): number {
  return errors.reduce((highest, { node }) => Math.max(highest, Number(node.code.text) || 0), 0) + 1;
}

function errorLine({ scope }: CompletionRequest, before: string): readonly Suggestion[] {
  if (/^\s*error\s+\d*$/.test(before))
    return [{ label: String(nextCode(scope)), kind: "value", detail: "next free code" }];
  if (/HTTP\s+\d*$/.test(before))
    return statuses.map(([label, detail]) => ({ label, kind: "value", detail }));
  return /"\s+\w*$/.test(before)
    ? [keyword("HTTP", "HTTP status of the response", "HTTP ${1:400}")]
    : noSuggestions;
}

const statuses = [
  ["400", "bad request"],
  ["401", "unauthorized"],
  ["403", "forbidden"],
  ["404", "not found"],
  ["409", "conflict"],
  ["410", "gone"],
  ["422", "unprocessable content"],
  ["429", "too many requests"],
  ["500", "internal server error"],
  ["502", "bad gateway"],
  ["503", "service unavailable"],
  ["504", "gateway timeout"],
] as const;

/** Suggests types after the colon of a field, an argument or an alias. */
function typesAfter(before: string, scope: Scope, withFile: boolean): readonly Suggestion[] {
  if (/map\s*<\s*\w*$/.test(before)) return keyTypes(scope);
  return /[:\],<]\s*\w*$/.test(before) ? typeSuggestions(scope, withFile) : noSuggestions;
}

function methodLine({ scope }: CompletionRequest, before: string): readonly Suggestion[] {
  const errors = /\serrors\s+(.*)$/.exec(before)?.[1];
  if (errors !== undefined) return errorSuggestions(scope, errors.split(/[\s|]+/).slice(0, -1));
  const open = before.lastIndexOf("(");
  if (open > before.lastIndexOf(")")) {
    const inside = before.slice(open + 1);
    if (/^\s*\w*$/.test(inside)) return structSuggestions(scope);
    return /:[^:]*$/.test(inside) ? typesAfter(before, scope, true) : noSuggestions;
  }
  if (/^\s*-\s*\w*$/.test(before))
    return [
      keyword("stream", "the client sends a stream", "stream $1"),
      keyword("proxy", "forward the request unchanged", "proxy $1"),
    ];
  if (/=>\s*\w*$/.test(before))
    return [
      keyword("stream", "the server sends a stream", "stream ($1)"),
      keyword("(…)", "the response", "($1)"),
    ];
  if (!/\)\s*\w*$/.test(before)) return noSuggestions;
  const clause = keyword("errors", "errors that the handler can return", "errors $1");
  return before.includes("=>") ? [clause] : [keyword("=>", "the response", "=> ($1)"), clause];
}

/** Suggests annotations that ridlkit knows, and those that the schema uses. */
function annotations({ scopes }: CompletionRequest): readonly Suggestion[] {
  const known = new Map<string, Suggestion>();
  const add = (label: string, detail: string, snippet = label): void =>
    void known.set(label, { label, kind: "annotation", detail, snippet });
  for (const { name, meaning, hasValue } of knownAnnotations)
    add(name, meaning, hasValue ? `${name}:"$1"` : name);
  for (const { file } of scopes)
    for (const node of file.declarations)
      if (node.kind === "service")
        for (const { annotations: list } of node.methods)
          for (const { name, value } of list)
            if (!known.has(name.text))
              add(name.text, "used in this schema", value === undefined ? name.text : `${name.text}:$1`);
  return [...known.values()];
}

async function metaLine(task: CompletionRequest, before: string): Promise<readonly Suggestion[]> {
  if (blockAbove(task) === "enum") {
    const docs = metaKeyDocs.json;
    return /^\s*\+\s*\w*$/.test(before)
      ? [{ label: "json", kind: "key", docs, snippet: "json = $0" }]
      : noSuggestions;
  }
  const target = metaTargetAt((await task.currentScope()) ?? task.scope, task.offset);
  const given = /^\s*\+\s*([\w.]+)\s*=\s*[^\s]*$/.exec(before)?.[1];
  if (given !== undefined) return metaValues(given, target, task.scope);
  if (!/^\s*\+\s*[\w.]*$/.test(before)) return noSuggestions;
  const present = new Set(target?.meta.map(({ key }) => key.text));
  const shape = target === undefined ? undefined : shapeOf(target.type, task.scope);
  return Object.entries(metaKeys).flatMap(
    ([label, { shapes, fieldOnly, aliasOnly, repeatable }]): Suggestion[] => {
      if (shapes !== undefined && shape !== undefined && !shapes.includes(shape)) return [];
      if (fieldOnly === true && target?.kind === "alias") return [];
      if (aliasOnly === true && target?.kind === "field") return [];
      if (repeatable !== true && present.has(label)) return [];
      return [
        {
          label,
          kind: "key",
          docs: metaKeyDocs[label as keyof typeof metaKeyDocs],
          snippet: `${label} = $0`,
        },
      ];
    },
  );
}

interface MetaTarget {
  readonly kind: "field" | "alias";
  readonly type: TypeNode;
  readonly meta: readonly MetaNode[];
  /** The fields of its struct. */
  readonly siblings?: readonly FieldNode[];
}

/** The field or alias that a meta line belongs to: the last one that starts before the cursor. */
function metaTargetAt({ file }: Scope, offset: number): MetaTarget | undefined {
  let found: (MetaTarget & { readonly span: { readonly start: number } }) | undefined;
  for (const node of file.declarations) {
    if (node.span.start > offset) break;
    if (node.kind === "alias") found = node;
    else if (node.kind === "struct")
      for (const field of node.fields)
        if (field.span.start < offset) found = { ...field, siblings: node.fields };
  }
  return found;
}

function metaValues(key: string, target: MetaTarget | undefined, scope: Scope): readonly Suggestion[] {
  const values = (...labels: readonly string[]): Suggestion[] =>
    labels.map((label) => ({ label, kind: "value" }));
  switch (key) {
    case "omit":
    case "pick":
      return values(...fieldsToName(target, scope));
    case "partial":
    case "secret":
    case "pii":
    case "default.empty":
    case "deprecated":
      return values("true");
    case "normalize":
      return values("lowercase");
    case "format":
      return values(...knownFormats);
    case "nullable":
      return values("read", "always");
    case "accepts":
      return values(...acceptedForms);
    case "default":
      return target === undefined ? noSuggestions : values(...defaultsOf(target.type, scope));
    case "oneOf":
      return values(...groupNames(target?.siblings ?? []));
    case "when":
      return values(...possibleConditions(target?.siblings ?? [], scope));
    case "errorData":
      return errorSuggestions(scope, []);
    default:
      return noSuggestions;
  }
}

/** The fields of the struct behind an alias that no line names. */
function fieldsToName(target: MetaTarget | undefined, scope: Scope): readonly string[] {
  const struct = target && structOf(target.type, scope);
  const named = new Set(target?.meta.map(({ value }) => value.value));
  return struct?.fields.map(({ name }) => name.text).filter((name) => !named.has(name)) ?? [];
}

function groupNames(fields: readonly FieldNode[]): ReadonlySet<string> {
  return new Set(fields.flatMap((field) => groupLine(field)?.value.value ?? []));
}

function defaultsOf(type: TypeNode, scope: Scope): readonly string[] {
  if (type.kind !== "named") return [];
  if (type.name === "bool") return ["true", "false"];
  const node = scope.typeByName.get(type.name)?.node;
  return node?.kind === "enum" ? enumNames(node) : [];
}

function enumNames({ values }: EnumNode): readonly string[] {
  return values.map(({ name }) => name.text);
}

/** Suggests files next to this one, or, in the list of an import, the names in that file. */
function importSuggestions(task: CompletionRequest, before: string): readonly Suggestion[] {
  const { scope, source, offset } = task;
  const enclosing = [...scope.imports].reverse().find(({ node }) => node.path.span.end < offset);
  if (/^\s*-/.test(before) && enclosing !== undefined && enclosing.node.listKeywordSpan === undefined) {
    const given = new Set(enclosing.node.members.map(({ value }) => value));
    return [
      ...enclosing.scope.types.map(({ node }): Suggestion => ({ label: node.name.text, kind: node.kind })),
      ...enclosing.scope.errors.map(({ node }): Suggestion => ({ label: node.name.text, kind: "error" })),
    ].filter(({ label }) => !given.has(label));
  }
  const typed = /[^\s"-]\S*$|$/.exec(before.replace(/^\s*(import|-)\s*/, ""))?.[0].replace(/^"/, "") ?? "";
  const folder = posix.join(posix.dirname(source.path), posix.dirname(`${typed}x`));
  const typedFolder = typed.slice(0, typed.lastIndexOf("/") + 1);
  return task.list(folder).flatMap((name): Suggestion[] => {
    if (posix.join(folder, name) === source.path || name.startsWith(".")) return [];
    if (/[.](ridl|ya?ml)$/.test(name)) return [{ label: typedFolder + name, kind: "file" }];
    return name.includes(".") || name === "node_modules"
      ? []
      : [{ label: `${typedFolder + name}/`, kind: "file" }];
  });
}

/**
 * Suggests completions at the cursor. In block style, suggests keys and values; inside `{ }`, only types and errors. `before` is the text
 * of the line up to the cursor.
 */
function completeYaml(task: CompletionRequest, before: string): readonly Suggestion[] {
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
  if (last === "errorData") return errorSuggestions(scope, []);
  if (last === "errors" && top === "services")
    return errorSuggestions(scope, typed.split(/[\s,[\]]+/).slice(0, -1));
  if ((last === "input" || last === "output") && !typed.includes("{")) return structSuggestions(scope);
  if (last === "stream") return ["output", "input", "both"].map((label) => ({ label, kind: "value" }));
  if (last === "accepts") return acceptedForms.map((label) => ({ label, kind: "value" }));
  if (["secret", "pii", "default.empty", "proxy"].includes(last)) return [{ label: "true", kind: "value" }];
  if (last === "format") return knownFormats.map((label) => ({ label, kind: "value" }));
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

function keyword(label: string, detail: string, snippet?: string): Suggestion {
  return { label, kind: "keyword", detail, ...(snippet === undefined ? {} : { snippet }) };
}

/** Suggests all types. A type from a file that is not imported has an edit that imports it. */
function typeSuggestions(scope: Scope, withFile: boolean): readonly Suggestion[] {
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
function keyTypes(scope: Scope): readonly Suggestion[] {
  return [...enumBases(), ...declaredTypes(scope, ({ kind }) => kind === "enum")];
}

function structSuggestions(scope: Scope): readonly Suggestion[] {
  return declaredTypes(scope, ({ kind }) => kind === "struct");
}

function enumBases(): readonly Suggestion[] {
  return ["string", ...Object.keys(integers)].map((label) => ({ label, kind: "core" }));
}

function errorSuggestions(scope: Scope, without: readonly string[]): readonly Suggestion[] {
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
