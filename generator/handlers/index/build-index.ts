import type {
  ClassDeclaration,
  Node as MorphNode,
  Node,
  ObjectLiteralExpression,
  SourceFile,
} from "ts-morph";
import {
  type HandlerContainer,
  type HandlerIndex,
  type HandlerReference,
  insideQuotes,
  resolveImport,
  type ServiceReference,
  spanOf,
  type TsMorph,
} from "./handler-index.ts";
import { expectedHandlers, type HandlersOf, type HandlerTypes, keyOf } from "./handler-types.ts";
import type { ParsedFile } from "./parse-files.ts";

/** Builds an index of all references to the schema in hand-written files. */
export function buildHandlerIndex(files: ReadonlyMap<string, ParsedFile>, morph: TsMorph): HandlerIndex {
  return new HandlerIndexer(files, morph).build();
}

class HandlerIndexer {
  readonly #files: ReadonlyMap<string, ParsedFile>;
  readonly #morph: TsMorph;
  readonly #names: NameResolver;
  readonly #bySource: ReadonlyMap<SourceFile, ParsedFile>;
  /** Objects and modules that were already indexed. */
  readonly #seen = new Set<MorphNode>();
  readonly #references: HandlerReference[] = [];
  readonly #serviceReferences: ServiceReference[] = [];
  readonly #containers: HandlerContainer[] = [];

  constructor(files: ReadonlyMap<string, ParsedFile>, morph: TsMorph) {
    this.#files = files;
    this.#morph = morph;
    this.#bySource = new Map([...files.values()].map((file) => [file.source, file]));
    const sources = new Map([...files].map(([path, { source }]) => [path, source]));
    this.#names = new NameResolver(sources, (source) => this.#pathOf(source), morph);
  }

