import { posix } from "node:path";
import { noErrorsName } from "../../language/model/listed-errors.ts";
import { acceptedForms, metaKeys } from "../../language/model/meta/keys.ts";
import { shapeOf } from "../../language/model/meta/shape.ts";
import type { Scope } from "../../language/model/scope.ts";
import type { EnumNode, MetaNode, TypeNode } from "../../language/syntax/tree.ts";
import type { CompletionRequest } from "./completion-request.ts";
import { metaKeyDocs } from "./meta-key-docs.ts";
import {
  enumBases,
  errorSuggestions,
  keyTypes,
  keyword,
  type Suggestion,
  structSuggestions,
  typeSuggestions,
} from "./suggestion.ts";

const nothing: readonly Suggestion[] = [];

/** Suggestions for the cursor position. `before` is the text of its line up to the cursor. */
export async function completeRidl(task: CompletionRequest, before: string): Promise<readonly Suggestion[]> {
  if (/^\s*#|\s#(?!.*")/.test(before)) return nothing;
  if (/^\s*\w*$/.test(before)) return startOfLine(task);
  const block = blockAbove(task);
  if (/^\s*import\s/.test(before) || (block === "import" && /^\s*-/.test(before)))
    return importSuggestions(task, before);
  if (/^\s*enum\s+\S+\s*:\s*\w*$/.test(before)) return enumBases();
  if (/^\s*type\s+\S+\s*:/.test(before)) return typesAfter(before, task.scope, false);
  if (/^\s*error\s/.test(before)) return errorLine(task, before);
  if (/^\s*\+/.test(before)) return metaLine(task, before);
  if (/^\s*(@\w*(:("[^"]*"|\S+))?\s+)*@\w*$/.test(before)) return annotations(task);
  if (block === "struct" && /^\s*-\s*\S+?\??\s*:/.test(before)) return typesAfter(before, task.scope, false);
  return block === "service" && /^\s*-/.test(before) ? methodLine(task, before) : nothing;
}

/** The keyword of the declaration that contains the line. */
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

function startOfLine({ scope }: CompletionRequest): readonly Suggestion[] {
  const given = new Set(scope.file.headers.map(({ key }) => key));
  const headers = [
    keyword("webrpc", "the version of the language", "webrpc = v1"),
    keyword("name", "of the schema", "name = $1"),
    keyword("version", "of the schema", "version = v${1:0.1.0}"),
    keyword("basepath", "that all methods lie under", "basepath = ${1:/rpc}"),
  ].filter(({ label }) => !given.has(label as "name"));
  return [
    ...headers,
    keyword("import", "files that this one builds on", "import ${1:./types.ridl}"),
    keyword("struct", "an object", "struct ${1:Name}\n  - ${2:id}: ${3:string}"),
    keyword("enum", "one of several names", "enum ${1:Kind}: ${2:string}\n  - ${3:first}"),
    keyword("type", "another name of a type", "type ${1:Name}: ${2:string}"),
    keyword(
      "error",
      "that methods can raise",
      `error ${nextCode(scope)} \${1:NotFound} "\${2:Not found}" HTTP \${3:404}`,
    ),
    keyword("service", "methods that belong together", "service ${1:Name}\n  - ${2:Method}() => ($3)"),
  ];
}

function nextCode({ errors }: Scope): number {
  return errors.reduce((highest, { node }) => Math.max(highest, Number(node.code.text) || 0), 0) + 1;
}

function errorLine({ scope }: CompletionRequest, before: string): readonly Suggestion[] {
  if (/^\s*error\s+\d*$/.test(before))
    return [{ label: String(nextCode(scope)), kind: "value", detail: "the next code that is free" }];
  if (/HTTP\s+\d*$/.test(before))
    return statuses.map(([label, detail]) => ({ label, kind: "value", detail }));
  return /"\s+\w*$/.test(before) ? [keyword("HTTP", "the status of the answer", "HTTP ${1:400}")] : nothing;
}

const statuses = [
  ["400", "bad request"],
  ["401", "who are you?"],
  ["403", "not allowed"],
  ["404", "not found"],
  ["409", "conflict"],
  ["410", "gone"],
  ["422", "not as asked for"],
  ["429", "too many"],
  ["500", "our fault"],
  ["502", "somebody else's fault"],
  ["503", "not now"],
  ["504", "somebody else is late"],
] as const;

function typesAfter(before: string, scope: Scope, withFile: boolean): readonly Suggestion[] {
  if (/map\s*<\s*\w*$/.test(before)) return keyTypes(scope);
  return /[:\],<]\s*\w*$/.test(before) ? typeSuggestions(scope, withFile) : nothing;
}

function methodLine({ scope }: CompletionRequest, before: string): readonly Suggestion[] {
  const errors = /\serrors\s+(.*)$/.exec(before)?.[1];
  if (errors !== undefined) return errorSuggestions(scope, errors.split(/[\s|]+/).slice(0, -1));
  const open = before.lastIndexOf("(");
  if (open > before.lastIndexOf(")")) {
    const inside = before.slice(open + 1);
    if (/^\s*\w*$/.test(inside)) return structSuggestions(scope);
    return /:[^:]*$/.test(inside) ? typesAfter(before, scope, true) : nothing;
  }
  if (/^\s*-\s*\w*$/.test(before))
    return [
      keyword("stream", "the client sends a stream", "stream $1"),
      keyword("proxy", "passed on as it comes", "proxy $1"),
    ];
  if (/=>\s*\w*$/.test(before))
    return [
      keyword("stream", "the server answers a stream", "stream ($1)"),
      keyword("(…)", "the answer", "($1)"),
    ];
  if (!/\)\s*\w*$/.test(before)) return nothing;
  const clause = keyword("errors", "those that the handler may raise", "errors $1");
  return before.includes("=>") ? [clause] : [keyword("=>", "the answer", "=> ($1)"), clause];
}

/** The annotations that ridlkit knows, and those that this schema uses. */
function annotations({ scopes }: CompletionRequest): readonly Suggestion[] {
  const known = new Map<string, Suggestion>();
  const add = (label: string, detail: string, snippet = label): void =>
    void known.set(label, { label, kind: "annotation", detail, snippet });
  add("deprecated", "still works; the text says what to use", 'deprecated:"$1"');
  add("readonly", "changes nothing");
  add("idempotent", "twice has the effect of once");
  add(noErrorsName, "returns no error of its own");
  add("internal", "not for everybody");
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
  const target = aboveMeta((await task.currentScope()) ?? task.scope, task.offset);
  const given = /^\s*\+\s*([\w.]+)\s*=\s*[^\s]*$/.exec(before)?.[1];
  if (given !== undefined) return metaValues(given, target?.type, task.scope);
  if (!/^\s*\+\s*[\w.]*$/.test(before)) return nothing;
  const there = new Set(target?.meta.map(({ key }) => key.text));
  const shape = target === undefined ? undefined : shapeOf(target.type, task.scope);
  return Object.entries(metaKeys).flatMap(([label, { shapes, fieldOnly, repeatable }]): Suggestion[] => {
    if (shapes !== undefined && shape !== undefined && !shapes.includes(shape)) return [];
    if (fieldOnly === true && target?.kind === "alias") return [];
    if (repeatable !== true && there.has(label)) return [];
    return [
      { label, kind: "key", docs: metaKeyDocs[label as keyof typeof metaKeyDocs], snippet: `${label} = $0` },
    ];
  });
}

interface MetaTarget {
  readonly kind: "field" | "alias";
  readonly type: TypeNode;
  readonly meta: readonly MetaNode[];
}

/** The field or alias that a meta line belongs to: the last that begins before the line. */
function aboveMeta({ file }: Scope, offset: number): MetaTarget | undefined {
  let found: (MetaTarget & { readonly span: { readonly start: number } }) | undefined;
  for (const node of file.declarations) {
    if (node.span.start > offset) break;
    if (node.kind === "alias") found = node;
    else if (node.kind === "struct")
      for (const field of node.fields) if (field.span.start < offset) found = field;
  }
  return found;
}

function metaValues(key: string, type: TypeNode | undefined, scope: Scope): readonly Suggestion[] {
  const values = (...labels: readonly string[]): Suggestion[] =>
    labels.map((label) => ({ label, kind: "value" }));
  switch (key) {
    case "secret":
    case "pii":
    case "default.empty":
    case "deprecated":
      return values("true");
    case "normalize":
      return values("lowercase");
    case "nullable":
      return values("read", "always");
    case "accepts":
      return values(...acceptedForms);
    case "format":
      return values("uri", "email", "uuid", "date", "hostname", "ipv4", "ipv6");
    case "default":
      return type === undefined ? nothing : values(...defaultsOf(type, scope));
    default:
      return nothing;
  }
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

/** Paths of files to import; below the path of an import, the names that its file declares. */
function importSuggestions(task: CompletionRequest, before: string): readonly Suggestion[] {
  const { scope, source, offset } = task;
  const above = [...scope.imports].reverse().find(({ node }) => node.path.span.end < offset);
  if (/^\s*-/.test(before) && above !== undefined && above.node.list === undefined) {
    const given = new Set(above.node.members.map(({ value }) => value));
    return [
      ...above.scope.types.map(({ node }): Suggestion => ({ label: node.name.text, kind: node.kind })),
      ...above.scope.errors.map(({ node }): Suggestion => ({ label: node.name.text, kind: "error" })),
    ].filter(({ label }) => !given.has(label));
  }
  const typed = /[^\s"-]\S*$|$/.exec(before.replace(/^\s*(import|-)\s*/, ""))?.[0].replace(/^"/, "") ?? "";
  const folder = posix.join(posix.dirname(source.path), posix.dirname(`${typed}x`));
  const lead = typed.slice(0, typed.lastIndexOf("/") + 1);
  return task.list(folder).flatMap((name): Suggestion[] => {
    if (posix.join(folder, name) === source.path || name.startsWith(".")) return [];
    if (/[.](ridl|ya?ml)$/.test(name)) return [{ label: lead + name, kind: "file" }];
    return name.includes(".") || name === "node_modules" ? [] : [{ label: `${lead + name}/`, kind: "file" }];
  });
}
