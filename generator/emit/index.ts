import type { Plan } from "../plan/plan.ts";
import type { TargetName } from "../plan/targets.ts";
import { emitClient } from "./client/index.ts";
import type { EmittedFile } from "./emitter.ts";
import { emitErrors } from "./errors/index.ts";
import { emitJson } from "./json/index.ts";
import { emitJsonSchema } from "./json-schema/index.ts";
import { emitOpenapi } from "./openapi/index.ts";
import type { OpenapiOptions } from "./openapi/options.ts";
import { emitServer } from "./server/index.ts";
import { emitTypes } from "./types/index.ts";
import { emitLoaders, emitRequests, emitResponses } from "./validators/index.ts";

/** What the whole generation decides. */
export interface EmitOptions {
  readonly chosen: ReadonlySet<TargetName>;
  readonly openapi: OpenapiOptions;
}

/** One target of generation. */
export interface Target {
  emit(plan: Plan, options: EmitOptions): readonly EmittedFile[];
  /** Files that describe the same, and that no code imports. */
  describe?(plan: Plan): readonly EmittedFile[];
  /** Files that code of `emit` imports when it first needs one of them. */
  readonly late?: readonly LateFiles[];
  /** Whether a server runs what `emit` gives. */
  readonly isServed: boolean;
  /** Targets whose files its own import. */
  readonly needs: readonly TargetName[];
  /** Files of the runtime that people import by themselves. */
  readonly runtime: readonly string[];
}

export interface LateFiles {
  /** What the paths of all of them, and of no other file, begin with. */
  readonly under: string;
  emit(plan: Plan): readonly EmittedFile[];
}

/** All of them, one line each. */
export const targets: Readonly<Record<TargetName, Target>> = {
  types: { emit: emitTypes, isServed: true, needs: [], runtime: [] },
  errors: { emit: emitErrors, isServed: true, needs: [], runtime: [] },
  client: {
    emit: emitClient,
    isServed: false,
    needs: ["types", "errors"],
    runtime: ["transport-fetch-bounded.ts", "transport-memory.ts", "transport-undici.ts"],
  },
  server: {
    emit: (plan, { chosen }) => emitServer(plan, { validation: chosen.has("validators") }),
    isServed: true,
    needs: ["types"],
    runtime: ["koa.ts", "node-http.ts", "fetch.ts"],
  },
  validators: {
    emit: emitLoaders,
    late: [
      { under: "validators/requests/", emit: emitRequests },
      { under: "validators/responses/", emit: emitResponses },
    ],
    describe: emitJsonSchema,
    isServed: true,
    needs: [],
    runtime: [],
  },
  openapi: {
    emit: (plan, { openapi }) => emitOpenapi(plan, openapi),
    isServed: false,
    needs: [],
    runtime: [],
  },
  json: { emit: emitJson, isServed: false, needs: [], runtime: [] },
};
