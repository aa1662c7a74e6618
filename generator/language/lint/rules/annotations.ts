import { suggest } from "../../diagnostics/suggest.ts";
import { cacheName, knownAnnotations } from "../../model/annotations.ts";
import { replaceFix } from "../../model/names.ts";
import { pagingName } from "../../model/paging.ts";
import { resumeName } from "../../model/resume.ts";
import { wireNameOf } from "../../model/rules/names.ts";
import type { Scope, TypeDeclarationNode } from "../../model/scope.ts";
import { bodilessVerbs } from "../../syntax/route-verbs.ts";
import type { FieldNode, MetaNode, MethodNode, Text, TypeNode } from "../../syntax/tree.ts";
import { defineRule, type LintRule, methodsOf, namesIn, typedNodesOf } from "../rule.ts";
import { foreignAdvice } from "./foreign-annotations.ts";

export const annotationRules: readonly LintRule[] = [
  defineRule({
    name: "deprecated-without-advice",
    code: "RK732",
    preset: "recommended",
    message: '"{name}" is deprecated, but the schema does not say what to use instead.',
    advice: 'Add it, such as @deprecated:"use GetUser" or + deprecated = "use id".',
    rule: "A deprecated item says what to use instead.",
    reason: "Readers of the warning need to know what to do.",
    bad: ["# Users.", "service Users", "  # Finds a user.", "  @deprecated", "  - Find(name: string)"],
    good: [
      "# Users.",
      "service Users",
      "  # Finds a user.",
      '  @deprecated:"use GetUser"',
      "  - Find(name: string)",
    ],
    check(schema, report) {
      for (const { node, file } of methodsOf(schema)) {
        const annotation = node.annotations.find(({ name }) => name.text === "deprecated");
        if (annotation === undefined || hasAdvice(annotation.value)) continue;
        report({ name: node.name.text }, { file, span: annotation.span, owner: node });
      }
      for (const { node, meta, file } of typedNodesOf(schema)) {
        const line = meta.find(({ key }) => key.text === "deprecated");
        if (line === undefined || hasAdvice(line.value)) continue;
        report({ name: node.name.text }, { file, span: line.span, owner: node });
      }
    },
  }),
  defineRule({
    name: "marked-in-url",
    code: "RK735",
    preset: "recommended",
    message:
      '"{field}" is secret or personal data, but "{method}" is called with it in a URL, which servers and proxies log.',
    advice: "Use a route with a body, such as POST, or remove @cache.",
    rule: "Secret and personal data is not sent in URLs.",
    reason:
      "Servers, proxies and browsers store URLs. GET, DELETE and QUERY routes send their fields in the URL, and so do methods with @cache.",
    bad: [
      "# A login.",
      "struct Login",
      "  # The token.",
      "  - token: string",
      "    + secret = true",
      "# The shop.",
      "service Shop",
      "  # Checks a login.",
      '  @readonly @cache:"60s"',
      "  - Check(login: Login) => (ok: bool)",
    ],
    good: [
      "# A login.",
      "struct Login",
      "  # The token.",
      "  - token: string",
      "    + secret = true",
      "# The shop.",
      "service Shop",
      "  # Checks a login.",
      "  @readonly",
      "  - Check(login: Login) => (ok: bool)",
    ],
    check(schema, report) {
      for (const { node, file, scope } of methodsOf(schema)) {
        if (!isCalledByUrl(node)) continue;
        const field = markedField(node, scope);
        if (field === undefined) continue;
        report({ field, method: node.name.text }, { file, span: node.name.span, owner: node });
      }
    },
  }),
  defineRule({
    name: "misspelled-annotations",
    code: "RK736",
    preset: "default",
    message: 'The annotation "{name}" is unknown; did you mean "{suggestion}"?',
    advice:
      "If it is meant for other tools, add a comment above the method: #! ridlkit-ignore misspelled-annotations: why",
    rule: "The annotations of ridlkit are spelled correctly.",
    reason: "Schemas may use any annotation, so a misspelled one has no effect and is not an error.",
    bad: ["# The shop.", "service Shop", "  # Buys a lamp.", "  @idempotencykey", "  - Buy(lamp: uint32)"],
    good: ["# The shop.", "service Shop", "  # Buys a lamp.", "  @idempotencyKey", "  - Buy(lamp: uint32)"],
    check(schema, report) {
      for (const { node: owner, file } of methodsOf(schema)) {
        for (const { name, value } of owner.annotations) {
          const isForeign = foreignAdvice({ name, value }) !== undefined;
          const suggestion = isForeign ? undefined : meantBy(name.text);
          if (suggestion === undefined) continue;
          const { span } = name;
          const edit = replaceFix(suggestion, { file: file.source, span });
          report({ name: name.text, suggestion }, { file, span, owner }, { suggestion: edit });
        }
      }
    },
  }),
];

/** Longest names of which only the letter case may differ. Words near them are often words of their own, such as "oauth". */
const maxShort = 4;
const names = knownAnnotations.map(({ name }) => name);
const known: ReadonlySet<string> = new Set(names);
const shortNames = names.filter(({ length }) => length <= maxShort);
const longNames = names.filter(({ length }) => length > maxShort);

const synonyms: ReadonlyMap<string, string> = new Map([
  ["pagination", pagingName],
  ["resumable", resumeName],
]);

function hasAdvice(text: Text | undefined): boolean {
  return text !== undefined && !/^(true|yes|1)?$/i.test(text.value.trim());
}

function isCalledByUrl({ route, annotations }: MethodNode): boolean {
  return route === undefined
    ? annotations.some(({ name }) => name.text === cacheName)
    : bodilessVerbs.has(route.verb.text);
}

/** Returns the name of the first marked argument or field of a request, at any depth. */
function markedField({ input: { succinct, list } }: MethodNode, scope: Scope): string | undefined {
  const seen = new Set<string>();
  const inType = (type: TypeNode, owner: string): string | undefined => {
    for (const name of namesIn(type)) {
      if (seen.has(name)) continue;
      seen.add(name);
      const marked = inDeclaration(scope.typeByName.get(name)?.node, owner);
      if (marked !== undefined) return marked;
    }
    return undefined;
  };
  const inDeclaration = (node: TypeDeclarationNode | undefined, owner: string): string | undefined => {
    if (node?.kind === "struct") return inStruct(node.fields);
    if (node?.kind !== "alias") return undefined;
    return isMarked(node.meta) ? owner : inType(node.type, owner);
  };
  const inStruct = (fields: readonly FieldNode[]): string | undefined => {
    for (const field of fields) {
      const name = wireNameOf(field);
      if (name === undefined) continue;
      const marked = isMarked(field.meta) ? name : inType(field.type, name);
      if (marked !== undefined) return marked;
    }
    return undefined;
  };
  if (succinct !== undefined) return inType({ kind: "named", name: succinct.text, span: succinct.span }, "");
  for (const { name, type } of list) {
    const marked = inType(type, name.text);
    if (marked !== undefined) return marked;
  }
  return undefined;
}

function isMarked(meta: readonly MetaNode[]): boolean {
  return meta.some(
    ({ key, value }) => (key.text === "secret" || key.text === "pii") && value.value === "true",
  );
}

function meantBy(name: string): string | undefined {
  if (known.has(name)) return undefined;
  const synonym = synonyms.get(name.toLowerCase());
  if (synonym !== undefined) return synonym;
  // Two typos are too many for short words: "external" is no misspelled "internal".
  return suggest(name, shortNames, 0.5) ?? suggest(name, longNames, name.length < 10 ? 1 : 2);
}