  build(): HandlerIndex {
    for (const file of this.#files.values()) if (!file.types.isEmpty) this.#walk(file);
    const files = [...this.#files.values()];
    return {
      references: this.#references,
      serviceReferences: this.#serviceReferences,
      containers: this.#containers,
      imports: files.flatMap(({ facts }) => facts.imports),
      typeNames: files.flatMap(({ facts }) => facts.typeNames),
      files: new Map(files.map(({ path, facts }) => [path, facts.file])),
      syntaxErrors: files.flatMap(({ syntaxErrors }) => syntaxErrors),
    };
  }

  #walk({ source, path, types }: ParsedFile): void {
    const { Node } = this.#morph;
    source.forEachDescendant((node, traversal) => {
      if (Node.isImportDeclaration(node)) traversal.skip();
      else if (Node.isIndexedAccessTypeNode(node) || Node.isTypeReference(node)) this.#addType(node, path);
      else if (Node.isObjectLiteralExpression(node))
        this.#addObject(node, expectedHandlers(node, types, this.#morph));
      else if (Node.isClassDeclaration(node)) this.#addClass(node);
      else if (Node.isIdentifier(node)) this.#followServerArgument(node);
    });
  }

  /** `MarketplaceHandlers["GetOrders"]`, `Handlers["Marketplace"]`, `Pick<MarketplaceHandlers, "GetOrders">`. */
  #addType(node: MorphNode, path: string): void {
    const { Node } = this.#morph;
    const types = this.#typesOf(node.getSourceFile());
    const [object, index] = Node.isIndexedAccessTypeNode(node)
      ? [node.getObjectTypeNode(), node.getIndexTypeNode()]
      : Node.isTypeReference(node) && /^(Pick|Omit)$/.test(node.getTypeName().getText())
        ? node.getTypeArguments()
        : [];
    const handlers = types.resolve(object);
    if (handlers === undefined) return;
    const exportName = exportNameOf(node, this.#morph);
    for (const literal of types.literals(index)) {
      const span = insideQuotes(literal);
      const name = literal.getText().slice(1, -1);
      const at = { path, span, isQuoted: true, isShorthand: false };
      if (handlers === "api") this.#serviceReferences.push({ ...at, service: name });
      else
        this.#references.push({
          ...at,
          kind: "type",
          service: handlers.service,
          method: name,
          isHandler: exportName !== undefined,
          exportName,
        });
    }
  }

  /** Indexes an object of handlers, or the object of all services. */
  #addObject(object: ObjectLiteralExpression, handlers: HandlersOf | undefined): void {
    const { Node } = this.#morph;
    if (handlers === undefined || this.#seen.has(object)) return;
    this.#seen.add(object);
    const path = this.#pathOf(object.getSourceFile());
    const names = new Set<string>();
    let hasUnknownNames = false;
    for (const property of object.getProperties()) {
      if (Node.isSpreadAssignment(property)) {
        const spread = this.#names.keysOf(property.getExpression());
        for (const name of spread ?? []) names.add(name);
        if (spread === undefined) hasUnknownNames = true;
        continue;
      }
      const key = keyOf(property, this.#morph);
      if (key === undefined) {
        hasUnknownNames = true;
        continue;
      }
      names.add(key.name);
      const { start, end, isQuoted } = key;
      const at = {
        path,
        span: { start, end },
        isQuoted,
        isShorthand: Node.isShorthandPropertyAssignment(property),
      };
      if (handlers === "api") {
        this.#serviceReferences.push({ ...at, service: key.name });
        this.#follow(
          Node.isPropertyAssignment(property) ? property.getInitializer() : property.getNameNode(),
          key.name,
        );
      } else
        this.#references.push({
          ...at,
          kind: "property",
          service: handlers.service,
          method: key.name,
          isHandler: false,
        });
    }
    const last = object.getProperties().at(-1);
    const inside = { start: object.getStart() + 1, end: object.getEnd() - 1 };
    this.#containers.push({
      service: handlers === "api" ? undefined : handlers.service,
      kind: "object",
      path,
      inside,
      lastEnd: last?.getEnd() ?? inside.start,
      hasTrailingComma: last?.getNextSibling()?.getText() === ",",
      names,
      hasUnknownNames,
    });
  }

  #addClass(node: ClassDeclaration): void {
    const types = this.#typesOf(node.getSourceFile());
    for (const handlers of node.getImplements().map((each) => types.resolve(each))) {
      if (handlers === undefined || handlers === "api") continue;
      const path = this.#pathOf(node.getSourceFile());
      const names = new Set<string>();
      for (const member of node.getMembers()) {
        const key = keyOf(member, this.#morph);
        if (key === undefined) continue;
        names.add(key.name);
        const { start, end, isQuoted } = key;
        const at = { path, span: { start, end }, isQuoted, isShorthand: false };
        this.#references.push({
          ...at,
          kind: "member",
          service: handlers.service,
          method: key.name,
          isHandler: true,
        });
      }
      const open = node.getFirstChildByKind(this.#morph.SyntaxKind.OpenBraceToken);
      const start = open?.getEnd() ?? node.getEnd() - 1;
      const lastEnd = node.getMembers().at(-1)?.getEnd() ?? start;
      this.#containers.push({
        service: handlers.service,
        kind: "class",
        path,
        inside: { start, end: node.getEnd() - 1 },
        lastEnd,
        hasTrailingComma: false,
        names,
        hasUnknownNames: node.getExtends() !== undefined,
      });
    }
  }

  /** Follows an expression to the handlers of a service: an object, a module, the result of a function, or the argument of a wrapper. */
  #follow(value: MorphNode | undefined, service: string, depth = 0): void {
    const { Node } = this.#morph;
    if (value === undefined || depth > 20) return;
    if (Node.isIdentifier(value)) this.#followName(value, service, depth);
    else if (Node.isObjectLiteralExpression(value)) this.#addObject(value, { service });
    else if (Node.isCallExpression(value)) {
      this.#follow(value.getExpression(), service, depth + 1);
      for (const argument of value.getArguments())
        if (Node.isIdentifier(argument)) this.#follow(argument, service, depth + 1);
    } else if (
      Node.isParenthesizedExpression(value) ||
      Node.isAsExpression(value) ||
      Node.isSatisfiesExpression(value) ||
      Node.isAwaitExpression(value)
    )
      this.#follow(value.getExpression(), service, depth + 1);
    else if (
      Node.isFunctionDeclaration(value) ||
      Node.isArrowFunction(value) ||
      Node.isFunctionExpression(value)
    ) {
      const body = value.getBody();
      if (body !== undefined && !Node.isBlock(body)) this.#follow(body, service, depth + 1);
      else for (const returned of returnsOf(body, this.#morph)) this.#follow(returned, service, depth + 1);
    }
  }

  #followName(name: MorphNode, service: string, depth: number): void {
    const found = this.#names.find(name.getText(), name.getSourceFile());
    if (found === undefined) return;
    if (this.#morph.Node.isSourceFile(found)) this.#addModule(found, service);
    else this.#follow(found, service, depth + 1);
  }

  /** `import * as marketplace from "./marketplace.ts"`: each export with the name of a method is the handler of that method. */
  #addModule(source: SourceFile, service: string): void {
    if (this.#seen.has(source)) return;
    this.#seen.add(source);
    const path = this.#pathOf(source);
    const names = new Set<string>();
    let hasUnknownNames = false;
    for (const declaration of source.getExportDeclarations()) {
      if (declaration.isNamespaceExport()) hasUnknownNames = true;
      for (const named of declaration.getNamedExports()) {
        const node = named.getAliasNode() ?? named.getNameNode();
        names.add(node.getText());
        const at = {
          path,
          span: spanOf(node),
          isQuoted: false,
          isShorthand: named.getAliasNode() === undefined,
        };
        this.#references.push({ ...at, kind: "export", service, method: node.getText(), isHandler: false });
      }
    }
    for (const [name, declarations] of source.getExportedDeclarations()) {
      const declaration = declarations[0];
      if (names.has(name) || declaration === undefined || declaration.getSourceFile() !== source) continue;
      names.add(name);
      const key = keyOf(declaration, this.#morph);
      if (key === undefined) continue;
      const at = { path, span: { start: key.start, end: key.end }, isQuoted: false, isShorthand: false };
      this.#references.push({ ...at, kind: "export", service, method: name, isHandler: true });
    }
    const end = source.getEnd();
    this.#containers.push({
      service,
      kind: "module",
      path,
      inside: { start: 0, end },
      lastEnd: end,
      hasTrailingComma: false,
      names,
      hasUnknownNames,
    });
  }

  #followServerArgument(node: MorphNode): void {
    const { Node } = this.#morph;
    // createServer(handlers): the object is declared elsewhere.
    const parent = node.getParent();
    if (!Node.isCallExpression(parent) || parent.getArguments()[0] !== node) return;
    const types = this.#typesOf(node.getSourceFile());
    if (!types.isServer(parent.getExpression())) return;
    const found = this.#names.find(node.getText(), node.getSourceFile());
    if (Node.isObjectLiteralExpression(found)) this.#addObject(found, "api");
  }

  #typesOf(source: SourceFile): HandlerTypes {
    return this.#fileOf(source).types;
  }

  #pathOf(source: SourceFile): string {
    return this.#fileOf(source).path;
  }

  #fileOf(source: SourceFile): ParsedFile {
    return this.#bySource.get(source) as ParsedFile;
  }
}

