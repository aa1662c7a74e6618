import type { DiagnosticExtras, Location } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/suggest.ts";
import { adviseType, foreignName, type TypePlace } from "../../syntax/foreign-types.ts";
import type { AliasNode, FieldNode, MetaNode, MethodNode, StructNode, TypeNode } from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";
import { resolveKey } from "../build.ts";
import { conditionLines, conditionsOf, enumOf, kindFieldOf } from "../conditions.ts";
import { coreTypeNamedLike, coreTypeNames, isCoreType } from "../core-types.ts";
import { enumWireOf } from "../enum-values.ts";
import { groupsOf } from "../groups.ts";
import { aliasesOf, metaNumber } from "../meta/read.ts";
import { addMemberFix, suggestImport } from "../missing-names.ts";
import { didYouMean, foldCase, replaceFix } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import { isDerived, type Scope, type ScopedImport } from "../scope.ts";
import { fileType } from "../types.ts";

/**
 * Every type name is declared, and map keys are strings, integers or enums. The types that imported declarations refer to must be
 * in scope here, too.
 * Bad: `- user: Usr`, `map<bool,int>`. Good: `- user: User`, `map<string,int>`.
 */
export const knownTypes: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "struct")
      for (const { name, optional, type, meta } of node.fields) {
        const place: TypePlace = { kind: "field", name: name.text, optional };
        checkType(type, meta.length === 0, place, scope, report);
      }
    else if (node.kind === "service") for (const method of node.methods) checkMethod(method, scope, report);
    else if (node.kind === "alias" && scope.file.format !== "ir") {
      checkType(node.type, false, { kind: "alias", name: node.name.text, optional: false }, scope, report);
      checkKeyOrder(node, scope, report);
    }
  }
  for (const imported of scope.imports) checkImported(imported, scope, report);
};

function checkMethod({ input, output, annotations, route }: MethodNode, scope: Scope, report: Report): void {
  const isFree = annotations.length === 0 && route === undefined;
  for (const { list } of [input, output])
    for (const { name, optional, type } of list)
      checkType(type, isFree, { kind: "argument", name: name.text, optional }, scope, report);
}

/**
 * `isFree` means that no other rule depends on the type: no meta key, route or annotation. Otherwise, a fix of its name could reveal
 * the next error.
 */
function checkType(
  type: TypeNode,
  isFree: boolean,
  place: TypePlace | undefined,
  scope: Scope,
  report: Report,
): void {
  switch (type.kind) {
    case "list":
      checkType(type.element, isFree, undefined, scope, report);
      break;
    case "map":
      checkKey(type.key, scope, report);
      checkType(type.value, isFree, undefined, scope, report);
      break;
    case "named":
      if (!isCoreType(type.name) && type.name !== fileType && !scope.typeByName.has(type.name))
        reportUnknown(type.name, type, { isFree, place }, scope, report);
  }
}

function checkKey(key: TypeNode, scope: Scope, report: Report): void {
  const found = resolveKey(key, scope);
  if (typeof found === "object") return;
  if (key.kind === "named" && found === "unknown-name")
    reportUnknown(key.name, key, { isFree: false, place: "key" }, scope, report);
  else report("map-key", { key: key.kind === "named" ? key.name : key.kind }, key.span);
}

function reportUnknown(
  name: string,
  { span }: TypeNode,
  at: UnknownPlace,
  scope: Scope,
  report: Report,
): void {
  // The name may be declared in a part that failed to parse, which is already reported.
  if (scope.hasUnreadImports || scope.mayBeUnparsed(name)) return;
  const location = { file: scope.file.source, span };
  const options = (): string[] => [...coreTypeNames, fileType, ...scope.typeByName.keys()];
  const declared = suggestDeclared(name, location, options, scope);
  report("unknown-type", { name }, span, () => {
    const extra = suggestCoreType(name, at, location, scope) ?? declared();
    // In a form of another language, such as `Int[]`, the name is only a part. The form is mended first.
    if (location.file.text.slice(span.start, span.end) === name) return extra;
    const { fix: _, suggestion: __, ...rest } = extra;
    return rest;
  });
}

/** Where an unknown name is. Without a place, in a list or the values of a map. */
interface UnknownPlace {
  readonly isFree: boolean;
  readonly place: TypePlace | "key" | undefined;
}

