import ts from "typescript";

/**
 * Returns why a handler is a placeholder; undefined: it is a real handler. A real handler reads its request, and calls a port, a function
 * created from a port, or `ctx.context.database`. `networks` alone is not enough. `method` is its name in the file of its service.
 */
export function placeholderFault(text: string, method: string): string | undefined {
  if (/not (yet )?(written|implemented)|unimplemented|\bTODO\b|NotImplemented/i.test(text))
    return "it says that it is not written";
  const file = ts.createSourceFile("Handler.ts", text, ts.ScriptTarget.Latest, true);
  const maker = file.statements.find(
    (statement) => ts.isFunctionDeclaration(statement) && isExported(statement),
  );
  if (maker === undefined || !ts.isFunctionDeclaration(maker)) return "it exports no function";
  const own = find(maker, (node) => ts.isPropertyAssignment(node) && node.name.getText(file) === method);
  const handler = own && find(own, (node) => ts.isArrowFunction(node) && node.parameters.length === 2);
  if (handler === undefined || !ts.isArrowFunction(handler)) return "it answers without its request";
  const [, request] = handler.parameters;
  const names = new Set(request === undefined ? [] : namesOf(request.name));
  if (!mentions(handler.body, names)) return "it does not read its request";
  const asks = find(handler.body, (node) => ts.isCallExpression(node) && mentions(node, sources(maker)));
  return asks === undefined ? "it asks none of its ports" : undefined;
}

/** Ports with data, and values created from them before the first call. */
function sources(maker: ts.FunctionDeclaration): ReadonlySet<string> {
  const known = new Set(maker.parameters.flatMap(({ name }) => namesOf(name)));
  known.delete("networks");
  known.add("database");
  for (const statement of maker.body?.statements ?? []) {
    if (ts.isFunctionDeclaration(statement) && statement.body !== undefined && statement.name !== undefined)
      if (mentions(statement.body, known)) known.add(statement.name.text);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (initializer !== undefined && mentions(initializer, known))
        for (const made of namesOf(name)) known.add(made);
  }
  return known;
}

function isExported(statement: ts.FunctionDeclaration): boolean {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function namesOf(name: ts.BindingName): readonly string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesOf(element.name) : []));
}

function mentions(node: ts.Node, names: ReadonlySet<string>): boolean {
  return find(node, (part) => ts.isIdentifier(part) && names.has(part.text)) !== undefined;
}

function find(node: ts.Node, fits: (node: ts.Node) => boolean): ts.Node | undefined {
  return fits(node) ? node : ts.forEachChild(node, (child) => find(child, fits));
}
