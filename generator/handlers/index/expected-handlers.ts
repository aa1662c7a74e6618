import type { Node } from "ts-morph";
import type { TsMorph } from "./handler-index.ts";
import type { HandlersOf, HandlerTypes } from "./handler-types.ts";

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
