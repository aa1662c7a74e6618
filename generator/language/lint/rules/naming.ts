import { isPascalCase, toPascalCase } from "../casing.ts";

/** What to do about a name that should be in PascalCase. */
export function pascalAdvice(name: string): { readonly advice?: string } {
  const better = toPascalCase(name);
  return isPascalCase(better) ? { advice: `Write "${better}".` } : {};
}
