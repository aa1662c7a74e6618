import type { IndexedAccessTypeNode, Node, SourceFile, TypeNode } from "ts-morph";
import type { TsMorph } from "./handler-index.ts";

/** The handlers of one service, or of the whole API. */
export type HandlersOf = { readonly service: string } | "api";

/** Maps the current and former names of handler interfaces to services: `MarketplaceHandlers` → `Marketplace`. */
export type ServiceByInterface = ReadonlyMap<string, string>;

/** Utility types around a handler type that can be ignored when it is resolved. */
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

/** Names of the generated functions that take the handlers of the API. */
const serverFunctions: ReadonlySet<string> = new Set(["createServer", "createPartialServer"]);

/** Resolves handler types in one file. Only imported names and aliases of them count. */
export class HandlerTypes {
  readonly #morph: TsMorph;
  readonly #serviceByInterface: ServiceByInterface;
  /** Maps local names to exported names. */
  readonly #imported: ReadonlyMap<string, string>;
  readonly #namespaces: ReadonlySet<string>;
  readonly #aliases = new Map<string, TypeNode>();

  constructor(
    source: SourceFile,
    {
      interfaces,
      isForeign,
    }: { readonly interfaces: ServiceByInterface; readonly isForeign: (specifier: string) => boolean },
    morph: TsMorph,
  ) {
    this.#morph = morph;
    this.#serviceByInterface = interfaces;
    const { ts } = morph;
    const { statements } = source.compilerNode;
    // Uses compiler nodes: ts-morph wrappers for a long list of imports take longer than parsing the file.
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

  /** Whether the file imports no handler types, and so contains no handlers. */
  get isEmpty(): boolean {
    if (this.#namespaces.size > 0) return false;
    return ![...this.#imported.values()].some(
      (name) => this.#isHandlerInterface(name) || serverFunctions.has(name),
    );
  }

  resolve(type: Node | undefined, depth = 0): HandlersOf | undefined {
    const { Node } = this.#morph;
    // Aliases may be cyclic while a file is being edited.
    if (type === undefined || depth > 20) return undefined;
    if (Node.isParenthesizedTypeNode(type)) return this.resolve(type.getTypeNode(), depth + 1);
    if (Node.isIndexedAccessTypeNode(type)) return this.#resolveIndexed(type, depth);
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
    return alias === undefined ? this.#resolveName(local) : this.resolve(alias, depth + 1);
  }

  /** Whether a callee is `createServer`, under any local name. */
  isServer(callee: Node): boolean {
    return serverFunctions.has(this.#exportedName(callee.getText()) ?? "");
  }

  /** The string literals in `["GetOrders" | "GetFloorOrder"]`, or in the second argument of `Pick`. */
  literals(type: Node | undefined): Node[] {
    const { Node } = this.#morph;
    if (type === undefined) return [];
    if (Node.isParenthesizedTypeNode(type)) return this.literals(type.getTypeNode());
    if (Node.isUnionTypeNode(type)) return type.getTypeNodes().flatMap((each) => this.literals(each));
    if (!Node.isLiteralTypeNode(type)) return [];
    const literal = type.getLiteral();
    return Node.isStringLiteral(literal) || Node.isNoSubstitutionTemplateLiteral(literal) ? [literal] : [];
  }

  #resolveIndexed(type: IndexedAccessTypeNode, depth: number): HandlersOf | undefined {
    if (this.resolve(type.getObjectTypeNode(), depth + 1) !== "api") return undefined;
    const [literal, ...others] = this.literals(type.getIndexTypeNode());
    return literal === undefined || others.length > 0
      ? undefined
      : { service: literal.getText().slice(1, -1) };
  }

  #resolveName(local: string): HandlersOf | undefined {
    const name = this.#exportedName(local);
    if (name === undefined) return undefined;
    if (name === "Handlers") return "api";
    const service = this.#serviceByInterface.get(name);
    return service === undefined ? undefined : { service };
  }

  /** `server.MarketplaceHandlers` with a namespace import is `MarketplaceHandlers`. */
  #exportedName(local: string): string | undefined {
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

/**
 * Determines which handlers an expression has to provide: from its annotation, `satisfies`, the return type of the function around it, or
 * the server that receives it. Looks through wrappers such as `answerFaults<Handlers>({ … })`.
 */
export function expectedHandlers(
  expression: Node,
  types: HandlerTypes,
  morph: TsMorph,
): HandlersOf | undefined {
  const { Node } = morph;
  let at = expression;
  for (let parent = at.getParent(); parent !== undefined; at = parent, parent = at.getParent()) {
    if (Node.isAsExpression(parent) || Node.isSatisfiesExpression(parent)) {
      const found = types.resolve(parent.getTypeNode());
      if (found !== undefined) return found;
    } else if (Node.isCallExpression(parent) || Node.isNewExpression(parent)) {
      const found = fromCall(parent, at, types, morph);
      if (found !== undefined || parent.getExpression() === at) return found;
    } else if (Node.isVariableDeclaration(parent) || Node.isPropertyDeclaration(parent)) {
      return types.resolve(parent.getTypeNode());
    } else if (Node.isReturnStatement(parent)) {
      const enclosing = parent.getFirstAncestor((ancestor) => Node.isFunctionLikeDeclaration(ancestor));
      if (enclosing === undefined) return undefined;
      const found = types.resolve(Node.isReturnTyped(enclosing) ? enclosing.getReturnTypeNode() : undefined);
      if (found !== undefined || !Node.isArrowFunction(enclosing)) return found;
      parent = enclosing;
    } else if (Node.isArrowFunction(parent)) {
      const found = types.resolve(parent.getReturnTypeNode());
      if (found !== undefined) return found;
    } else if (Node.isPropertyAssignment(parent)) {
      return fromProperty(parent, types, morph);
    } else if (!isTransparent(parent, morph)) return undefined;
  }
  return undefined;
}

function fromCall(
  call: Node,
  argument: Node,
  types: HandlerTypes,
  { Node }: TsMorph,
): HandlersOf | undefined {
  if (!Node.isCallExpression(call) && !Node.isNewExpression(call)) return undefined;
  for (const type of call.getTypeArguments()) {
    const found = types.resolve(type);
    if (found !== undefined) return found;
  }
  return types.isServer(call.getExpression()) && call.getArguments()[0] === argument ? "api" : undefined;
}

/** In the object of all services, each property has the handlers of one service. */
function fromProperty(property: Node, types: HandlerTypes, morph: TsMorph): HandlersOf | undefined {
  const { Node } = morph;
  const object = property.getParent();
  if (!Node.isPropertyAssignment(property) || object === undefined) return undefined;
  const service = keyOf(property, morph)?.name;
  return service !== undefined && expectedHandlers(object, types, morph) === "api" ? { service } : undefined;
}

function isTransparent(node: Node, { Node }: TsMorph): boolean {
  return (
    Node.isParenthesizedExpression(node) ||
    Node.isAwaitExpression(node) ||
    Node.isNonNullExpression(node) ||
    Node.isConditionalExpression(node) ||
    Node.isBinaryExpression(node)
  );
}

/** The static name of a property or member, with its span. */
export function keyOf(
  member: Node,
  { Node }: TsMorph,
):
  | { readonly name: string; readonly start: number; readonly end: number; readonly isQuoted: boolean }
  | undefined {
  const node = (member as Node & { getNameNode?(): Node | undefined }).getNameNode?.();
  if (node === undefined) return undefined;
  if (Node.isIdentifier(node))
    return { name: node.getText(), start: node.getStart(), end: node.getEnd(), isQuoted: false };
  const literal = Node.isComputedPropertyName(node) ? node.getExpression() : node;
  if (!Node.isStringLiteral(literal) && !Node.isNoSubstitutionTemplateLiteral(literal)) return undefined;
  const [start, end] = [literal.getStart() + 1, literal.getEnd() - 1];
  return { name: literal.getLiteralText(), start, end, isQuoted: true };
}
