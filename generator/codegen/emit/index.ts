import type { Plan } from "../plan/plan.ts";
import type { AdapterName, TargetName } from "../plan/targets.ts";
import { emitClient } from "./client/index.ts";
import type { EmittedFile } from "./emitter.ts";
import { emitErrors } from "./errors/index.ts";
import { emitExplorer } from "./explorer/index.ts";
import { emitJson } from "./json/index.ts";
import { emitJsonSchema } from "./json-schema/index.ts";
import { emitMcp } from "./mcp/index.ts";
import { emitOpenapi } from "./openapi/index.ts";
import type { OpenapiOptions } from "./openapi/options.ts";
import { emitRecorder } from "./recorder/index.ts";
import type { Overrides } from "./render.ts";
import { emitServer } from "./server/index.ts";
import { emitStandardSchema } from "./standard-schema/index.ts";
import { emitTypes } from "./types/index.ts";
import { emitValidators } from "./validators/index.ts";
import { emitVersions } from "./versions/index.ts";

export interface EmitOptions {
  readonly openapi: OpenapiOptions;
  readonly adapters: readonly AdapterName[];
  readonly overrides?: Overrides;
  /** The files of the target explorer. Its page is built apart from the generator. */
  readonly explorer: readonly EmittedFile[];
  /** Whether a server is generated, too. */
  readonly hasServer: boolean;
  /** The plans of the earlier versions that the server speaks, the oldest first. */
  readonly kept: readonly Plan[];
}

/** A target of code generation. */
export interface Target {
  emit(plan: Plan, options: EmitOptions): readonly EmittedFile[];
  /** Targets whose files this one imports. */
  readonly needs: readonly TargetName[];
  /** Modules of the runtime that users import directly. */
  readonly entries: (adapters: readonly AdapterName[]) => readonly string[];
}

const none = (): readonly string[] => [];

/** Express and Fastify use Node's HTTP server, Hono uses `fetch`. */
const serverModules: Readonly<Partial<Record<AdapterName, string>>> = {
  koa: "koa",
  node: "node",
  express: "node",
  fastify: "node",
  fetch: "fetch",
  hono: "fetch",
};

const modulesOfServer: Target["entries"] = (adapters) =>
  adapters.flatMap((adapter) => serverModules[adapter] ?? []);

/** Whether uploads are kept in memory: platforms with `fetch` may have no disk, Node has one. */
function filesInMemory(adapters: readonly AdapterName[]): boolean {
  const modules = modulesOfServer(adapters);
  return modules.length > 0 && modules.every((module) => module === "fetch");
}

export const targets: Readonly<Record<TargetName, Target>> = {
  types: {
    emit: (plan, { adapters, overrides }) =>
      emitTypes(plan, { filesInMemory: filesInMemory(adapters), overrides }),
    needs: [],
    entries: none,
  },
  errors: { emit: (plan, { overrides }) => emitErrors(plan, overrides), needs: [], entries: none },
  client: {
    emit: (plan, { overrides }) => emitClient(plan, overrides),
    needs: ["types", "errors"],
    entries: (adapters) => ["transport", ...adapters.filter((name) => serverModules[name] === undefined)],
  },
  server: {
    emit: (plan, { adapters, overrides, kept }) => {
      const options = { filesInMemory: filesInMemory(adapters), kept };
      return [...emitServer(plan, { ...options, overrides }), ...emitVersions(plan, options)];
    },
    needs: ["types", "validators"],
    entries: modulesOfServer,
  },
  validators: {
    emit: (plan) => [...emitValidators(plan), ...emitJsonSchema(plan)],
    needs: [],
    entries: none,
  },
  recorder: {
    emit: (plan, { overrides }) => emitRecorder(plan, overrides),
    needs: ["server"],
    entries: none,
  },
  "standard-schema": { emit: emitStandardSchema, needs: ["types"], entries: none },
  mcp: { emit: (plan, { overrides }) => emitMcp(plan, overrides), needs: [], entries: none },
  openapi: {
    emit: (plan, { openapi }) => emitOpenapi(plan, openapi),
    needs: [],
    entries: none,
  },
  json: { emit: emitJson, needs: [], entries: none },
  explorer: {
    emit: (plan, { explorer, hasServer, overrides }) => [
      ...explorer,
      ...(hasServer ? emitExplorer(plan, explorer, overrides) : []),
    ],
    needs: [],
    entries: none,
  },
};
