import type { DiagnosticExtras, Location } from "../../diagnostics/diagnostic.ts";
import { nameFor } from "../../syntax/foreign-types.ts";
import {
  type AnnotationNode,
  type ArgumentNode,
  annotationNamed,
  type MethodNode,
  methodsIn,
  type Name,
  type SchemaFile,
  type ServiceNode,
} from "../../syntax/tree.ts";
import { hasValue, noErrorsName } from "../annotations.ts";
import { isCoreType } from "../core-types.ts";
import { isFileOutput } from "../files.ts";
import { firstDeclared, foldCase, isIdentifier, replaceFix } from "../names.ts";
import { isRouted, routeText } from "../routes.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import { type Declared, maxServices, type Scope } from "../scope.ts";
import { fileType } from "../types.ts";
import { errorName } from "./errors.ts";
import { suggestDeclared } from "./types.ts";

/**
 * Services in scope have unique names, ignoring letter case, and each is imported only once.
 * Bad: `service Pets` and `service pets`. Good: one name each.
 */
export const uniqueServices: Rule = (scope, report) => {
  if (scope.services.length >= maxServices) {
    report(
      "too-many-services",
      { limit: maxServices },
      scope.imports.at(-1)?.node.span ?? { start: 0, end: 0 },
    );
    return;
  }
  const first = new Map<string, Declared<ServiceNode>>();
  for (const service of scope.services) {
    const { node, file } = service;
    const name = node.name.value;
    const earlier = first.get(foldCase(name));
    if (earlier === undefined) first.set(foldCase(name), service);
    else if (earlier === service) reportSecondImport(service, scope, report);
    else
      report(
        name === earlier.node.name.value ? "duplicate-service" : "service-case",
        { name, other: earlier.node.name.value },
        node.name.span,
        { file, ...firstDeclared(earlier.file.source, earlier.node.name.span) },
      );
  }
};

/** webrpc lists the service twice, so each of its routes has a duplicate. */
function reportSecondImport(service: Declared<ServiceNode>, scope: Scope, report: Report): void {
  const { node } = service;
  const name = node.name.value;
  const last = scope.imports.findLast(({ scope: from }) => from.services.includes(service));
  const span = last?.node.span ?? { start: 0, end: 0 };
  const routed = node.methods.find(isRouted);
  if (routed === undefined) report("service-imported-twice", { name }, span);
  else {
    const route = routeText(node, routed);
    const advice = `The service "${name}" is imported twice. Import its file only once, from the root file.`;
    report("route-twice", { route, other: route, owner: `${name}.${routed.name.text}` }, span, { advice });
  }
}

/**
 * A service has methods, and their names are unique, ignoring letter case.
 * Bad: `- Get()` and `- get()`. Good: one name each.
 */
export const methods: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    if (node.methods.length === 0 && scope.file.unparsed?.services.has(node) !== true)
      report("empty-service", { name: node.name.value }, node.name.span);
    checkMethods(node, scope, report);
  }
};

function checkMethods(service: ServiceNode, scope: Scope, report: Report): void {
  const first = new Map<string, MethodNode>();
  for (const method of service.methods) {
    const { text: name, span } = method.name;
    if (method.proxy) report("unbuilt-proxy", { method: name }, span);
    else if (!isIdentifier(name)) report("method-name", { name }, span);
    if (method.input.stream) report("unbuilt-stream", { method: name }, span);
    const earlier = first.get(foldCase(name));
    if (earlier === undefined) first.set(foldCase(name), method);
    else {
      const other = earlier.name.text;
      report(
        name === other ? "duplicate-method" : "method-case",
        { name, other, service: service.name.value },
        span,
        firstDeclared(scope.file.source, earlier.name.span),
      );
    }
  }
}

/**
 * Argument names are identifiers and unique within a method.
 * Bad: `- Move(to: int, to: int)`. Good: `- Move(from: int, to: int)`.
 */
export const methodArguments: Rule = (scope, report) => {
  for (const method of methodsIn(scope.file)) checkMethod(method, scope, report);
};