/** Advice for the name of a type in another language. Undefined if another file declares the name. */
function suggestCoreType(
  name: string,
  { isFree, place }: UnknownPlace,
  location: Location,
  scope: Scope,
): ReportExtra | undefined {
  const missing = { name, suggestion: undefined };
  const foreign = foreignName(name);
  if (suggestImport(name, scope) !== undefined) return undefined;
  if (scope.errorByName.has(name))
    return { advice: `Errors follow the response: "errors ${name}".`, missing };
  if (typeof foreign === "string") return { advice: foreign, missing };
  const bytes = { name: scope.file.format === "yaml" ? "byte[]" : "[]byte", isSame: true };
  const native = /^bytes$/i.test(name) ? bytes : coreTypeNamedLike(name);
  if (native !== undefined) {
    const fix = replaceFix(native.name, location);
    // Values of any type cannot be everywhere, for example not in a query.
    return native.isSame && isFree && native.name !== "any" && native.name !== "null"
      ? { advice: `Write "${native.name}".`, fix, missing }
      : { advice: `Did you mean "${native.name}"?`, suggestion: fix, missing };
  }
  if (foreign === undefined) return undefined;
  // A key has no rules.
  if (place === "key") return { advice: `Write "${foreign.type}".`, missing };
  const advice = adviseType(foreign, place, scope.file.format === "yaml" ? "yaml" : "ridl");
  const moment = /^(Date|[Tt]ime)$/.test(name) ? ' For a moment, write "timestamp".' : "";
  return { advice: `${advice}${moment}`, missing };
}

/** Suggests an import if another file declares the name, and a similar name otherwise. */
export function suggestDeclared(
  name: string,
  location: Location,
  options: () => Iterable<string>,
  scope: Scope,
  advice = "Declare it, or import the file that does.",
): () => ReportExtra {
  return () => {
    const elsewhere = suggestImport(name, scope);
    if (elsewhere !== undefined) return { ...elsewhere, missing: { name, suggestion: undefined } };
    const near = nearest(name, options());
    return {
      ...(near === undefined ? { advice } : didYouMean(near, location)),
      missing: { name, suggestion: near?.word },
    };
  };
}

/** The reference tool reads aliases from top to bottom and crashes on a key that is declared further down. */
function checkKeyOrder(alias: AliasNode, scope: Scope, report: Report): void {
  for (const key of keysIn(alias.type)) {
    const found = key.kind === "named" ? scope.typeByFoldedName.get(foldCase(key.name)) : undefined;
    if (found?.node.kind !== "alias" || found.file !== scope.file || found.node.span.start < alias.span.start)
      continue;
    report("alias-key-order", { alias: alias.name.text, key: found.node.name.text }, key.span);
  }
}

function* keysIn(type: TypeNode): Generator<TypeNode> {
  if (type.kind === "list") yield* keysIn(type.element);
  if (type.kind !== "map") return;
  yield type.key;
  yield* keysIn(type.value);
}

/**
 * The reference tool looks up the types of imported structs and services again in the importing file: by exact name, map keys by
 * folded name. It rejects a map without a value at this point, because it can no longer parse its own spelling of the type. Names
 * unknown in the imported file are reported there.
 */
function checkImported({ node: importNode, scope: from }: ScopedImport, scope: Scope, report: Report): void {
  const here = new Set<unknown>([...scope.types, ...scope.services]);
  const reported = new Set<string>();
  const reportMissing = (missing: string, usedBy: string): void => {
    if (reported.has(missing) || scope.mayBeUnparsed(missing)) return;
    reported.add(missing);
    const suggestion = addMemberFix([missing], importNode.path.span.end, scope.file);
    report(
      "import-lacks",
      { missing, user: usedBy },
      importNode.span,
      scope.file.format === "ridl" ? { suggestion } : {},
    );
  };
  const checkAgain = (type: TypeNode, usedBy: string): void => {
    switch (type.kind) {
      case "list":
        checkAgain(type.element, usedBy);
        break;
      case "map": {
        const key = typeof resolveKey(type.key, from) === "object" ? resolveKey(type.key, scope) : undefined;
        if (key === "unknown-name") reportMissing(typeText(type.key), usedBy);
        else if (key === "not-a-key") report("map-key", { key: typeText(type.key) }, importNode.span);
        if (type.value.kind === "missing")
          report("malformed-type", { text: typeText(type) }, importNode.span);
        else checkAgain(type.value, usedBy);
        break;
      }
      case "named":
        if (from.typeByName.has(type.name) && !scope.typeByName.has(type.name))
          reportMissing(type.name, usedBy);
    }
  };
  for (const type of from.types) {
    if (!here.has(type) || type.node.kind !== "struct") continue;
    for (const field of type.node.fields) checkAgain(field.type, `${type.node.name.text}.${field.name.text}`);
  }
  for (const service of from.services) {
    if (!here.has(service)) continue;
    for (const method of service.node.methods) {
      const usedBy = `${service.node.name.value}.${method.name.text}`;
      for (const { succinct, list } of [method.input, method.output]) {
        if (succinct !== undefined) {
          // The imported file found the struct by folded name; this file looks it up by exact name.
          const struct = from.typeByFoldedName.get(foldCase(succinct.text))?.node.name.text;
          if (struct !== undefined && !scope.typeByName.has(struct)) reportMissing(struct, usedBy);
        }
        for (const { type } of list) checkAgain(type, usedBy);
      }
      for (const { text } of method.errors)
        if (from.errorByName.has(text) && !scope.errorByName.has(text)) reportMissing(text, usedBy);
    }
  }
}

