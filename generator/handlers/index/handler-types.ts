import type { IndexedAccessTypeNode, Node, SourceFile, TypeNode } from "ts-morph";
import type { TsMorph } from "./handler-index.ts";

/** What a type says of handlers: those of one service, or of all. */
export type HandlersOf = { readonly service: string } | "api";

/** Which service the interface of a name belongs to, today or when the record was written: `MarketplaceHandlers` → `Marketplace`. */
export type ServiceByInterface = ReadonlyMap<string, string>;

/** Types around handlers that change nothing about who they are. */
const wrapperTypes: ReadonlySet<string> = new Set([
  "Partial",
  "Required",
  "Readonly",
  "Pick",
  "Omit",
  "Promise",
  "Awaited",
  "NonNullable",
]);

/** Names of the generated function that takes the handlers of the API. */
const serverFunctions: ReadonlySet<string> = new Set(["createServer", "createPartialServer"]);

/** Reads types of handlers in one file. Only names that it imports count, and aliases that it makes of them. */
export class HandlerTypes {
  readonly #morph: TsMorph;
  readonly #serviceByInterface: ServiceByInterface;
  /** Local name to the name in the module that it is from. */
  readonly #imported: ReadonlyMap<string, string>;
  readonly #namespaces: ReadonlySet<string>;
  readonly #aliases = new Map<string, TypeNode>();

  constructor(
    source: SourceFile,
    {
      vocabulary,
      isForeign,
    }: { readonly vocabulary: ServiceByInterface; readonly isForeign: (specifier: string) => boolean },
    morph: TsMorph,
  ) {
    this.#morph = morph;
    this.#serviceByInterface = vocabulary;
    const { ts } = morph;
    const { statements } = source.compilerNode;
    // Of the tree of the compiler itself: wrappers around all that a long list of handlers imports take longer than parsing it.
    const bindings = statements
      .filter((statement) => ts.isImportDeclaration(statement))
      .filter(
        ({ moduleSpecifier }) => !(ts.isStringLiteral(moduleSpecifier) && isForeign(moduleSpecifier.text)),
      )
      .flatMap(({ importClause }) => importClause?.namedBindings ?? []);
    this.#imported = new Map(
      bindings
        .flatMap((binding) => (ts.isNamedImports(binding) ? [...binding.elements] : []))
        .map(({ name, propertyName }) => [name.text, (propertyName ?? name).text] as const),
    );
    this.#namespaces = new Set(
      bindings.flatMap((binding) => (ts.isNamespaceImport(binding) ? [binding.name.text] : [])),
    );
    if (!statements.some((statement) => ts.isTypeAliasDeclaration(statement))) return;
    for (const alias of source.getTypeAliases()) {
      const type = alias.getTypeNode();
      if (type !== undefined) this.#aliases.set(alias.getName(), type);
    }
  }

  /** Whether anything here can be of interest: a file that imports no such name has no handlers in it. */
  get isEmpty(): boolean {
    if (this.#namespaces.size > 0) return false;
    return ![...this.#imported.values()].some(
      (name) => this.#isHandlerInterface(name) || serverFunctions.has(name),
    );
  }

  resolve(type: Node | undefined, depth = 0): HandlersOf | undefined {
    const { Node } = this.#morph;
    // Aliases may refer to each other in a circle while somebody edits.
    if (type === undefined || depth > 20) return undefined;
    if (Node.isParenthesizedTypeNode(type)) return this.resolve(type.getTypeNode(), depth + 1);
    if (Node.isIndexedAccessTypeNode(type)) return this.#indexed(type, depth);
    const name = Node.isTypeReference(type)
      ? type.getTypeName()
      : Node.isExpressionWithTypeArguments(type)
        ? type.getExpression()
        : undefined;
    if (name === undefined) return undefined;
    const local = name.getText();
    if (wrapperTypes.has(local) && !this.#imported.has(local))
      return this.resolve(firstArgument(type), depth + 1);
    const alias = this.#aliases.get(local);
    return alias === undefined ? this.#named(local) : this.resolve(alias, depth + 1);
  }

  /** `createServer`, under whatever name it was imported. */
  isServer(callee: Node): boolean {
    return serverFunctions.has(this.#original(callee.getText()) ?? "");
  }

  /** The texts in `["GetOrders" | "GetFloorOrder"]`, or in the second argument of `Pick`. */
  literals(type: Node | undefined): Node[] {
    const { Node } = this.#morph;
    if (type === undefined) return [];
    if (Node.isParenthesizedTypeNode(type)) return this.literals(type.getTypeNode());
    if (Node.isUnionTypeNode(type)) return type.getTypeNodes().flatMap((each) => this.literals(each));
    if (!Node.isLiteralTypeNode(type)) return [];
    const literal = type.getLiteral();
    return Node.isStringLiteral(literal) || Node.isNoSubstitutionTemplateLiteral(literal) ? [literal] : [];
  }

  #indexed(type: IndexedAccessTypeNode, depth: number): HandlersOf | undefined {
    if (this.resolve(type.getObjectTypeNode(), depth + 1) !== "api") return undefined;
    const [literal, ...others] = this.literals(type.getIndexTypeNode());
    return literal === undefined || others.length > 0
      ? undefined
      : { service: literal.getText().slice(1, -1) };
  }

  #named(local: string): HandlersOf | undefined {
    const name = this.#original(local);
    if (name === undefined) return undefined;
    if (name === "Handlers") return "api";
    const service = this.#serviceByInterface.get(name);
    return service === undefined ? undefined : { service };
  }

  /** `server.MarketplaceHandlers` of a namespace is `MarketplaceHandlers`. */
  #original(local: string): string | undefined {
    const dot = local.lastIndexOf(".");
    if (dot === -1) return this.#imported.get(local);
    return this.#namespaces.has(local.slice(0, dot)) ? local.slice(dot + 1) : undefined;
  }

  #isHandlerInterface(name: string): boolean {
    return name === "Handlers" || this.#serviceByInterface.has(name);
  }
}

function firstArgument(type: Node): Node | undefined {
  return (type as Node & { getTypeArguments?(): Node[] }).getTypeArguments?.()[0];
}
