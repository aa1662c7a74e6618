/** How many files a target is written to: one, or one for each service. Chosen by the configuration and never by the size of a schema. */
export const layouts = ["single", "services"] as const;

export type Layout = (typeof layouts)[number];

/** Where a file that emitters print is written. With "single", `server/pets.ts` is a part of `server.ts`. */
export function writtenPath(path: string, layout: Layout): string {
  if (layout === "services") return path;
  if (path === "version.ts") return "types.ts";
  return path.replace(/^(client|server|validators)\/.*$/, "$1.ts");
}

/** The same of a module, whose path has no extension. */
export function moduleIn(module: string, layout: Layout): string {
  return writtenPath(`${module}.ts`, layout).slice(0, -".ts".length);
}
