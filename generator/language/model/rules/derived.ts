import type { AliasNode, FieldNode, MetaNode, StructNode } from "../../syntax/tree.ts";
import { conditionsOf, kindFieldOf } from "../conditions.ts";
import { groupsOf } from "../groups.ts";
import { isMetaKeyName, metaKeys } from "../meta/keys.ts";
import { aliasesOf, structOf } from "../meta/read.ts";
import { addMemberFix } from "../missing-names.ts";
import { suggestName } from "../names.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { DerivedStruct, Scope, ScopedImport } from "../scope.ts";

/**
 * A derived struct names fields of its struct, keeps some of them, and keeps or loses groups as a whole.
 * Bad: `type NewUser: User` with `+ omit = idd`. Good: `+ omit = id`.
 */
export const derivedStructs: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "alias" || !node.meta.some(isOfDerived)) continue;
    const base = structOf(node.type, scope);
    const last = aliasesOf(node.type, scope).at(-1);
    if (base !== undefined) checkAlias(node, base, scope, report);
    else if (last !== undefined && aliasesOf(last.type, scope).includes(last)) {
      const fault = `"${last.name.text}" is an alias of itself`;
      report("derived-struct", { name: node.name.text, fault }, node.name.span, {
        advice: "Derive it from a struct.",
      });
    }
  }
  for (const imported of scope.imports) checkImported(imported, scope, report);
};

const ownKeys: ReadonlySet<string> = new Set(["omit", "pick", "partial"]);

function isOfDerived({ key }: MetaNode): boolean {
  return ownKeys.has(key.text);
}

function checkAlias(node: AliasNode, base: StructNode, scope: Scope, report: Report): void {
  const { name, meta } = node;
  const reject = (fault: string, advice: string, { span }: Pick<MetaNode, "span"> = name): void =>
    report("derived-struct", { name: name.text, fault }, span, { advice });
  for (const { key } of meta) {
    if (!isMetaKeyName(key.text) || ownKeys.has(key.text)) continue;
    const wanted = metaKeys[key.text].aliasOnly === true ? "an alias of it" : "its fields, or an alias of it";
    report("meta-place", { key: key.text, type: "a derived struct", wanted }, key.span);
  }
  const pick = meta.find(({ key }) => key.text === "pick");
  const omit = meta.find(({ key }) => key.text === "omit");
  if (pick !== undefined && omit !== undefined)
    reject('"pick" and "omit" exclude each other', "List the fields with one of them.", pick.key);
  for (const [index, { key, value, span }] of meta.entries()) {
    const isSame = (line: MetaNode): boolean =>
      line.key.text === key.text && line.value.value === value.value;
    if (key.text !== "partial" && ownKeys.has(key.text) && meta.slice(0, index).some(isSame))
      reject(`"${key.text}" lists "${value.value}" twice`, "Remove one of the lines.", { span });
  }
  if (checkNames(node, base, scope, report) > 0) return;
  const struct = scope.derived.get(node);
  if (struct === undefined && meta.length > 0) {
    if (pick !== undefined || omit !== undefined) reject("no field is left", "Keep at least one field.");
    return;
  }
  if (struct !== undefined) checkKinds(base, struct, scope, reject);
  const groups = groupsOf(base, scope);
  for (const group of new Set(groups.values())) {
    const isKept = (field: FieldNode): boolean => groups.get(field) === group;
    const kept = struct?.fields.filter(isKept).length ?? 0;
    if (kept === 1)
      reject(`it has one field of the group "${group}"`, "Omit the whole group, or keep two of its fields.");
    else if (kept > 1 && struct?.isPartial === true)
      reject(
        `"${group}" is a group, and a partial group has no meaning`,
        "Omit the fields of the group, or move them into a struct of their own.",
      );
  }
}

/** A kind stays with the fields that depend on it, and neither is partial. */
function checkKinds(
  base: StructNode,
  struct: DerivedStruct,
  scope: Scope,
  reject: (fault: string, advice: string) => void,
): void {
  const conditions = conditionsOf(base, scope);
  const kind = kindFieldOf(base, scope);
  const dependent = struct.fields.find((field) => conditions.has(field));
  if (kind === undefined || dependent === undefined) return;
  const depends = `"${dependent.name.text}" depends on "${kind.name.text}"`;
  if (!struct.fields.includes(kind))
    reject(`${depends}, which is left out`, "Leave both fields out, or keep both.");
  else if (struct.isPartial)
    reject(
      `${depends}, and a partial kind has no meaning`,
      "Omit the fields with conditions, or move them and the kind into a struct of their own.",
    );
}

/** Reports names that are not fields of the struct. Returns their number. */
function checkNames({ meta }: AliasNode, base: StructNode, scope: Scope, report: Report): number {
  const names = base.fields.map((field) => field.name.text);
  const unknown = meta.filter(
    ({ key, value }) => (key.text === "omit" || key.text === "pick") && !names.includes(value.value),
  );
  for (const { key, value } of unknown) {
    const { value: name, span } = value;
    const extra = (): ReportExtra =>
      name.includes(",")
        ? { advice: `Write a line "${key.text}" for each field.` }
        : suggestName(name, { file: scope.file.source, span }, () => names)();
    report("derived-field", { name, struct: base.name.text }, span, extra);
  }
  return unknown.length;
}

/** The IR, from which the struct is derived again, needs both. The reference does not look up the types of aliases again. */
function checkImported({ node, scope: from }: ScopedImport, scope: Scope, report: Report): void {
  for (const { node: type } of scope.types) {
    const struct = type.kind === "alias" ? from.derived.get(type) : undefined;
    if (struct === undefined || struct.alias.type.kind !== "named") continue;
    for (const missing of [struct.alias.type.name, struct.source.node.name.text])
      if (!scope.typeByName.has(missing)) {
        const fault = `"${missing}" is not imported here`;
        const suggestion = addMemberFix([missing], node.path.span.end, scope.file);
        const advice = "Add it to the imported members.";
        const extra = scope.file.format === "ridl" ? { advice, suggestion } : { advice };
        report("derived-struct", { name: type.name.text, fault }, node.span, extra);
      }
  }
}
