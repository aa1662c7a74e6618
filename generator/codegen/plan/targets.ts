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

/** What generated code can be connected to: frameworks of servers, then libraries of clients. */
export const adapterNames = [
  "koa",
  "node",
  "fetch",
  "express",
  "fastify",
  "hono",
  "undici",
  "tanstack-query",
] as const;

export type AdapterName = (typeof adapterNames)[number];

export function isAdapterName(name: string): name is AdapterName {
  return (adapterNames as readonly string[]).includes(name);
}

/** Where generated code finds its runtime: in the package `ridlkit-runtime`, or in copies of its modules in the output folder. */
export const runtimeForms = ["package", "copy"] as const;

export type RuntimeForm = (typeof runtimeForms)[number];
