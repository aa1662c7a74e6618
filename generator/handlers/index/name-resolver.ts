import type { Node, SourceFile } from "ts-morph";
import { keyOf } from "./expected-handlers.ts";
import { resolveImport, type TsMorph } from "./handler-index.ts";

/** Stops at names that refer to themselves. */
const maxDepth = 20;

/** Resolves names across the indexed files. */
export class NameResolver {
  readonly #sources: ReadonlyMap<string, SourceFile>;
  readonly #pathOf: (source: SourceFile) => string;
  readonly #morph: TsMorph;

  constructor(
    sources: ReadonlyMap<string, SourceFile>,
    pathOf: (source: SourceFile) => string,
    morph: TsMorph,
  ) {
    this.#sources = sources;
    this.#pathOf = pathOf;
    this.#morph = morph;
  }

  /** Finds the value of a name in this file, or in the file that it is imported from. Returns the file for a namespace import. */
  find(name: string, source: SourceFile, depth = 0): Node | undefined {
    if (depth > maxDepth) return undefined;
    const variable = source.getVariableDeclaration(name);
    if (variable !== undefined) return variable.getInitializer();
    const declared = source.getFunction(name);
    if (declared !== undefined) return declared;
    for (const declaration of source.getImportDeclarations()) {
      const module = this.#imported(source, declaration.getModuleSpecifierValue());
      if (declaration.getNamespaceImport()?.getText() === name) return module;
      const named = declaration.getNamedImports().find((each) => localName(each) === name);
      if (named !== undefined) return module && this.find(named.getName(), module, depth + 1);
    }
    for (const declaration of source.getExportDeclarations()) {
      const named = declaration.getNamedExports().find((each) => localName(each) === name);
      const specifier = declaration.getModuleSpecifierValue();
      const module = specifier === undefined ? source : this.#imported(source, specifier);
      if (named !== undefined && module !== undefined) return this.find(named.getName(), module, depth + 1);
    }
    // The name may be declared inside of a function.
    return source
      .getDescendantsOfKind(this.#morph.SyntaxKind.VariableDeclaration)
      .find((each) => each.getName() === name)
      ?.getInitializer();
  }

  /** The keys of an object; undefined if they are not static. */
  keysOf(value: Node, depth = 0): ReadonlySet<string> | undefined {
    const { Node: is } = this.#morph;
    if (depth > maxDepth) return undefined;
    if (is.isIdentifier(value)) {
      const found = this.find(value.getText(), value.getSourceFile());
      return found === undefined || is.isSourceFile(found) ? undefined : this.keysOf(found, depth + 1);
    }
    if (!is.isObjectLiteralExpression(value)) return undefined;
    const keys = new Set<string>();
    for (const property of value.getProperties()) {
      const own = is.isSpreadAssignment(property)
        ? this.keysOf(property.getExpression(), depth + 1)
        : keyOf(property, this.#morph)?.name;
      if (own === undefined) return undefined;
      for (const key of typeof own === "string" ? [own] : own) keys.add(key);
    }
    return keys;
  }

  #imported(from: SourceFile, specifier: string): SourceFile | undefined {
    const path = resolveImport(this.#pathOf(from), specifier, (each) => this.#sources.has(each));
    return path === undefined ? undefined : this.#sources.get(path);
  }
}

function localName(named: { getName(): string; getAliasNode(): Node | undefined }): string {
  return named.getAliasNode()?.getText() ?? named.getName();
}