function returnsOf(body: MorphNode | undefined, { Node }: TsMorph): MorphNode[] {
  if (!Node.isBlock(body)) return [];
  return body
    .getStatements()
    .flatMap((statement) => (Node.isReturnStatement(statement) ? (statement.getExpression() ?? []) : []));
}

/** The export name of a value that has this declared type, or of a function that returns it. */
function exportNameOf(type: MorphNode, { Node }: TsMorph): string | undefined {
  let at = type.getParent();
  while (at !== undefined && Node.isTypeNode(at)) at = at.getParent();
  if (Node.isArrowFunction(at)) at = at.getParent();
  if (!Node.isVariableDeclaration(at) && !Node.isFunctionDeclaration(at)) return undefined;
  const statement = Node.isVariableDeclaration(at) ? at.getVariableStatement() : at;
  const file = statement?.getParent();
  if (!Node.isSourceFile(file)) return undefined;
  const name = at.getName();
  if (statement?.hasExportKeyword()) return statement.hasDefaultKeyword() ? "default" : name;
  return name === undefined ? undefined : exportedAs(name, file);
}

/** Finds `export default getOrders` or `export { getOrders as GetOrders }`. Does not use symbols, because ts-morph would build a program of all files. */
function exportedAs(name: string, file: SourceFile): string | undefined {
  if (file.getExportAssignments().some((each) => each.getExpression().getText() === name)) return "default";
  const named = file
    .getExportDeclarations()
    .filter((each) => !each.hasModuleSpecifier())
    .flatMap((each) => each.getNamedExports())
    .find((each) => each.getName() === name);
  return named === undefined ? undefined : (named.getAliasNode()?.getText() ?? name);
}

/** Stops at names that refer to themselves. */
const maxDepth = 20;

/** Resolves names across the indexed files. */
class NameResolver {
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
