import type { SourceFile, ts } from "ts-morph";
import type { Span } from "../../source/span.ts";
import { insideQuotes, spanOf } from "./places.ts";
import type { FileNotes, GeneratedImport, Morph, TypeName } from "./survey.ts";

export interface Notes {
  readonly file: FileNotes;
  readonly imports: readonly GeneratedImport[];
  readonly typeNames: readonly TypeName[];
}

export interface NotedFile {
  readonly path: string;
  /** Whether an import, by the path of the file and its specifier, leads into the generated folder. */
  readonly isGenerated: (path: string, specifier: string) => boolean;
}

/** What one file imports, and where it names types. */
export function noteFile(source: SourceFile, { path, isGenerated }: NotedFile, morph: Morph): Notes {
  const imports = source.getImportDeclarations();
  const generated = imports.filter((each) => isGenerated(path, each.getModuleSpecifierValue()));
  const identifiers = identifiersOf(source, morph);
  return {
    file: {
      identifiers: new Set(identifiers.map(({ text }) => text)),
      exports: exportsOf(source.compilerNode, morph.ts),
      importsEnd: imports.at(-1)?.getEnd(),
      relativeImports: [...imports, ...source.getExportDeclarations()].flatMap((each) => {
        const literal = each.getModuleSpecifier();
        if (literal === undefined || !literal.getLiteralText().startsWith(".")) return [];
        return [{ specifier: literal.getLiteralText(), span: insideQuotes(literal) }];
      }),
      generatedNamespaces: new Set(generated.flatMap((each) => each.getNamespaceImport()?.getText() ?? [])),
    },
    imports: generated.map((declaration) => {
      const specifier = declaration.getModuleSpecifier();
      const names = declaration.getNamedImports().map((named) => ({
        name: named.getName(),
        span: spanOf(named.getNameNode()),
        isAliased: named.getAliasNode() !== undefined,
      }));
      return { path, specifier: specifier.getLiteralText(), span: insideQuotes(specifier), names };
    }),
    typeNames: generated.length === 0 ? [] : identifiers.flatMap((node) => typeName(node, path, morph)),
  };
}

function exportsOf({ statements }: ts.SourceFile, ts: Morph["ts"]): ReadonlySet<string> {
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

/** Of the tree of the compiler itself: a wrapper around each identifier of a project takes ten times as long. */
function identifiersOf(source: SourceFile, { ts }: Morph): readonly ts.Identifier[] {
  const found: ts.Identifier[] = [];
  const open: ts.Node[] = [source.compilerNode];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (ts.isIdentifier(node)) found.push(node);
    const children: ts.Node[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    open.push(...children.reverse());
  }
  return found;
}

function typeName(node: ts.Identifier, path: string, { ts }: Morph): TypeName[] {
  const { parent, text: name } = node;
  const at = { path, name, span: spanIn(node) };
  if (ts.isQualifiedName(parent) && parent.right === node)
    return [{ ...at, qualifier: parent.left.getText() }];
  return isUse(node, parent, ts) ? [{ ...at, qualifier: undefined }] : [];
}

function spanIn(node: ts.Node): Span {
  return { start: node.getStart(), end: node.getEnd() };
}

/** Whether an identifier is a use of an imported name, and not a key, a member or a declaration of its own. */
function isUse(node: ts.Identifier, parent: ts.Node, ts: Morph["ts"]): boolean {
  if (
    ts.isTypeReferenceNode(parent) ||
    ts.isExpressionWithTypeArguments(parent) ||
    ts.isTypeQueryNode(parent)
  )
    return true;
  return ts.isExportSpecifier(parent) && (parent.propertyName ?? parent.name) === node;
}
