import { posix } from "node:path";
import type { Diagnostic, DiagnosticExtras, Fix, Location, Note } from "../diagnostics/diagnostic.ts";
import type { ArgumentsNode, Declaration, Import, SchemaFile, TypeNode } from "../syntax/tree.ts";
import type { MissingName } from "./rule.ts";
import { startsUpper } from "./rules/names.ts";
import type { Declared, Scope } from "./scope.ts";

/** A diagnostic, and the name that it reports as missing, if any. */
export interface RuleFinding {
  readonly diagnostic: Diagnostic;
  readonly missing: MissingName | undefined;
}

/**
 * Reports each undeclared name once, at its first use, with the other uses as notes. If the suggested name is declared but never
 * used, the declaration itself is probably misspelled.
 */
export function mergeMissingNames(findings: readonly RuleFinding[], scopes: readonly Scope[]): Diagnostic[] {
  const groups = new Map<string, RuleFinding[]>();
  const order: (Diagnostic | RuleFinding[])[] = [];
  for (const finding of findings) {
    const { diagnostic, missing } = finding;
    if (missing === undefined) {
      order.push(diagnostic);
      continue;
    }
    const key = `${diagnostic.code} ${missing.name}`;
    const group = groups.get(key);
    if (group !== undefined) group.push(finding);
    else {
      const first = [finding];
      groups.set(key, first);
      order.push(first);
    }
  }
  if (groups.size === 0) return findings.map(({ diagnostic }) => diagnostic);
  const used = usedNames(scopes);
  return order.map((one) => (Array.isArray(one) ? mergeGroup(one, scopes, used) : one));
}

