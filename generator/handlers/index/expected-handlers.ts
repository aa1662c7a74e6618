import type { Node } from "ts-morph";
import type { TsMorph } from "./handler-index.ts";
import type { HandlersOf, HandlerTypes } from "./handler-types.ts";

/**
 * What handlers an expression is to be: by its annotation, `satisfies`, the return type of the function around it, or the server
 * that it is given to. Wrappers around it change nothing: `answerFaults<Handlers>({ … })`.
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
      const said = types.resolve(parent.getTypeNode());
      if (said !== undefined) return said;
    } else if (Node.isCallExpression(parent) || Node.isNewExpression(parent)) {
      const said = fromCall(parent, at, types, morph);
      if (said !== undefined || parent.getExpression() === at) return said;
    } else if (Node.isVariableDeclaration(parent) || Node.isPropertyDeclaration(parent)) {
      return types.resolve(parent.getTypeNode());
    } else if (Node.isReturnStatement(parent)) {
      const maker = parent.getFirstAncestor((ancestor) => Node.isFunctionLikeDeclaration(ancestor));
      if (maker === undefined) return undefined;
      const said = types.resolve(Node.isReturnTyped(maker) ? maker.getReturnTypeNode() : undefined);
      if (said !== undefined || !Node.isArrowFunction(maker)) return said;
      parent = maker;
    } else if (Node.isArrowFunction(parent)) {
      const said = types.resolve(parent.getReturnTypeNode());
      if (said !== undefined) return said;
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
    const said = types.resolve(type);
    if (said !== undefined) return said;
  }
  return types.isServer(call.getExpression()) && call.getArguments()[0] === argument ? "api" : undefined;
}

/** In the object of the whole API each property holds the handlers of a service. */
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

/** The name of a property or member, if it can be read without running it, and where it stands. */
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
