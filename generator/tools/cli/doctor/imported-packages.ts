import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import type { ts } from "ts-morph";
import type { ImportedPackage } from "../../doctor/examine.ts";
import { foldersAbove } from "../files/folders-above.ts";

type Ts = typeof ts;

/** The packages that the project's files import, each once. An import of values takes precedence over one of types. */
export function importedPackages(ts: Ts, program: ts.Program, cwd: string): readonly ImportedPackage[] {
  const ambient = new Set(
    program
      .getTypeChecker()
      .getAmbientModules()
      .map(({ name }) => name.slice(1, -1)),
  );
  const found = new Map<string, ImportedPackage>();
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || program.isSourceFileFromExternalLibrary(file)) continue;
    for (const one of importsOf(ts, file)) {
      const { text } = one.specifier;
      if (/^[./#]/.test(text) || ambient.has(text)) continue;
      const name = isBuiltin(text) ? "@types/node" : packageOf(text);
      const known = found.get(name);
      if (known !== undefined && (one.isTypeOnly || !known.isTypeOnly)) continue;
      const imported = resolveImport(ts, { program, file, name, ...one });
      if (imported !== undefined) found.set(name, { ...imported, importer: relative(cwd, file.fileName) });
    }
  }
  return [...found.values()];
}

interface Import {
  readonly specifier: ts.StringLiteral;
  readonly isTypeOnly: boolean;
}

function importsOf(ts: Ts, file: ts.SourceFile): readonly Import[] {
  return file.statements.flatMap((statement): Import[] => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier: specifier } = statement;
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return [];
    const isTypeOnly = ts.isImportDeclaration(statement) ? isTypeImport(ts, statement) : statement.isTypeOnly;
    return [{ specifier, isTypeOnly }];
  });
}

/** `import type { A } …` and `import { type A } …`. */
function isTypeImport(ts: Ts, { importClause: clause }: ts.ImportDeclaration): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((one) => one.isTypeOnly);
}

interface ImportInput extends Import {
  readonly program: ts.Program;
  readonly file: ts.SourceFile;
  readonly name: string;
}

/** Returns undefined if the name resolves to a file of the project, by "paths" or by a workspace link. */
function resolveImport(
  ts: Ts,
  { program, file, name, specifier, isTypeOnly }: ImportInput,
): Omit<ImportedPackage, "importer"> | undefined {
  const options = program.getCompilerOptions();
  const mode = ts.getModeForUsageLocation(file, specifier, options);
  const { resolvedModule } = ts.resolveModuleName(
    specifier.text,
    file.fileName,
    options,
    ts.sys,
    undefined,
    undefined,
    mode,
  );
  if (resolvedModule !== undefined && resolvedModule.isExternalLibraryImport !== true) return undefined;
  const folder = dirname(file.fileName);
  const types = resolvedModule !== undefined && /^[.](d[.])?[cm]?tsx?$/.test(resolvedModule.extension);
  const isThere = foldersAbove(folder).some((above) =>
    existsSync(join(above, "node_modules", name, "package.json")),
  );
  const isFoundElsewhere =
    resolvedModule !== undefined && !/[/\\]@types[/\\]/.test(resolvedModule.resolvedFileName);
  return {
    name,
    isTypeOnly: isTypeOnly || name === "@types/node",
    isInstalled: isThere || isFoundElsewhere,
    hasTypes: types,
    isInPackageJson: foldersAbove(folder).some((above) => listsPackage(join(above, "package.json"), name)),
  };
}

/** `@scope/name/part` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Whether a package.json depends on the package, or is the package's own. */
function listsPackage(path: string, name: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const text = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, "")) as Readonly<
      Record<string, unknown>
    > | null;
    const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    return text?.["name"] === name || kinds.some((kind) => Object.hasOwn(Object(text?.[kind]), name));
  } catch {
    return false;
  }
}
