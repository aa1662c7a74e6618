/** Maximum number of characters to examine. Type names are short. */
export const maxForeignLength = 200;

/** List and map types of other languages, with their RIDL form. */
const foreignForms: readonly (readonly [form: RegExp, ridlType: string])[] = [
  [/^(\w+)\[\]/, "[]$1"],
  [/^(?:Array|List|Vec|Set|list|array|set|vector)<(\w+)(?:>|(?=\s*$))/m, "[]$1"],
  [/^(?:Map|HashMap|Record|Dict|Dictionary|dict|record)<[ \t]*(\w+)[ \t]*,[ \t]*(\w+)[ \t]*>/, "map<$1,$2>"],
  [/^map\[(\w+)\]((?:\[\])?\w+)/, "map<$1,$2>"],
];

/**
 * Recognises a type in another language's syntax at the start of `text`: `"List<string> …"` → `"[]string"`, with the length of
 * the original.
 */
export function foreignType(
  text: string,
): { readonly ridlType: string; readonly length: number } | undefined {
  for (const [form, ridlType] of foreignForms) {
    const found = form.exec(text)?.[0];
    if (found === undefined || !/^([\s,)>|#;]|$)/.test(text.slice(found.length))) continue;
    return { ridlType: found.replace(form, ridlType), length: found.length };
  }
  return undefined;
}
