/** How many files a target has: one, or one per service. The configuration decides, never the size of a schema. */
export const layouts = ["single", "services"] as const;

export type Layout = (typeof layouts)[number];

/**
 * Returns the path to which an emitted file is written. With "single", `server/pets.ts` becomes a part of `server.ts`.
 */
export function writtenPath(path: string, layout: Layout): string {
  if (layout === "services") return path;
  if (path === "version.ts") return "types.ts";
  return path.replace(/^((?:versions\/[^/]+\/)?(?:client|server|validators))\/.*$/, "$1.ts");
}

/** Like `writtenPath`, for a path without extension. */
export function moduleIn(module: string, layout: Layout): string {
  return writtenPath(`${module}.ts`, layout).slice(0, -".ts".length);
}
