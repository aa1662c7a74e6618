import { generatedSpecifier, handlerPath, specifierTo } from "./folders.ts";
import { isProductionCode, resolveImport, type TypeName } from "./index/handler-index.ts";
import type { UpdateTask } from "./task.ts";
import { type ImportedType, stubText } from "./written-code.ts";

/** The type of `ctx.host`, with the module specifier for imports from a file. */
export function contextFor({ input }: UpdateTask, from: string, extension: string): ImportedType | undefined {
  if (input.context === undefined) return undefined;
  const { name, path, specifier } = input.context;
  return {
    name,
    specifier: path === undefined ? specifier : specifierTo(input, path, from).replace(/[.]ts$/, extension),
  };
}

/** The files to which the type of `ctx.host` is added: those with handler containers, and unedited stubs. */
export function contextPaths(task: UpdateTask, extension: string): ReadonlySet<string> {
  const { input, index } = task;
  if (input.context === undefined) return new Set();
  const containers = index.containers.filter(isProductionCode).map(({ path }) => path);
  const stubs = Object.entries(input.contract.services).flatMap(([service, { handlers, methods }]) =>
    Object.entries(methods).flatMap(([method, { functionName, isStream = false }]) => {
      const path = handlerPath(input.root, service, method);
      const specifier = generatedSpecifier(input, "server", { from: path, extension });
      const stub = { service, method, functionName, handlers, specifier, isStream, context: undefined };
      return input.files.get(path) === stubText(stub) ? [path] : [];
    }),
  );
  return new Set([...containers, ...stubs]);
}

/** The references of a file to handler types, such as `Handlers`, that have no type argument. */
export function typesWithoutContext({ input, index }: UpdateTask, path: string): readonly TypeName[] {
  const text = input.files.get(path) ?? "";
  const handlerTypes = new Set([
    "Handlers",
    ...Object.values(input.contract.services).map((each) => each.handlers),
  ]);
  const imported = index.imports.filter((each) => each.path === path).flatMap(({ names }) => names);
  const names = new Set(imported.flatMap(({ name, isAliased }) => (isAliased ? [] : [name])));
  return index.typeNames.filter(
    (each) =>
      each.path === path &&
      each.isReference &&
      handlerTypes.has(each.name) &&
      names.has(each.name) &&
      !/^\s*</.test(text.slice(each.span.end)),
  );
}

/** Whether a file declares the type of `ctx.host`, or imports it. */
export function hasContext({ input, index }: UpdateTask, path: string): boolean {
  const { context } = input;
  if (context === undefined) return false;
  if (context.path === undefined) {
    const text = input.files.get(path) ?? "";
    return [`"${context.specifier}"`, `'${context.specifier}'`].some((quoted) => text.includes(quoted));
  }
  const { relativeImports = [] } = index.files.get(path) ?? {};
  return (
    context.path === path ||
    relativeImports.some(
      ({ specifier }) => resolveImport(path, specifier, (each) => each === context.path) !== undefined,
    )
  );
}
