/** Longest piece of a line that is looked at, in characters: names of types are short. */
export const maxForeignLength = 200;

/** Lists and maps as other languages write them, each with what it is here. */
const foreignForms: readonly (readonly [form: RegExp, meant: string])[] = [
  [/^(\w+)\[\]/, "[]$1"],
  [/^(?:Array|List|Vec|Set|list|array|set|vector)<(\w+)(?:>|(?=\s*$))/m, "[]$1"],
  [/^(?:Map|HashMap|Record|Dict|Dictionary|dict|record)<[ \t]*(\w+)[ \t]*,[ \t]*(\w+)[ \t]*>/, "map<$1,$2>"],
  [/^map\[(\w+)\]((?:\[\])?\w+)/, "map<$1,$2>"],
];

/** The type that a text starts with in the manner of another language: `"List<string> …"` → `"[]string"`, with the length of what it replaces. */
export function foreignType(text: string): { readonly meant: string; readonly length: number } | undefined {
  for (const [form, meant] of foreignForms) {
    const found = form.exec(text)?.[0];
    if (found === undefined || !/^([\s,)>|#;]|$)/.test(text.slice(found.length))) continue;
    return { meant: found.replace(form, meant), length: found.length };
  }
  return undefined;
}
