/** How generated files import each other: `"./types.ts"`, `"./types.js"` or `"./types"`. Their own names end with `.ts` either way. */
export type ImportExtension = ".ts" | ".js" | "none";

/** An import or export of another generated file. Comments of the schema start their lines with an asterisk. */
const relativeImport = /^((?:import|export|\}) ?(?:[^"\n]* )?from |.*\bimport\()"(\.\.?\/[^"\n]+)\.ts"/gm;

/** The text of a generated file with its imports in another form. */
export function withImportExtension(text: string, extension: ImportExtension): string {
  if (extension === ".ts") return text;
  return text.replace(relativeImport, `$1"$2${endingOf(extension)}"`);
}

/** `".js"`; nothing for `"none"`. */
export function endingOf(extension: ImportExtension): string {
  return extension === "none" ? "" : extension;
}
