import type { EmittedFile, Options } from "../../options.ts";
import type { Plan } from "../../plan/plan.ts";
import { contractExport } from "../imports.ts";
import { template } from "../render.ts";
import { header, literal, literalKey } from "../text.ts";
import ownTemplate from "./mcp.hbs";
import { exposableMethods, methodData } from "./methods.ts";
import { printData } from "./print.ts";
import { usedTypes } from "./types.ts";

const print = template<object>(ownTemplate);

/** Emits `mcp.ts`: the API as data, and an MCP server with two tools. Emits nothing without methods. */
export function emitMcp(plan: Plan, { templates }: Options): readonly EmittedFile[] {
  const methods = exposableMethods(plan);
  if (methods.length === 0) return [];
  const raised = new Set(methods.flatMap(({ method }) => method.errors?.map(({ name }) => name) ?? []));
  const mayRaiseAny = methods.some(({ method }) => method.errors === undefined);
  const errors = plan.errors.filter(({ builtin, name }) => !builtin && (mayRaiseAny || raised.has(name)));
  const view = {
    contractExport,
    firstLine: header(plan.schemaFile),
    name: literal(plan.schemaName || "api"),
    version: literal(plan.schemaVersion),
    methods: methods.map((one) => printData(methodData(one))),
    types: usedTypes(plan, methods).map(([name, data]) => `${literalKey(name)}: ${printData(data)}`),
    errors: errors.map(
      ({ name, code, httpStatus, message }) =>
        `${literalKey(name)}: ${printData({ code, status: httpStatus, message })}`,
    ),
  };
  return [{ path: "mcp.ts", text: print(view, templates.overrides) }];
}
