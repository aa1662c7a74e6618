/**
 * How generated files import each other: `"./types.ts"`, `"./types.js"` or `"./types"`. The files themselves always end
 * with `.ts`.
 */
export type ImportExtension = ".ts" | ".js" | "none";

/**
 * Matches imports and exports of other generated files. Lines of schema comments start with an asterisk, so they do not
 * match.
 */
const relativeImport = /^((?:import|export|\}) ?(?:[^"\n]* )?from |.*\bimport\()"(\.\.?\/[^"\n]+)\.ts"/gm;

/** Rewrites the relative imports of a generated file. */
export function withImportExtension(text: string, extension: ImportExtension): string {
  if (extension === ".ts") return text;
  return text.replace(relativeImport, `$1"$2${suffixOf(extension)}"`);
}

/** Returns `".js"`; an empty string for `"none"`. */
export function suffixOf(extension: ImportExtension): string {
  return extension === "none" ? "" : extension;
}
