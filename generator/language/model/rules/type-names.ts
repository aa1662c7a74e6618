import { capitaliseFix } from "../name-fixes.ts";
import { foldCase } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import type { Declared, TypeDeclarationNode } from "../scope.ts";

/**
 * A type name starts with an upper-case letter and is unique in scope, ignoring letter case.
 * Bad: `struct user`, `struct User` and `enum USER: int`. Good: `struct User`.
 */
export const typeNames: Rule = (scope, report) => {
  for (const type of scope.types) {
    const { text, span } = type.node.name;
    const isOwn = type.file === scope.file;
    if (isOwn && !startsUpper(text))
      report("type-name", { name: text }, span, capitaliseFix(text, { file: type.file.source, span }));
    else if (isOwn && !/^[A-Za-z0-9_]+$/.test(text)) report("type-name-characters", { name: text }, span);
    const first = scope.typeByFoldedName.get(foldCase(text));
    if (first !== undefined && first !== type) reportClash(first, type, report);
  }
};

/** Reports the later of two declarations in one file. Compares positions, because the scope lists enums before structs. */
function reportClash(
  one: Declared<TypeDeclarationNode>,
  other: Declared<TypeDeclarationNode>,
  report: Report,
): void {
  const isInOrder = one.file !== other.file || one.node.span.start < other.node.span.start;
  const [first, second] = isInOrder ? [one, other] : [other, one];
  const name = second.node.name.text;
  const notes = [
    { message: "First declared here.", at: { file: first.file.source, span: first.node.name.span } },
  ];
  const parameters = { name, other: first.node.name.text };
  const code = name === parameters.other ? "duplicate-type" : "type-case";
  report(code, parameters, second.node.name.span, { notes, file: second.file });
}

/**
 * Whether the reference tool considers the first letter upper case. It treats the first UTF-8 byte as a character, so
 * names in an IR file may also start with a character whose first byte is C2 to D6 or D8 to DE.
 */
export function startsUpper(name: string): boolean {
  const code = name.codePointAt(0) ?? 0;
  if (code < 0x80) return code >= 0x41 && code <= 0x5a;
  const byte = 0xc0 | (code >> 6);
  return code < 0x7c0 && byte !== 0xd7 && byte !== 0xdf;
}
