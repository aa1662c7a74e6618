/**
 * All targets, in the order in which their files are generated. This file does not import the emitters, so that they
 * load only when code is generated.
 */
export const targetNames = [
  "types",
  "errors",
  "client",
  "server",
  "validators",
  "recorder",
  "undici",
  "tanstack-query",
  "standard-schema",
  "mcp",
  "json",
  "openapi",
  "explorer",
] as const;

/** The default targets. */
export const standardTargets: readonly TargetName[] = ["types", "errors", "client", "server", "validators"];

export type TargetName = (typeof targetNames)[number];

export function isTargetName(name: string): name is TargetName {
  return (targetNames as readonly string[]).includes(name);
}

/** The frameworks that a generated server can be mounted in. */
export const adapterNames = ["koa", "node", "fetch", "express", "fastify", "hono"] as const;

export type AdapterName = (typeof adapterNames)[number];

export function isAdapterName(name: string): name is AdapterName {
  return (adapterNames as readonly string[]).includes(name);
}