/**
 * An alias must resolve to a type that is not an alias.
 * Bad: `type A: B`, `type B: A`. Good: `type A: B`, `type B: string`.
 */
export const aliasCycles: Rule = (scope, report) => {
  const settled = new Set<AliasNode>();
  for (const node of scope.file.declarations) {
    if (node.kind !== "alias") continue;
    const path = new Set<AliasNode>();
    let at: AliasNode | undefined = node;
    while (at !== undefined && !settled.has(at) && !path.has(at)) {
      path.add(at);
      at = nextAlias(at.type, scope);
    }
    if (at !== undefined && !settled.has(at)) {
      const nodes = [...path];
      const circle = [...nodes.slice(nodes.indexOf(at)), at].map(({ name }) => name.text);
      report("alias-cycle", { path: circle.join(" → ") }, at.name.span);
    }
    for (const alias of path) settled.add(alias);
  }
};

/** Returns the alias that this one renames. A list of itself is valid: `[[], [[]]]` is a value of `type A: []A`. */
function nextAlias(type: TypeNode, scope: Scope): AliasNode | undefined {
  const found = type.kind === "named" ? scope.typeByName.get(type.name) : undefined;
  return found?.node.kind === "alias" && found.file === scope.file ? found.node : undefined;
}

/**
 * A struct must not require itself: a cycle of structs needs an optional field, a list or a map that may be empty, or a group or a
 * kind with fields outside of the cycle.
 * Bad: `struct Node` with `- next: Node`. Good: `- next?: Node`.
 */
export const endlessStructs: Rule = (scope, report) => {
  const endless = findEndless(scope);
  const reported = new Set<StructNode>();
  for (const node of scope.file.declarations) {
    if (node.kind !== "struct" || !endless.has(node)) continue;
    const circle = circleFrom(node, endless);
    const [first] = circle;
    if (first === undefined || reported.has(first.from)) continue;
    for (const { from } of circle) reported.add(from);
    const path = [...circle, first].map(({ from }) => from.name.text).join(" → ");
    const file = scope.typeByName.get(first.from.name.text)?.file ?? scope.file;
    report("endless-struct", { path }, first.from.name.span, { file, ...stepsOf(circle, scope) });
  }
};

/** Maximum number of fields shown for a cycle, so that long cycles stay readable. */
const maxNotes = 5;

/** Notes for the fields that form the cycle, and advice to make the first one optional. */
function stepsOf(circle: readonly Step[], scope: Scope): DiagnosticExtras {
  const steps = circle.slice(0, maxNotes).flatMap((step) => {
    const file = isDerived(step.from)
      ? step.from.source.file
      : scope.typeByName.get(step.from.name.text)?.file;
    return file === undefined ? [] : [{ ...step, file: file.source }];
  });
  const notes = steps.map(({ field, from, file }) => ({
    message: `"${from.name.text}" requires this field${field.optional ? ", or one that needs it, too" : ""}.`,
    at: { file, span: field.span },
  }));
  const required = steps.find(({ field }) => !field.optional);
  if (required === undefined) {
    const isOfKind = steps.some(({ field }) => conditionLines(field).length > 0);
    const advice = isOfKind
      ? 'End one of the conditions with "?", or add a kind without these fields.'
      : "Add a field of another type to the group.";
    return { notes, advice };
  }
  const { field, file } = required;
  const written = file.text.slice(field.type.span.start, field.type.span.end);
  const advice = `Make one of the fields optional, for example "${field.name.text}?: ${written}".`;
  return { notes, advice };
}

/** A field whose values contain those of another struct. */
interface Step {
  readonly from: StructNode;
  readonly field: FieldNode;
  readonly to: StructNode;
}

/** What each value of a struct contains: all steps of one of the alternatives. A group has one for each field, a kind for each value. */
interface Requirement {
  readonly from: StructNode;
  readonly alternatives: readonly (readonly Step[])[];
}

