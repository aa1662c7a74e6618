/** A contract of many methods, and programs that call each method once, or through every helper of the client. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { benchSchema } from "../bench/schema.ts";

/** A tenth of the methods have `@paging`, and a tenth stream. */
export function helpersSchema(methods: number): string {
  const tenth = Math.floor(methods / 10);
  const many = (line: (index: number) => string): string =>
    Array.from({ length: tenth }, (_, at) => line(at)).join("");
  return [
    benchSchema({ types: methods * 2, methods: methods - 2 * tenth }),
    "service Lists\n",
    many(
      (at) => `  @paging:"limit,after,next,items"
  - List${at}(limit?: uint32, after?: string) => (items: []Type${at * 10 + 2}, next?: string) errors NotFound\n`,
    ),
    "service Streams\n",
    many((at) => `  - Watch${at}(id: uint64) => stream (thing: Type${at * 10 + 3}) errors NotFound\n`),
  ].join("\n");
}

/** The kinds of methods, as their types are called. */
const kinds = ["Method", "PagedMethod", "StreamMethod"] as const;

interface Used {
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  readonly request: string;
}

/** Helpers by name, with where they are imported from, and the code that uses one for a method. */
const helpers: Readonly<
  Record<string, { readonly from: string; readonly of: Partial<Record<Used["kind"], string>> }>
> = {
  withResponse: {
    from: "./api/client.ts",
    of: both("use((await withResponse(METHOD, client, req)).value);"),
  },
  result: { from: "./api/client.ts", of: both("use((await result(METHOD(client, req))).ok);") },
  queryKey: {
    from: "./api/client.ts",
    of: { ...both("use(queryKey(METHOD, req));"), StreamMethod: "use(queryKey(METHOD, req));" },
  },
  pages: {
    from: "./api/client.ts",
    of: { PagedMethod: "for await (const page of pages(METHOD, client, req)) use(page);" },
  },
  items: {
    from: "./api/client.ts",
    of: { PagedMethod: "for await (const item of items(METHOD, client, req)) use(item);" },
  },
  queryOptions: {
    from: "ridlkit-runtime/tanstack-query",
    of: both("use(queryOptions(METHOD, client, req));"),
  },
  mutationOptions: {
    from: "ridlkit-runtime/tanstack-query",
    of: both("use(mutationOptions(METHOD, client));"),
  },
  infiniteQueryOptions: {
    from: "ridlkit-runtime/tanstack-query",
    of: {
      Method: "use(infiniteQueryOptions(METHOD, client, req, () => undefined));",
      PagedMethod: "use(infiniteQueryOptions(METHOD, client, req));",
    },
  },
  streamOptions: {
    from: "ridlkit-runtime/tanstack-query",
    of: { StreamMethod: "use(streamOptions(METHOD, client, req));" },
  },
};

export const helperNames: readonly string[] = Object.keys(helpers);

function both(code: string): Partial<Record<Used["kind"], string>> {
  return { Method: code, PagedMethod: code };
}

/**
 * Writes a program next to the generated folder `api` that calls each method, and uses the named helpers for it.
 * `withSchemas` checks each request with its Standard Schema, too.
 */
export function writeProgram(
  folder: string,
  file: string,
  names: readonly string[] = [],
  withSchemas = false,
): void {
  const client = readFileSync(join(folder, "api/client.ts"), "utf8");
  const methods = [...client.matchAll(/^export const (\w+): (\w*Method)<(\w+),/gm)].map(
    ([, name = "", kind, request = ""]): Used => ({ name, kind: kind as Used["kind"], request }),
  );
  const used = names.flatMap((name) => helpers[name] ?? []);
  const imported = names.map((name) => `import { ${name} } from "${helpers[name]?.from}";`);
  const types = [...new Set(methods.map(({ request }) => request))];
  const lines = methods.map(({ name, kind, request }) => {
    const call =
      kind === "StreamMethod"
        ? `for await (const item of ${name}(client, req)) use(item);`
        : `use(await ${name}(client, req));`;
    const schema = `${request.charAt(0).toLowerCase()}${request.slice(1)}Schema`;
    const helped = used.map(({ of }) => of[kind]?.replace("METHOD", name) ?? "");
    const checked = withSchemas ? [`use(schemas.${schema}["~standard"].validate(req));`] : [];
    const body = [call, ...helped, ...checked].join("\n  ");
    return `export async function ${name}$(client: Client, req: ${request}): Promise<void> {\n  ${body}\n}`;
  });
  const head = [
    `import { type Client, ${methods.map(({ name }) => name).join(", ")} } from "./api/client.ts";`,
    `import type { ${types.join(", ")} } from "./api/types.ts";`,
    ...imported,
    ...(withSchemas ? ['import * as schemas from "./api/standard-schema.ts";'] : []),
    "declare function use(value: unknown): void;",
  ];
  writeFileSync(join(folder, file), `${[...head, ...lines].join("\n")}\n`);
}

/** Figures of `tsc --extendedDiagnostics`. */
export function diagnosed(output: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+([0-9.]+)`, "m").exec(output)?.[1] ?? "NaN");
}
