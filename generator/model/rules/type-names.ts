import { foldName } from "../fold.ts";
import type { Rule } from "../rule.ts";
import type { Declared, TypeDeclarationNode } from "../scope.ts";

/**
 * A type starts with an upper case letter; no two in scope share a name, letter case aside.
 * Bad: `struct user`, `struct User` beside `enum USER: int`. Good: `struct User`.
 */
export const typeNames: Rule = (scope, report) => {
  const first = new Map<string, Declared<TypeDeclarationNode>>();
  for (const type of scope.types) {
    const { text, span } = type.node.name;
    const isOwn = type.file === scope.file;
    if (isOwn && !startsUpper(text)) report("type-name", { name: text }, span);
    else if (isOwn && !/^[A-Za-z0-9_]+$/.test(text)) report("type-name-characters", { name: text }, span);
    const earlier = first.get(foldName(text));
    if (earlier === undefined) {
      first.set(foldName(text), type);
      continue;
    }
    const other = earlier.node.name.text;
    const notes = [
      { message: "First declared here.", at: { file: earlier.file.source, span: earlier.node.name.span } },
    ];
    report("duplicate-type", { name: text, other }, span, { notes, file: type.file });
  }
};

/**
 * Whether the reference tool takes a name's first letter for upper case. It looks at the first byte of the UTF-8 as if that were
 * a letter, so an IR file may also start a name with what is written with the bytes C2 to D6 or D8 to DE.
 */
export function startsUpper(name: string): boolean {
  const code = name.codePointAt(0) ?? 0;
  if (code < 0x80) return code >= 0x41 && code <= 0x5a;
  const byte = 0xc0 | (code >> 6);
  return code < 0x7c0 && byte !== 0xd7 && byte !== 0xdf;
}
