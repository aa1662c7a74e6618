import { claimName, propertyKey } from "../codegen/plan/names.ts";

/** A handler that is still to be written. */
export interface Stub {
  readonly service: string;
  readonly method: string;
  readonly functionName: string;
  /** `MarketplaceHandlers`. */
  readonly handlers: string;
  /** The module of that, from the handler's file: `"../../generated/server/marketplace.ts"`. */
  readonly specifier: string;
  /** Whether it yields items. */
  readonly isStream: boolean;
  /** The type of `ctx.host`; undefined: unknown. */
  readonly context: ImportedType | undefined;
}

/** A type, and its module as the importing file writes it. */
export interface ImportedType {
  readonly name: string;
  readonly specifier: string;
}

/** The file of a handler. It compiles, and its callers get WebrpcInternalError. */
export function stubText({
  service,
  method,
  functionName,
  handlers,
  specifier,
  isStream,
  context,
}: Stub): string {
  const host = importContext(context, new Set([handlers, functionName]));
  const head = isStream ? "async function* (_ctx, _req) {" : "async (_ctx, _req) => {";
  return `import type { ${handlers} } from ${JSON.stringify(specifier)};
${host.line}
export const ${functionName}: ${handlers}${host.argument}[${JSON.stringify(method)}] = ${head}
  throw new Error(${JSON.stringify(`${service}.${method} is not written yet.`)});
};
`;
}

/** The import of the context's type, and what stands behind `Handlers` in the file: `<Caller>`. Both are "" without one. */
function importContext(
  context: ImportedType | undefined,
  taken: Set<string>,
): { readonly line: string; readonly argument: string } {
  if (context === undefined) return { line: "", argument: "" };
  const { local, line } = importType(context, taken);
  return { line: `${line}\n`, argument: `<${local}>` };
}

/** An import of a type, under its own name or one that is free in the file. */
export function importType(
  { name, specifier }: ImportedType,
  taken: Set<string>,
): { readonly local: string; readonly line: string } {
  const local = claimName(name, taken);
  const imported = local === name ? name : `${name} as ${local}`;
  return { local, line: `import type { ${imported} } from ${JSON.stringify(specifier)};` };
}

export interface ImportedHandler {
  readonly service: string;
  /** What it is called where nobody else has that name. */
  readonly functionName: string;
  /** What its module calls it. */
  readonly exportName: string;
  readonly specifier: string;
}

export interface Registry {
  /** Of the generated server: `"../../generated/server/index.ts"`. */
  readonly specifier: string;
  readonly context: ImportedType | undefined;
  readonly handlers: readonly (ImportedHandler & { readonly method: string })[];
}

/** An import of a handler, under its own name or one that nobody has taken in the file. */
export function importHandler(
  { service, functionName, exportName, specifier }: ImportedHandler,
  taken: Set<string>,
): { readonly local: string; readonly line: string } {
  const wanted = taken.has(functionName)
    ? `${functionName}Of${service.replace(/[^A-Za-z0-9_$]/g, "")}`
    : functionName;
  const local = claimName(wanted, taken);
  const name = local === exportName ? local : `${exportName} as ${local}`;
  return { local, line: `import { ${name} } from ${JSON.stringify(specifier)};` };
}

/** The file that gathers the handlers of the whole API, in the order of the schema. */
export function registryText({ specifier, context, handlers }: Registry): string {
  const taken = new Set(["handlers", "Handlers"]);
  const host = importContext(context, taken);
  const imports: string[] = [];
  const services = new Map<string, string[]>();
  for (const handler of handlers) {
    const { service, method } = handler;
    const { local, line } = importHandler(handler, taken);
    imports.push(line);
    services.set(service, [...(services.get(service) ?? []), `    ${propertyKey(method)}: ${local},`]);
  }
  const objects = [...services].map(
    ([name, lines]) => `  ${propertyKey(name)}: {\n${lines.join("\n")}\n  },`,
  );
  return `import type { Handlers } from ${JSON.stringify(specifier)};
${host.line}${imports.join("\n")}

/** Hand it to \`createServer\`. */
export const handlers: Handlers${host.argument} = {
${objects.join("\n")}
};
`;
}
