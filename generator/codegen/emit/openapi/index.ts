import type { EmittedFile, OpenapiOptions, OpenapiVersion } from "../../options.ts";
import type { Json } from "../../plan/json.ts";
import type { Plan, PlannedService } from "../../plan/plan.ts";
import { documentationKeywords } from "../documentation-keywords.ts";
import { definitionsOf } from "../json-schema/definitions.ts";
import { header } from "../text.ts";
import { ComponentNames, componentViews } from "./component-names.ts";
import { ErrorRegistry } from "./errors.ts";
import { OperationPrinter } from "./operation.ts";
import { pathItems } from "./paths.ts";
import { withBodyTypes } from "./route-body.ts";
import { asVersion30 } from "./version-3.0.ts";
import { writeYaml } from "./yaml.ts";

/**
 * Emits `openapi/openapi.yaml` or `.json`: the API as OpenAPI 3.0, 3.1 or 3.2. A method without a route is a POST. Errors are
 * grouped by status, with one schema per code.
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
  const names = new ComponentNames(plan);
  const views = componentViews(bodies, names);
  const errors = new ErrorRegistry(plan, names);
  const paths = pathItems(plan, new OperationPrinter(plan, views, errors, options), version);
  const document = {
    openapi: patchVersions[version],
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
  return version === "3.0" ? asVersion30(document) : document;
}

/** Some tools for version 3.0 know no later patch than 3.0.3. */
const patchVersions: Readonly<Record<OpenapiVersion, string>> = {
  "3.0": "3.0.3",
  "3.1": "3.1.0",
  "3.2": "3.2.0",
};

function tag(service: PlannedService): Json {
  return { name: service.name, ...documentationKeywords(service) };
}
