import type { AliasNode, ErrorNode } from "../../syntax/tree.ts";
import { aliasesOf, errorDataOf, shapeOf } from "../meta/read.ts";
import { addMemberFix } from "../missing-names.ts";
import { firstDeclared, foldCase, replaceFix, suggestCapital, suggestName } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import type { Declared, Scope } from "../scope.ts";
import { startsUpper } from "./names.ts";

/** Largest error code that the reference tool can hold; larger codes are clamped to it. */
const maxErrorCode = 2_147_483_647;

/**
 * An error has a code of at least 1, an upper-case name that does not start with "Webrpc", a message, and a status from 400 to
 * 599.
 * Bad: `error 0 webrpcLost "x" HTTP 200`. Good: `error 100 RateLimited "too many requests" HTTP 429`.
 */
export const errors: Rule = (scope, report) => {
  for (const node of scope.file.declarations) if (node.kind === "error") checkError(node, scope, report);
};

function checkError(node: ErrorNode, scope: Scope, report: Report): void {
  const { code, message, httpStatus } = node;
  const name = errorName(node);
  const { span } = node.name;
  const location = { file: scope.file.source, span };
  if (!startsUpper(name)) report("error-name", { name }, span, suggestCapital(name, location));
  else if (/^webrpc/i.test(name)) {
    const rest = name.slice("webrpc".length);
    report(
      "error-name-reserved",
      { name },
      span,
      startsUpper(rest) ? { suggestion: replaceFix(rest, location) } : {},
    );
  }
  if (errorCode(node) < 1) report("error-code", { code: code.text }, code.span);
  else if (scope.file.format !== "ir" && Number(code.text) > maxErrorCode)
    report("error-code-clamped", { code: code.text }, code.span);
  if (message.value === "") report("error-message", { name }, message.span);
  const status = errorStatus(node);
  if (status < 400 || status > 599) {
    report(
      "error-status",
      { name, status: httpStatus?.text ?? String(status) },
      (httpStatus ?? node.name).span,
    );
  }
}

/**
 * Errors in scope have unique codes and unique names, ignoring letter case.
 * Bad: `error 1 A "x"` and `error 1 B "y"`. Good: one code each.
 */
export const uniqueErrors: Rule = (scope, report) => {
  const byName = new Map<string, Declared<ErrorNode>>();
  const byCode = new Map<string, Declared<ErrorNode>>();
  for (const error of scope.errors) {
    const { node, file } = error;
    const name = errorName(node);
    // Codes have 64 bits in an IR file, and are clamped to 32 bits in RIDL.
    const code = file.format === "ir" ? node.code.text : String(errorCode(node));
    const sameName = byName.get(foldCase(name));
    const sameCode = byCode.get(code);
    if (sameName !== undefined) {
      const other = errorName(sameName.node);
      report(name === other ? "duplicate-error-name" : "error-case", { name, other }, node.name.span, {
        file,
        ...firstAt(sameName),
      });
    } else if (sameCode !== undefined) {
      const other = errorName(sameCode.node);
      report("duplicate-error-code", { code, other }, node.code.span, { file, ...firstAt(sameCode) });
    }
    if (sameName === undefined) byName.set(foldCase(name), error);
    if (sameCode === undefined) byCode.set(code, error);
  }
};

/**
 * `errorData` names an error in scope, whose data no other alias describes, on an alias of a struct.
 * Bad: `+ errorData = Quota` without such an error. Good: `error 1 Quota "used up"` and `type QuotaData: Usage` with it.
 */
export const errorData: Rule = (scope, report) => {
  const known = new Set(scope.errors.map(({ node }) => errorName(node)));
  const owners = dataAliases(scope);
  for (const node of scope.file.declarations) {
    if (node.kind !== "alias") continue;
    const line = errorDataOf(node);
    // The rule of meta lines reports other types.
    if (line === undefined || !isErrorData(node, scope)) continue;
    const { value: name, span } = line.value;
    const owner = owners.get(name);
    if (!known.has(name)) {
      if (scope.hasUnreadImports || scope.mayBeUnparsed(name)) continue;
      const extra = /^webrpc/i.test(name)
        ? { advice: "Errors of the protocol have no data. Name an error of the schema." }
        : suggestName(name, { file: scope.file.source, span }, () => known);
      report("error-data-unknown", { name }, span, extra);
    } else if (owner !== undefined && owner.node !== node)
      report("error-data-taken", { name, other: owner.node.name.text }, span, firstAt(owner));
  }
};

/**
 * An import that names an error names the types of its data, too.
 * Bad: `- Quota` alone. Good: `- Quota`, `- QuotaData` and `- Usage`.
 */
export const importedErrorData: Rule = (scope, report) => {
  const owners = dataAliases(scope);
  for (const { node, scope: from } of scope.imports) {
    const data = node.members.length === 0 ? undefined : dataAliases(from);
    for (const { value: error, span } of node.members) {
      const alias = data?.get(error)?.node;
      if (alias === undefined || owners.has(error)) continue;
      const types = [alias, ...aliasesOf(alias.type, from)];
      const end = types.at(-1)?.type;
      const names = [...types.map(({ name }) => name.text), ...(end?.kind === "named" ? [end.name] : [])];
      const missing = names.filter((name) => !scope.typeByName.has(name));
      const suggestion = addMemberFix(missing, node.path.span.end, scope.file);
      report(
        "error-data-import",
        { error, types: missing.map((name) => `"${name}"`).join(" and ") },
        span,
        scope.file.format === "ridl" ? { suggestion } : {},
      );
    }
  }
};

/** Returns the alias of each error's data: the first alias of a struct that names the error. */
export function dataAliases(scope: Scope): ReadonlyMap<string, Declared<AliasNode>> {
  const found = new Map<string, Declared<AliasNode>>();
  for (const { node, file } of scope.types) {
    const name = node.kind === "alias" ? errorDataOf(node)?.value.value : undefined;
    if (node.kind !== "alias" || name === undefined || found.has(name)) continue;
    if (isErrorData(node, scope)) found.set(name, { node, file });
  }
  return found;
}

function isErrorData(node: AliasNode, scope: Scope): boolean {
  return shapeOf(node.type, scope) === "struct" && !scope.derived.has(node);
}

function firstAt({ node, file }: Declared<AliasNode | ErrorNode>): ReturnType<typeof firstDeclared> {
  return firstDeclared(file.source, node.name.span);
}

/** The error code, clamped to the reference tool's maximum. */
export function errorCode({ code }: ErrorNode): number {
  return Math.min(Number(code.text), maxErrorCode);
}

export function errorStatus({ httpStatus }: ErrorNode): number {
  return httpStatus === undefined ? 400 : Math.min(Number(httpStatus.text), maxErrorCode);
}

/** The name without the white space that a word may have at its ends (vertical tabs, no-break spaces and the like). */
export function errorName({ name }: ErrorNode): string {
  return name.text.replace(endSpaces, "");
}

/** The characters that Go's TrimSpace removes. */
const endSpaces: RegExp =
  /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+|[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/g;
