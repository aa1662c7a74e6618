import { bun } from "./bun.ts";
import { deno } from "./deno.ts";
import { express } from "./express.ts";
import { fastify } from "./fastify.ts";
import { hono } from "./hono.ts";
import { koa } from "./koa.ts";
import { nest } from "./nest.ts";
import { next } from "./next.ts";
import { node } from "./node.ts";
import type { Stack } from "./shared.ts";
import { vite } from "./vite.ts";
import { workers } from "./workers.ts";

/** In the order in which the help lists them. */
export const stackNames = [
  "koa",
  "node",
  "express",
  "fastify",
  "hono",
  "nest",
  "next",
  "bun",
  "deno",
  "workers",
  "vite",
] as const;

export type StackName = (typeof stackNames)[number];

export const defaultStack: StackName = "koa";

const stacks: Readonly<Record<StackName, Stack>> = {
  koa,
  node,
  express,
  fastify,
  hono,
  nest,
  next,
  bun,
  deno,
  workers,
  vite,
};

export function isStackName(name: string): name is StackName {
  return (stackNames as readonly string[]).includes(name);
}

export function stackOf(name: StackName): Stack {
  return stacks[name];
}

/** Frameworks that build on others come first: Nest installs Express, and Next projects often use Vite for tests. */
const byPrecedence: readonly StackName[] = [
  "nest",
  "next",
  "workers",
  "bun",
  "hono",
  "fastify",
  "koa",
  "express",
  "deno",
  "vite",
];

/** Detects the stack from the dependencies of a project. Undefined for an unknown stack. */
export function recognizeStack(dependencies: ReadonlySet<string>): StackName | undefined {
  return byPrecedence.find((name) =>
    stacks[name].recognizedBy.some((packageName) => dependencies.has(packageName)),
  );
}