function mergeGroup(
  group: readonly RuleFinding[],
  scopes: readonly Scope[],
  used: ReadonlySet<string>,
): Diagnostic {
  const sorted = [...group].sort(byPosition(scopes));
  const [first] = sorted as [RuleFinding, ...RuleFinding[]];
  const { diagnostic, missing } = first;
  const misspelled =
    missing === undefined ? undefined : misspelledDeclaration(missing, group.length, scopes, used);
  const notes = [
    ...diagnostic.notes,
    ...(misspelled === undefined ? [] : [misspelled.note]),
    ...otherUses(sorted.slice(1), diagnostic),
  ];
  const fix = misspelled === undefined ? mergeFixes(sorted, "fix") : undefined;
  const suggestion = misspelled?.suggestion ?? mergeFixes(sorted, "suggestion");
  const { fix: _, suggestion: __, ...rest } = diagnostic;
  return {
    ...rest,
    notes,
    ...(fix === undefined ? {} : { fix }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Sorts by file, in load order, then by offset. */
function byPosition(scopes: readonly Scope[]): (a: RuleFinding, b: RuleFinding) => number {
  const rank = new Map(scopes.map(({ file }, index) => [file.source.path, index]));
  const key = ({ diagnostic: { path } }: RuleFinding): number => rank.get(path) ?? 0;
  const start = ({ diagnostic: { at } }: RuleFinding): number => at?.span.start ?? 0;
  return (a, b) => key(a) - key(b) || start(a) - start(b);
}

function otherUses(others: readonly RuleFinding[], { at: first }: Diagnostic): Note[] {
  const locations = others
    .map(({ diagnostic: { at } }) => at)
    .filter((at): at is Location => at !== undefined);
  const distinct = locations.filter((at) => at.span.start !== first?.span.start || at.file !== first.file);
  return distinct.map((at) => ({ message: "Also used here.", at }));
}

/** Merges the edits in the first file. Other files get their fix in the next run. */
function mergeFixes(findings: readonly RuleFinding[], key: "fix" | "suggestion"): Fix | undefined {
  const fixes = findings.map(({ diagnostic }) => diagnostic[key]).filter((fix) => fix !== undefined);
  const [first] = fixes;
  if (first === undefined) return undefined;
  const alike = fixes.filter(({ file, title }) => file === first.file && title === first.title);
  const edits = new Map(alike.flatMap((fix) => fix.edits).map((edit) => [edit.span.start, edit]));
  return { ...first, edits: [...edits.values()] };
}

/**
 * Returns a declaration that is probably misspelled: its name is never used, and either that name is invalid or the missing name is
 * used more than once. After a single use, the misspelled name may be the one in the use.
 */
function misspelledDeclaration(
  { name, suggestion }: MissingName,
  uses: number,
  scopes: readonly Scope[],
  used: ReadonlySet<string>,
): { readonly note: Note; readonly suggestion: Fix } | undefined {
  if (suggestion === undefined || used.has(suggestion)) return undefined;
  const declared = declarationOf(suggestion, scopes);
  if (declared === undefined || (uses < 2 && startsUpper(suggestion))) return undefined;
  const { node, file } = declared;
  const at = { file: file.source, span: node.name.span };
  return {
    note: { message: `"${suggestion}" is declared here but never used.`, at },
    suggestion: {
      title: `Rename "${suggestion}" to "${name}"`,
      file: at.file,
      edits: [{ span: at.span, text: name }],
    },
  };
}

function declarationOf(name: string, scopes: readonly Scope[]): Declared<Declaration> | undefined {
  for (const { file } of scopes) {
    const node = file.declarations.find((each) => each.kind !== "service" && each.name.text === name);
    if (node !== undefined && file.format !== "ir") return { node, file };
  }
  return undefined;
}

function usedNames(scopes: readonly Scope[]): ReadonlySet<string> {
  const used = new Set<string>();
  const addType = (type: TypeNode): void => {
    if (type.kind === "named") used.add(type.name);
    else if (type.kind === "list") addType(type.element);
    else if (type.kind === "map") for (const part of [type.key, type.value]) addType(part);
  };
  const addArguments = ({ succinct, list }: ArgumentsNode): void => {
    if (succinct !== undefined) used.add(succinct.text);
    for (const { type } of list) addType(type);
  };
  for (const { file } of scopes) {
    for (const node of file.declarations) {
      if (node.kind === "alias") addType(node.type);
      else if (node.kind === "struct") for (const { type } of node.fields) addType(type);
      else if (node.kind === "service") {
        for (const { input, output, errors } of node.methods) {
          addArguments(input);
          addArguments(output);
          for (const { text } of errors) used.add(text);
        }
      }
    }
    for (const { members } of file.imports) for (const { value } of members) used.add(value);
  }
  return used;
}

/**
 * Suggests how to reach a name that another file of the schema declares: add the missing import, or add the name to the import's
 * member list. Returns undefined if no file declares it.
 */
export function suggestImport(name: string, scope: Scope): DiagnosticExtras | undefined {
  for (const file of scope.allFiles()) {
    const node = file === scope.file ? undefined : file.declarations.find((each) => nameOf(each) === name);
    if (node === undefined) continue;
    const { path } = file.source;
    const notes = [
      { message: `"${name}" is declared here.`, at: { file: file.source, span: nameSpan(node) } },
    ];
    const listing = scope.imports.find(({ scope: from }) => declares(from, name))?.node;
    const advice =
      listing === undefined
        ? `It is declared in "${path}", which this file does not import.`
        : `It is declared in "${path}"; add it to the members that this file imports.`;
    const suggestion =
      listing === undefined ? addImportFix(file, scope) : addListedMemberFix(name, listing, scope.file);
    return { advice, notes, ...(suggestion === undefined ? {} : { suggestion }) };
  }
  return undefined;
}

function nameOf(node: Declaration): string {
  return node.kind === "service" ? node.name.value : node.name.text;
}

function nameSpan(node: Declaration): Declaration["span"] {
  return node.name.span;
}

function declares({ typeByName, errorByName }: Scope, name: string): boolean {
  return typeByName.has(name) || errorByName.has(name);
}

/** Adds a line below the last import, unless that would create an import cycle. */
function addImportFix(target: SchemaFile, scope: Scope): Fix | undefined {
  const { file } = scope;
  if (file.format !== "ridl" || scope.importsFile(target, file)) return undefined;
  const path = posix.relative(posix.dirname(file.source.path), target.source.path);
  const last = file.imports.at(-1);
  const at = lineEnd(file, last === undefined ? (file.headers.at(-1)?.span.end ?? 0) : endOf(last));
  const indent =
    / *$/.exec(file.source.text.slice(0, last === undefined ? 0 : dashOf(file, last)))?.[0] ?? "";
  const text = last?.listKeywordSpan === undefined ? `\n\nimport ${path}` : `\n${indent}- ${path}`;
  return { title: `Import "${path}"`, file: file.source, edits: [{ span: { start: at, end: at }, text }] };
}

function endOf({ path, members }: Import): number {
  return (members.at(-1) ?? path).span.end;
}

/** The end of the line, after any trailing comment. */
function lineEnd({ source }: SchemaFile, offset: number): number {
  const end = source.text.indexOf("\n", offset);
  return end === -1 ? source.text.length : end;
}

function dashOf({ source }: SchemaFile, { path }: Import): number {
  return source.text.lastIndexOf("-", path.span.start);
}

function addListedMemberFix(name: string, { path }: Import, file: SchemaFile): Fix | undefined {
  return file.format === "ridl" ? addMemberFix([name], path.span.end, file) : undefined;
}

export function addMemberFix(names: readonly string[], pathEnd: number, file: SchemaFile): Fix {
  const text = names.map((name) => `\n  - ${name}`).join("");
  const edits = [{ span: { start: pathEnd, end: pathEnd }, text }];
  return { title: `Import "${names.join('" and "')}" too`, file: file.source, edits };
}
