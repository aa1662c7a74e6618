import { isPascalCase, toPascalCase } from "../casing.ts";

/** Suggests a name in PascalCase. */
export function pascalAdvice(name: string): { readonly advice?: string } {
  const better = toPascalCase(name);
  return isPascalCase(better) ? { advice: `Write "${better}".` } : {};
}