function checkMethod(method: MethodNode, scope: Scope, report: Report): void {
  for (const { list } of [method.input, method.output]) {
    if (list.length === 0) continue;
    const first = new Map<string, ArgumentNode>();
    for (const argument of list) {
      const { text: name, span } = argument.name;
      if (!isIdentifier(name)) report("argument-name", { name }, span);
      const earlier = first.get(name);
      if (earlier === undefined) first.set(name, argument);
      else {
        const extra = firstDeclared(scope.file.source, earlier.span);
        report("duplicate-argument", { name, method: method.name.text }, span, extra);
      }
    }
  }
}

/**
 * In the succinct form, input and output are one struct each.
 * Bad: `- Get(GetRequest)`, `- Get(Kind) => (Pet)` with an enum. Good: `- Get(GetRequest) => (GetResponse)`.
 */
export const succinct: Rule = (scope, report) => {
  if (scope.file.format === "ir") return;
  for (const method of methodsIn(scope.file)) {
    const { name, input, output } = method;
    // A file response has no JSON body, so the input may use either form.
    const isFile = isFileOutput(output, scope);
    const sides = isFile ? [input.succinct] : [input.succinct, output.succinct];
    const named = sides.filter((side) => side !== undefined);
    if (named.length === 1 && !isFile && named.every((side) => !isValue(side, scope)))
      report("succinct-pair", { method: name.text }, named[0]?.span ?? name.span, () =>
        declaringStruct(method, scope),
      );
    for (const side of named) checkStruct(side, scope, report);
  }
};

/**
 * Declares a struct for the other side at the end of the file: `- Find(Query) => (pet: Pet)` → `=> (FindResponse)`. The wire
 * format of both sides stays the same.
 */
function declaringStruct(
  { name, input, output }: MethodNode,
  { file, typeByFoldedName }: Scope,
): ReportExtra {
  const { text } = file.source;
  if (file.format !== "ridl" || text.includes("\0")) return {};
  const [side, suffix] = input.succinct === undefined ? [input, "Request"] : [output, "Response"];
  const struct = `${name.text.charAt(0).toUpperCase()}${name.text.slice(1)}${suffix}`;
  const isAbsent = side.span.start === input.span.start && side !== input;
  const written = isAbsent ? "()" : text.slice(side.span.start, side.span.end);
  // Nothing is suggested while the argument list is unclosed or the name is taken.
  if (typeByFoldedName.has(foldCase(struct)) || !/^\(.*\)$/.test(written)) return {};
  const fields = side.list.map(({ span }) => `\n  - ${text.slice(span.start, span.end).trim()}`);
  const reference = isAbsent
    ? { span: { start: side.span.end, end: side.span.end }, text: ` => (${struct})` }
    : { span: side.span, text: `(${struct})` };
  const end = { start: text.length, end: text.length };
  const declaration = `${text.endsWith("\n") ? "" : "\n"}\nstruct ${struct}${fields.join("")}\n`;
  const edits = [reference, { span: end, text: declaration }];
  return { suggestion: { title: `Declare the struct "${struct}"`, file: file.source, edits } };
}

/** Whether the name is that of a value, which needs the name of an argument. */
function isValue({ text }: Name, scope: Scope): boolean {
  const found = scope.typeByFoldedName.get(foldCase(text))?.node.kind;
  return isCoreType(text) || text === fileType || (found !== undefined && found !== "struct");
}

function checkStruct({ text: name, span }: Name, scope: Scope, report: Report): void {
  const found = scope.typeByFoldedName.get(foldCase(name))?.node;
  if (found?.kind === "struct") return;
  if (found !== undefined)
    report("succinct-type", { name, kind: found.kind === "enum" ? "an enum" : "an alias" }, span, {
      ...(scope.typeByName.get(name)?.node.kind === "struct" && {
        advice: "Give it the name of an argument.",
      }),
    });
  else if (isCoreType(name) || name === fileType)
    report("succinct-type", { name, kind: "a core type" }, span, {
      advice: `Give it the name of an argument: "(${nameFor(name)}: ${name})".`,
    });
  else if (!scope.hasUnreadImports && !scope.mayBeUnparsed(name)) {
    const structs = (): string[] =>
      scope.types.filter(({ node }) => node.kind === "struct").map(({ node }) => node.name.text);
    const location = { file: scope.file.source, span };
    report("unknown-type", { name }, span, suggestDeclared(name, location, structs, scope));
  }
}

