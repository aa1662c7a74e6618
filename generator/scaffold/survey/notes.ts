import type { Node, SourceFile } from "ts-morph";
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
  const identifiers = source.getDescendantsOfKind(morph.SyntaxKind.Identifier);
  return {
    file: {
      identifiers: new Set(identifiers.map((each) => each.getText())),
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

function typeName(node: Node, path: string, morph: Morph): TypeName[] {
  const parent = node.getParent();
  const at = { path, name: node.getText(), span: spanOf(node) };
  if (morph.Node.isQualifiedName(parent) && parent.getRight() === node)
    return [{ ...at, qualifier: parent.getLeft().getText() }];
  return isUse(node, parent, morph) ? [{ ...at, qualifier: undefined }] : [];
}

/** Whether an identifier is a use of an imported name, and not a key, a member or a declaration of its own. */
function isUse(node: Node, parent: Node | undefined, { Node: is }: Morph): boolean {
  if (parent === undefined) return false;
  if (is.isTypeReference(parent) || is.isExpressionWithTypeArguments(parent) || is.isTypeQuery(parent))
    return true;
  return is.isExportSpecifier(parent) && parent.getNameNode() === node;
}
