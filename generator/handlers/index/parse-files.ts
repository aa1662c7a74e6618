import type { Project, SourceFile, ts } from "ts-morph";
import {
  type FileFacts,
  type GeneratedImport,
  type HandlerSyntaxError,
  insideQuotes,
  spanOf,
  type TsMorph,
  type TypeName,
} from "./handler-index.ts";
import { HandlerTypes, type ServiceByInterface } from "./handler-types.ts";

export interface ParseInput {
  /** Contents of the hand-written files by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly interfaces: ServiceByInterface;
  /** Whether an import resolves to generated code. Arguments: the importing file and the specifier. */
  readonly isGenerated: (path: string, specifier: string) => boolean;
  /** Whether an import resolves to the generated code of another schema. */
  readonly isForeign: (path: string, specifier: string) => boolean;
}

/** A parsed hand-written file. */
export interface ParsedFile {
  readonly path: string;
  readonly source: SourceFile;
  readonly types: HandlerTypes;
  readonly facts: SourceFacts;
  readonly syntaxErrors: readonly HandlerSyntaxError[];
}

/** Parses the files in order. */
export function parseFiles(
  { files, ...options }: ParseInput,
  morph: TsMorph,
): ReadonlyMap<string, ParsedFile> {
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { noLib: true, allowJs: true },
  });
  return new Map(
    [...files].map(([path, text]) => [path, parseFile(project, { path, text, ...options }, morph)]),
  );
}

function parseFile(
  project: Project,
  {
    path,
    text,
    interfaces,
    isGenerated,
    isForeign,
  }: Omit<ParseInput, "files"> & { readonly path: string; readonly text: string },
  morph: TsMorph,
): ParsedFile {
  // TypeScript would strip a byte order mark, which would shift all positions.
  const source = project.createSourceFile(`/${path}`, text.replace(/^\uFEFF/, " "));
  return {
    path,
    source,
    types: new HandlerTypes(
      source,
      { interfaces, isForeign: (specifier) => isForeign(path, specifier) },
      morph,
    ),
    facts: sourceFacts(source, { path, isGenerated }, morph),
    syntaxErrors: syntaxErrorsOf(source, path),
  };
}

function syntaxErrorsOf(source: SourceFile, path: string): readonly HandlerSyntaxError[] {
  // The syntax tree contains the parser's errors, so no program is needed.
  const { parseDiagnostics = [] } = source.compilerNode as unknown as {
    parseDiagnostics?: ParseDiagnostic[];
  };
  return parseDiagnostics.map(({ start, length, messageText }) => {
    const message = typeof messageText === "string" ? messageText : messageText.messageText;
    return { path, span: { start, end: start + length }, message: message.replace(/\.$/, "") };
  });
}

interface ParseDiagnostic {
  readonly start: number;
  readonly length: number;
  readonly messageText: string | { readonly messageText: string };
}

export interface SourceFacts {
  readonly file: FileFacts;
  readonly imports: readonly GeneratedImport[];
  readonly typeNames: readonly TypeName[];
}

export interface FactsInput {
  readonly path: string;
  /** Whether an import resolves to generated code. Arguments: the importing file and the specifier. */
  readonly isGenerated: (path: string, specifier: string) => boolean;
}

/** Collects the imports, exports and type names of one file. */
function sourceFacts(source: SourceFile, { path, isGenerated }: FactsInput, { ts }: TsMorph): SourceFacts {
  // Uses compiler nodes, because ts-morph wrappers for every node take ten times as long.
  const tree = source.compilerNode;
  const imports = tree.statements.filter((statement) => ts.isImportDeclaration(statement));
  const exports = tree.statements.filter((statement) => ts.isExportDeclaration(statement));
  const specifiers = [...imports, ...exports].flatMap(({ moduleSpecifier }) =>
    moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier] : [],
  );
  const generated = imports.flatMap(({ importClause, moduleSpecifier }) => {
    if (!ts.isStringLiteral(moduleSpecifier) || !isGenerated(path, moduleSpecifier.text)) return [];
    return [{ specifier: moduleSpecifier, bindings: importClause?.namedBindings }];
  });
  const identifiers = identifiersOf(tree, ts);
  return {
    file: {
      identifiers: new Set(identifiers.map(({ text }) => text)),
      exports: exportsOf(tree, ts),
      importsEnd: imports.at(-1)?.end,
      relativeImports: specifiers
        .filter(({ text }) => text.startsWith("."))
        .map((literal) => ({ specifier: literal.text, span: insideQuotes(literal) })),
      generatedNamespaces: new Set(
        generated.flatMap(({ bindings }) =>
          bindings !== undefined && ts.isNamespaceImport(bindings) ? [bindings.name.text] : [],
        ),
      ),
    },
    imports: generated.map(({ specifier, bindings }) => {
      const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
      const names = elements.map(({ name, propertyName }) => ({
        name: (propertyName ?? name).text,
        span: spanOf(propertyName ?? name),
        isAliased: propertyName !== undefined,
      }));
      return { path, specifier: specifier.text, span: insideQuotes(specifier), names };
    }),
    typeNames: generated.length === 0 ? [] : identifiers.flatMap((node) => typeName(node, path, ts)),
  };
}

function exportsOf({ statements }: ts.SourceFile, ts: TsMorph["ts"]): ReadonlySet<string> {
  const names = statements.flatMap((statement): string[] => {
    if (ts.isExportAssignment(statement)) return ["default"];
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, isTypeOnly } = statement;
      if (isTypeOnly || exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
      return exportClause.elements.filter((each) => !each.isTypeOnly).map(({ name }) => name.text);
    }
    if (!ts.isVariableStatement(statement) && !ts.isFunctionDeclaration(statement)) return [];
    const kinds = new Set(statement.modifiers?.map(({ kind }) => kind));
    if (!kinds.has(ts.SyntaxKind.ExportKeyword)) return [];
    if (kinds.has(ts.SyntaxKind.DefaultKeyword)) return ["default"];
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    return declared.flatMap(({ name }) => (name !== undefined && ts.isIdentifier(name) ? [name.text] : []));
  });
  return new Set(names);
}

function identifiersOf(tree: ts.SourceFile, ts: TsMorph["ts"]): readonly ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const open: ts.Node[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (ts.isIdentifier(node)) found.push(node);
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    open.push(...children.reverse());
  }
  return found;
}

function typeName(node: ts.Identifier, path: string, ts: TsMorph["ts"]): TypeName[] {
  const { parent, text: name } = node;
  const isReference = ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent);
  const at = { path, name, span: spanOf(node), isReference };
  if (ts.isQualifiedName(parent) && parent.right === node)
    return [{ ...at, qualifier: parent.left.getText() }];
  return isReference || isUse(node, parent, ts) ? [{ ...at, qualifier: undefined }] : [];
}

/** Whether an identifier is in a `typeof` type or in an export list, so that it can refer to an imported name. */
function isUse(node: ts.Identifier, parent: ts.Node, ts: TsMorph["ts"]): boolean {
  if (ts.isTypeQueryNode(parent)) return true;
  return ts.isExportSpecifier(parent) && (parent.propertyName ?? parent.name) === node;
}
