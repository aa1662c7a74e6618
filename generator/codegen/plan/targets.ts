/** What can be generated, in the order of printing. The emitters themselves are loaded only when something is. */
export const targetNames = [
  "types",
  "errors",
  "client",
  "server",
  "validators",
  "recorder",
  "undici",
  "json",
  "openapi",
] as const;

/** What is generated where nobody chooses. */
export const standardTargets: readonly TargetName[] = ["types", "errors", "client", "server", "validators"];

export type TargetName = (typeof targetNames)[number];

export function isTargetName(name: string): name is TargetName {
  return (targetNames as readonly string[]).includes(name);
}

/** What a generated server can be a part of. */
export const adapterNames = ["koa", "node", "fetch", "express", "fastify", "hono"] as const;

export type AdapterName = (typeof adapterNames)[number];

export function isAdapterName(name: string): name is AdapterName {
  return (adapterNames as readonly string[]).includes(name);
}
