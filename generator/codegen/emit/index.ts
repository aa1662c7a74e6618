import {
  type EmittedFile,
  modulesOfServer,
  type Options,
  serverModules,
  type TargetName,
} from "../options.ts";
import type { Plan } from "../plan/plan.ts";
import { emitClient } from "./client/index.ts";
import { emitErrors } from "./errors/index.ts";
import { emitExplorer } from "./explorer/index.ts";
import { emitJsonSchema } from "./json-schema/index.ts";
import { emitMcp } from "./mcp/index.ts";
import { emitOpenapi } from "./openapi/index.ts";
import { emitRecorder } from "./recorder/index.ts";
import { emitServer } from "./server/index.ts";
import { emitStandardSchema } from "./standard-schema/index.ts";
import { emitTypes } from "./types/index.ts";
import { emitValidators } from "./validators/index.ts";
import { emitVersions } from "./versions/index.ts";

/** A target of code generation. */
export interface Target {
  emit(plan: Plan, options: Options): readonly EmittedFile[];
  /** Returns the modules of the runtime that users import directly. */
  readonly entries?: (options: Options) => readonly string[];
}

export const targets: Readonly<Record<TargetName, Target>> = {
  types: { emit: emitTypes },
  errors: { emit: emitErrors },
  client: {
    emit: emitClient,
    entries: ({ adapters }) => ["transport", ...adapters.filter((name) => serverModules[name] === undefined)],
  },
  server: {
    emit: (plan, options) => [...emitServer(plan, options), ...emitVersions(plan, options)],
    entries: modulesOfServer,
  },
  validators: { emit: (plan) => [...emitValidators(plan), ...emitJsonSchema(plan)] },
  recorder: { emit: emitRecorder },
  "standard-schema": { emit: emitStandardSchema },
  mcp: { emit: emitMcp },
  openapi: { emit: (plan, { openapi }) => emitOpenapi(plan, openapi) },
  /** The IR, which all webrpc tools can read. */
  json: { emit: ({ irText }) => [{ path: "schema.webrpc.json", text: irText }] },
  explorer: { emit: emitExplorer },
};