/**
 * Every error that a method lists is declared. Protocol errors need not be listed.
 * Bad: `errors NotFuond`. Good: `errors NotFound`.
 */
export const methodErrors: Rule = (scope, report) => {
  if (scope.hasUnreadImports) return;
  const known = new Set(scope.errors.map(({ node }) => errorName(node)));
  for (const method of methodsIn(scope.file)) {
    for (const { text: name, span } of method.errors) {
      if (known.has(name) || scope.mayBeUnparsed(name)) continue;
      const location = { file: scope.file.source, span };
      const extra =
        separateNames(name, known, location) ??
        suggestDeclared(name, location, () => known, scope, declareError(name, scope));
      report("unknown-error", { name, method: method.name.text }, span, extra);
    }
  }
};

/** Advice for an error that no file declares: its line, with a free code. Undefined for YAML, which has no such line. */
function declareError(name: string, { errors, file }: Scope): string | undefined {
  if (!/\.ridl$/i.test(file.source.path)) return undefined;
  const declared = errors.find(({ node }) => node.httpStatus?.text === name)?.node.name.text;
  if (declared !== undefined) return `Write the name of the error: "errors ${declared}".`;
  const wanted = /^[45]\d\d$/.test(name) ? (namesByStatus[name] ?? "Rejected") : undefined;
  const code = Math.max(99, ...errors.map(({ node }) => Number(node.code.text)).filter(Number.isFinite)) + 1;
  if (wanted !== undefined)
    return `Write "errors ${wanted}", and declare it with a line such as 'error ${code} ${wanted} "…" HTTP ${name}'.`;
  const status = /not.?found|no.?such|unknown|missing/i.test(name) ? 404 : 400;
  return `Declare it with a line such as 'error ${code} ${name} "…" HTTP ${status}', or import the file that does.`;
}

const namesByStatus: Readonly<Record<string, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  429: "TooManyRequests",
};

/** `Lost|Gone` without spaces is parsed as one word. */
function separateNames(
  name: string,
  known: ReadonlySet<string>,
  location: Location,
): DiagnosticExtras | undefined {
  const names = name.split("|");
  if (names.length < 2 || !names.every((each) => known.has(each))) return undefined;
  return { advice: 'Put a space on both sides of "|".', fix: replaceFix(names.join(" | "), location) };
}

/**
 * `@noErrors` has no value, and must not be combined with a list of errors.
 * Bad: `@noErrors - Buy() errors SoldOut`. Good: `- Buy() errors SoldOut`.
 */
export const noErrors: Rule = (scope, report) => {
  const { file } = scope;
  for (const method of methodsIn(file)) {
    const found = annotationNamed(method, noErrorsName);
    if (found === undefined) continue;
    const parameters = { method: method.name.text };
    if (method.errors.length > 0)
      report("no-errors-and-list", parameters, found.span, () => withoutAnnotation(method, found, file));
    else if (hasValue(found))
      report("no-errors-value", parameters, found.span, () => withoutValue(found, file));
  }
};

function withoutValue({ span }: AnnotationNode, { format, source: file }: SchemaFile): ReportExtra {
  return format === "ridl" ? { suggestion: replaceFix(`@${noErrorsName}`, { file, span }) } : {};
}

/** Removes the annotation and the whitespace around it. Suggests nothing if other text is in between. */
function withoutAnnotation(
  { annotations }: MethodNode,
  { span }: AnnotationNode,
  { format, source: file }: SchemaFile,
): ReportExtra {
  if (format !== "ridl") return {};
  const earlier = annotations.findLast((other) => other.span.end <= span.start)?.span.end;
  const blanksBefore = earlier === undefined ? "" : file.text.slice(earlier, span.start);
  const blanksAfter = /^(?:[ \t]*\r?\n)?[ \t]*/.exec(file.text.slice(span.end))?.[0] ?? "";
  const isAlone = earlier === undefined;
  const next = file.text.charAt(span.end + blanksAfter.length);
  if (blanksBefore.trim() !== "" || (isAlone && next !== "-" && next !== "@")) return {};
  const edit = isAlone
    ? { start: span.start, end: span.end + blanksAfter.length }
    : { start: span.start - blanksBefore.length, end: span.end };
  return { suggestion: { title: `Remove "@${noErrorsName}"`, file, edits: [{ span: edit, text: "" }] } };
}
