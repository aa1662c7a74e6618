import type { Json } from "../../plan/json.ts";
import type { Plan, PlannedService } from "../../plan/plan.ts";
import { documentationKeywords } from "../documentation-keywords.ts";
import type { EmittedFile } from "../emitter.ts";
import { definitionsOf } from "../json-schema/definitions.ts";
import { findViews } from "../json-schema/views.ts";
import { header } from "../text.ts";
import { ErrorRegistry } from "./errors.ts";
import { OperationPrinter } from "./operation.ts";
import type { OpenapiOptions } from "./options.ts";
import { pathItems } from "./paths.ts";
import { withBodyTypes } from "./route-body.ts";
import { writeYaml } from "./yaml.ts";

/**
 * Emits `openapi/openapi.yaml` or `.json`: the API as OpenAPI 3.1 or 3.2. A method without a route is a POST. Bodies use the
 * schemas of `json-schema/schema.json`. Errors are grouped by status, with one schema per code.
 */
export function emitOpenapi(plan: Plan, options: OpenapiOptions = {}): readonly EmittedFile[] {
  const document = openapiDocument(plan, options);
  if (options.form === "json") {
    return [{ path: "openapi/openapi.json", text: `${JSON.stringify(document, null, 2)}\n` }];
  }
  const firstLine = header(plan.schemaFile).replace("//", "#");
  return [{ path: "openapi/openapi.yaml", text: `${firstLine}\n${writeYaml(document)}` }];
}

function openapiDocument(plan: Plan, options: OpenapiOptions): Json {
  const { title, version = "3.1", servers = [], securitySchemes = {} } = options;
  const bodies = withBodyTypes(plan);
  const views = findViews(bodies, "#/components/schemas/");
  const errors = new ErrorRegistry(plan);
  const paths = pathItems(plan, new OperationPrinter(plan, views, errors, options), version);
  return {
    openapi: `${version}.0`,
    info: { title: title ?? (plan.schemaName || "API"), version: plan.schemaVersion },
    ...(servers.length === 0 ? {} : { servers: servers.map((server) => ({ ...server })) }),
    ...(plan.services.length === 0 ? {} : { tags: plan.services.map(tag) }),
    paths,
    components: {
      schemas: { ...definitionsOf(bodies, views), ...errors.schemas() },
      responses: errors.responses(),
      ...(Object.keys(securitySchemes).length === 0 ? {} : { securitySchemes }),
    },
  };
}

function tag(service: PlannedService): Json {
  return { name: service.name, ...documentationKeywords(service) };
}
