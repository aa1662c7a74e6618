import type { Location } from "../../diagnostics/diagnostic.ts";
import { nearest } from "../../diagnostics/suggest.ts";
import type { AliasNode, MethodNode, TypeNode } from "../../syntax/tree.ts";
import { typeText } from "../../syntax/type-text.ts";
import { coreTypeNamedLike, coreTypeNames, isCoreType } from "../core-types/index.ts";
import { addMemberFix, suggestImport } from "../missing-imports.ts";
import { didYouMean, replaceFix } from "../name-fixes.ts";
import { foldCase } from "../names.ts";
import { resolveKey } from "../resolve.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope, ScopedImport } from "../scope.ts";
import { fileType } from "../types.ts";

/**
 * Every type name is declared, and map keys are strings, integers or enums. The types that imported declarations refer to must be
 * in scope here, too.
 * Bad: `- user: Usr`, `map<bool,int>`. Good: `- user: User`, `map<string,int>`.
 */
export const knownTypes: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind === "struct") for (const { type } of node.fields) checkType(type, scope, report);
    else if (node.kind === "service") for (const method of node.methods) checkMethod(method, scope, report);
    else if (node.kind === "alias" && scope.file.format !== "ir") {
      checkType(node.type, scope, report);
      checkKeyOrder(node, scope, report);
    }
  }
  for (const imported of scope.imports) checkImported(imported, scope, report);
};

function checkMethod({ input, output }: MethodNode, scope: Scope, report: Report): void {
  for (const { list } of [input, output]) for (const { type } of list) checkType(type, scope, report);
}

function checkType(type: TypeNode, scope: Scope, report: Report): void {
  switch (type.kind) {
    case "list":
      checkType(type.element, scope, report);
      break;
    case "map":
      checkKey(type.key, scope, report);
      checkType(type.value, scope, report);
      break;
    case "named":
      if (!isCoreType(type.name) && type.name !== fileType && !scope.typeByName.has(type.name))
        reportUnknown(type.name, type, scope, report);
  }
}

function checkKey(key: TypeNode, scope: Scope, report: Report): void {
  const found = resolveKey(key, scope);
  if (typeof found === "object") return;
  if (key.kind === "named" && found === "unknown-name") reportUnknown(key.name, key, scope, report);
  else report("map-key", { key: key.kind === "named" ? key.name : key.kind }, key.span);
}

function reportUnknown(name: string, { span }: TypeNode, scope: Scope, report: Report): void {
  // The name may be declared in a part that failed to parse, which is already reported.
  if (scope.hasUnreadImports || scope.mayBeUnparsed(name)) return;
  const location = { file: scope.file.source, span };
  const options = (): string[] => [...coreTypeNames, fileType, ...scope.typeByName.keys()];
  report("unknown-type", { name }, span, suggestDeclared(name, location, options, scope));
}

/** Suggests an import if another file declares the name, and a similar name otherwise. */
export function suggestDeclared(
  name: string,
  location: Location,
  options: () => Iterable<string>,
  scope: Scope,
): () => ReportExtra {
  return () => {
    const elsewhere = suggestImport(name, scope);
    if (elsewhere !== undefined) return { ...elsewhere, missing: { name, suggestion: undefined } };
    const native = /^bytes;?$/i.test(name) ? "[]byte" : coreTypeNamedLike(name);
    if (native !== undefined) {
      const advice = `Did you mean "${native}"?`;
      return { advice, fix: replaceFix(native, location), missing: { name, suggestion: undefined } };
    }
    const near = nearest(name, options());
    const advice = "Declare it, or import the file that does.";
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
    const fix = addMemberFix(missing, importNode.path.span.end, scope.file);
    report(
      "import-lacks",
      { missing, user: usedBy },
      importNode.span,
      scope.file.format === "ridl" ? { fix } : {},
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
