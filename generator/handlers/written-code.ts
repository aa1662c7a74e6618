import { claimName, propertyKey } from "../codegen/plan/names.ts";

/** The data of a stub. */
export interface Stub {
  readonly service: string;
  readonly method: string;
  readonly functionName: string;
  /** `MarketplaceHandlers`. */
  readonly handlers: string;
  /** Specifier of its module, relative to the stub: `"../../generated/server.ts"`. */
  readonly specifier: string;
  /** Whether the handler yields items of a stream. */
  readonly isStream: boolean;
  /** The type of `ctx.context`; undefined if unknown. */
  readonly context: ImportedType | undefined;
}

/** A type and its module specifier. */
export interface ImportedType {
  readonly name: string;
  readonly specifier: string;
}

/** The text of a stub. It compiles, and its callers get WebrpcInternalError. */
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
  throw new Error(${JSON.stringify(`${service}.${method} is not implemented yet.`)});
};
`;
}

/** The import of the type of `ctx.context`, and the type argument after `Handlers`: `<Caller>`. Both are "" if the type is unknown. */
function importContext(
  context: ImportedType | undefined,
  taken: Set<string>,
): { readonly line: string; readonly argument: string } {
  if (context === undefined) return { line: "", argument: "" };
  const { local, line } = importType(context, taken);
  return { line: `${line}\n`, argument: `<${local}>` };
}

/** An import of a type, with an alias if its name is taken in the file. */
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
  /** Preferred local name. */
  readonly functionName: string;
  /** Its export name. */
  readonly exportName: string;
  readonly specifier: string;
}

export interface Registry {
  /** Specifier of the generated server: `"../../generated/server.ts"`. */
  readonly specifier: string;
  readonly context: ImportedType | undefined;
  readonly handlers: readonly (ImportedHandler & { readonly method: string })[];
}

/** An import of a handler, with an alias if its name is taken in the file. */
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

/** The text of the file that registers all handlers, in the order of the schema. */
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

/** Pass these to \`createServer\`. */
export const handlers: Handlers${host.argument} = {
${objects.join("\n")}
};
`;
}
