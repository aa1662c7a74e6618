import type { Compilation } from "../compile.ts";
import { type Diagnostic, diagnose, type Location } from "../diagnostics/diagnostic.ts";
import type { IrSchema } from "../ir/schema.ts";
import { writeIr } from "../ir/write.ts";
import { isYaml } from "../load.ts";
import type { Declared, Scope } from "../model/scope.ts";
import { parse } from "../ridl/parse.ts";
import type { Declaration } from "../syntax/tree.ts";
import { parseYaml } from "../yaml/parse.ts";
import { formatNames, type TextFormat } from "./inexpressible.ts";

export interface RoundTrip {
  /** The scope and the IR of the input. */
  readonly scope: Scope;
  readonly ir: IrSchema;
  /** The output, parsed and compiled again. */
  readonly reread: Compilation;
  readonly to: TextFormat;
}

/**
 * Reports where the output differs from the input once it is parsed again. This is the only check that notices content dropped in
 * printing.
 */
export function differences({ scope, ir, reread, to }: RoundTrip): Diagnostic[] {
  const form = formatNames[to];
  const { result } = reread;
  if (result === undefined) return [rejectedOutput(scope, reread, form)];
  const before = plainIr(ir);
  const after = plainIr(result.ir);
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const found: Diagnostic[] = [];
  const report = (what: string, at: Declared<Part> | undefined): void => {
    const location =
      at === undefined ? { path: scope.file.source.path } : { file: at.file.source, span: at.node.span };
    found.push(diagnose("convert-differs", { what, form }, location));
  };
  for (const key of ["webrpc", "name", "version", "basepath"] as const)
    if (before[key] !== after[key]) report(`The ${key}`, headerAt(scope, key));
  compareLists(before.types, after.types, scope.types, report);
  compareLists(before.errors, after.errors, scope.errors, report);
  compareLists(before.services, after.services, scope.services, report);
  if (found.length > 0) return found;
  const moved = (before.types ?? []).findIndex((type, index) => type.name !== after.types?.[index]?.name);
  const node = scope.types[moved];
  if (node === undefined)
    return [
      diagnose("convert-differs", { what: "The order of its parts", form }, { path: scope.file.source.path }),
    ];
  const location = { file: node.file.source, span: node.node.name.span };
  return [diagnose("convert-order", { name: node.node.name.text }, location)];
}

/** The IR as data. A missing list and an empty list count as equal, because an IR file may have either. */
function plainIr(ir: IrSchema): PlainIr {
  const lists = new Set(["types", "errors", "services", "methods", "inputs", "outputs", "comments"]);
  return JSON.parse(writeIr(ir), (key, value: unknown) => {
    if (value === null && key === "annotations") return {};
    return value === null && lists.has(key) ? [] : value;
  }) as PlainIr;
}

function headerAt({ file }: Scope, key: string): Declared<Part> | undefined {
  const node = file.headers.find((header) => header.key === key);
  return node && { node, file };
}

/** Reports the first error in the output at the declaration of the input that it comes from. */
function rejectedOutput(scope: Scope, { diagnostics }: Compilation, form: string): Diagnostic {
  const fault = diagnostics.find(({ severity }) => severity === "error");
  const why = fault?.message.replace(/\.$/, "") ?? "it cannot be parsed again";
  const name = fault?.at === undefined ? undefined : declarationAt(fault.at);
  const all: Declared<Declaration>[] = [...scope.types, ...scope.errors, ...scope.services];
  const found = all.find(({ node }) => nameOf(node) === name);
  const what = found === undefined ? "This schema" : `"${nameOf(found.node)}"`;
  const location =
    found === undefined
      ? { path: scope.file.source.path }
      : { file: found.file.source, span: found.node.name.span };
  return diagnose("convert-unsayable", { what, form, why }, location);
}

function declarationAt({ file, span }: Location): string | undefined {
  const read = isYaml(file.path) ? parseYaml(file).file : parse(file).file;
  const node = read?.declarations.find((one) => one.span.start <= span.start && span.start <= one.span.end);
  return node && nameOf(node);
}

function nameOf({ name }: Declaration): string {
  return "value" in name ? name.value : name.text;
}

interface PlainIr {
  readonly webrpc: string;
  readonly name: string;
  readonly version: string;
  readonly basepath: string;
  readonly types: readonly PlainPart[] | null;
  readonly errors: readonly PlainPart[] | null;
  readonly services: readonly PlainPart[] | null;
}

interface PlainPart {
  readonly name: string;
  readonly fields?: readonly PlainPart[];
  readonly methods?: readonly PlainPart[] | null;
}

type Part = { readonly span: Declaration["span"] };

function compareLists(
  before: readonly PlainPart[] | null,
  after: readonly PlainPart[] | null,
  nodes: readonly Declared<Declaration>[],
  report: (what: string, at: Declared<Part> | undefined) => void,
): void {
  const others = new Map((after ?? []).map((part) => [part.name, part]));
  for (const [index, part] of (before ?? []).entries()) {
    const other = others.get(part.name);
    if (other !== undefined && JSON.stringify(part) === JSON.stringify(other)) continue;
    const declared = nodes[index];
    const name = changedMember(part, other);
    report(
      `"${name === undefined ? part.name : `${part.name}.${name}`}"`,
      declared && memberOf(declared, name),
    );
  }
  if ((before ?? []).length !== (after ?? []).length) report("The number of its parts", nodes[0]);
}

function changedMember(part: PlainPart, other: PlainPart | undefined): string | undefined {
  const members = part.fields ?? part.methods ?? [];
  const theirs = other?.fields ?? other?.methods ?? [];
  return members.find((member, index) => JSON.stringify(member) !== JSON.stringify(theirs[index]))?.name;
}

function memberOf({ node, file }: Declared<Declaration>, name: string | undefined): Declared<Part> {
  const members =
    node.kind === "struct"
      ? node.fields
      : node.kind === "enum"
        ? node.values
        : node.kind === "service"
          ? node.methods
          : [];
  return { node: members.find((member) => member.name.text === name) ?? node, file };
}
