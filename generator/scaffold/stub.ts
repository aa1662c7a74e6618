import { claimName, propertyKey } from "../plan/names.ts";

/** A handler that is still to be written. */
export interface Stub {
  readonly service: string;
  readonly method: string;
  readonly functionName: string;
  /** `MarketplaceHandlers`. */
  readonly handlers: string;
  /** The module of that, from the handler's file: `"../../generated/server/marketplace.ts"`. */
  readonly specifier: string;
}

/** Its file. It compiles, and whoever calls it gets WebrpcInternalError and not an answer. */
export function stubText({ service, method, functionName, handlers, specifier }: Stub): string {
  return `import type { ${handlers} } from ${JSON.stringify(specifier)};

export const ${functionName}: ${handlers}[${JSON.stringify(method)}] = async (_ctx, _req) => {
  throw new Error(${JSON.stringify(`${service}.${method} is not written yet.`)});
};
`;
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
export function registryText({ specifier, handlers }: Registry): string {
  const taken = new Set(["handlers", "Handlers"]);
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
${imports.join("\n")}

/** Hand it to \`createServer\`. */
export const handlers: Handlers = {
${objects.join("\n")}
};
`;
}