/** Returns the structs without finite values, with the requirements that nothing finite meets. */
function findEndless(scope: Scope): ReadonlyMap<StructNode, ReadonlySet<Requirement>> {
  const structs = [...scope.typeByName.values()].flatMap(({ node }) =>
    node.kind === "struct" ? [node] : [],
  );
  const open = new Map(structs.map((node) => [node, new Set(requirementsOf(node, scope))]));
  const users = new Map<StructNode, Requirement[]>();
  for (const requirements of open.values()) {
    for (const requirement of requirements)
      for (const { to } of requirement.alternatives.flat())
        users.set(to, [...(users.get(to) ?? []), requirement]);
  }
  // The list grows during the loop.
  const finite = structs.filter((node) => open.get(node)?.size === 0);
  for (const node of finite) {
    open.delete(node);
    for (const requirement of users.get(node) ?? []) {
      const left = open.get(requirement.from);
      const isMet = requirement.alternatives.some((steps) => steps.every(({ to }) => !open.has(to)));
      if (isMet && left?.delete(requirement) && left.size === 0) finite.push(requirement.from);
    }
  }
  return open;
}

function requirementsOf(struct: StructNode, scope: Scope): readonly Requirement[] {
  if (isDerived(struct) && struct.isPartial) return [];
  const groups = groupsOf(struct, scope);
  const stepsOfField = (field: FieldNode): readonly Step[] => {
    const to = structIn(field.type, field.meta, scope);
    return to === undefined ? [] : [{ from: struct, field, to }];
  };
  const alternatives = new Map<FieldNode | string, (readonly Step[])[]>();
  for (const field of struct.fields) {
    const group = groups.get(field);
    const mayBeAbsent = field.optional || field.meta.some(({ key }) => key.text === "nullable");
    if (group === undefined && mayBeAbsent) continue;
    alternatives.set(group ?? field, [...(alternatives.get(group ?? field) ?? []), stepsOfField(field)]);
  }
  const kinds = requiredByKind(struct, scope).map((fields) => fields.flatMap(stepsOfField));
  return [...alternatives.values(), kinds]
    .filter((each) => each.length > 0 && each.every((steps) => steps.length > 0))
    .map((each) => ({ from: struct, alternatives: each }));
}

/** Returns the fields that each kind of a struct requires. */
function requiredByKind(struct: StructNode, scope: Scope): readonly (readonly FieldNode[])[] {
  const kind = kindFieldOf(struct, scope);
  const values = kind && enumOf(kind, scope)?.node;
  if (values === undefined) return [];
  const conditions = [...conditionsOf(struct, scope)];
  return values.values.map((_, index) => {
    const wire = enumWireOf(values, index);
    const requires = conditions.filter(([, of]) =>
      of.some(({ value, isOptional }) => value === wire && !isOptional),
    );
    return requires.map(([field]) => field);
  });
}

/** Returns the circle that the first requirements of endless structs lead into. */
function circleFrom(
  root: StructNode,
  endless: ReadonlyMap<StructNode, ReadonlySet<Requirement>>,
): readonly Step[] {
  const path = new Map<StructNode, Step>();
  for (let at: StructNode | undefined = root; at !== undefined; ) {
    if (path.has(at)) return [...path.values()].slice([...path.keys()].indexOf(at));
    const [requirement]: Iterable<Requirement> = endless.get(at) ?? [];
    const step: Step | undefined = requirement?.alternatives[0]?.find(({ to }) => endless.has(to));
    if (step !== undefined) path.set(at, step);
    at = step?.to;
  }
  return [];
}

/** Returns the struct in every value of a type, also in lists and maps that must not be empty. */
function structIn(type: TypeNode, own: readonly MetaNode[], scope: Scope): StructNode | undefined {
  const seen = new Set<TypeNode>();
  let [at, lines]: [TypeNode, readonly MetaNode[]] = [type, own];
  for (;;) {
    const end: TypeNode = aliasesOf(at, scope).at(-1)?.type ?? at;
    const inner = end.kind === "list" ? end.element : end.kind === "map" ? end.value : undefined;
    if (inner === undefined) {
      const found = end.kind === "named" ? scope.typeByName.get(end.name)?.node : undefined;
      return found?.kind === "struct" ? found : undefined;
    }
    // An alias may be a list of itself.
    if (seen.has(end) || Number(metaNumber(lines, at, scope, "minItems") ?? 0) === 0) return undefined;
    seen.add(end);
    [at, lines] = [inner, []];
  }
}
