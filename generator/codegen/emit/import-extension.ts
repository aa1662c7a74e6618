import type { ImportExtension } from "../options.ts";

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

/** `import … from "x"` and `export … from "x"`, whose clause may have several lines. Starts a line, as no comment does. */
const statement = /^((?:import|export) (type )?[^"{};\n]*(?:\{[^}]*\})? ?from )"([^"\n]+)"/gm;

/** The modules that a file imports or exports from. */
export function importsIn(text: string): readonly { readonly from: string; readonly isType: boolean }[] {
  return Array.from(text.matchAll(statement), ([, , type, from = ""]) => ({
    from,
    isType: type !== undefined,
  }));
}

/** Replaces the modules that a file imports or exports from. */
export function withImports(text: string, replace: (from: string) => string): string {
  return text.replace(
    statement,
    (_all, clause: string, _type, from: string) => `${clause}"${replace(from)}"`,
  );
}

/** Returns `".js"`; an empty string for `"none"`. */
export function suffixOf(extension: ImportExtension): string {
  return extension === "none" ? "" : extension;
}
