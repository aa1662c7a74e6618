import { withoutEscape } from "../../plan/names.ts";
import { isOmitted, isRead, type Plan, type PlannedMethod, type PlannedService } from "../../plan/plan.ts";
import type { Data } from "./print.ts";

/** A method with its service. */
export interface ServiceMethod {
  readonly service: PlannedService;
  readonly method: PlannedMethod;
}

/** Returns the methods that agents may call: without those that are `@internal` or `@mcp:off`. */
export function exposableMethods({ services }: Plan): readonly ServiceMethod[] {
  return services.flatMap((service) =>
    service.methods
      .filter((method) => !isOmitted(method) && !isHidden(method))
      .map((method) => ({ service, method })),
  );
}

function isHidden({ annotations }: PlannedMethod): boolean {
  return annotations.has("internal") || annotations.get("mcp") === "off";
}

/** Returns the `McpMethod` of the runtime. */
export function methodData({ service, method }: ServiceMethod): Data {
  const { annotations, route, request, response, paging } = method;
  const reads = annotations.has("readonly") || isRead(method);
  return {
    name: `${service.name}.${method.name}`,
    docs: docsText(method.docs),
    deprecated: method.deprecated,
    request: withoutEscape(request.typeName),
    response: method.fileOutput ? undefined : withoutEscape(response.typeName),
    isStream: method.streamOutput || undefined,
    files: method.files.length === 0 ? undefined : method.files.map(fileData),
    errors: method.errors?.map(({ name }) => name),
    isRead: reads || undefined,
    isIdempotent: reads || method.idempotent || undefined,
    isMarked: annotations.has("mcp") || undefined,
    verb: route === undefined || route.verb === "POST" ? undefined : route.verb,
    path: route?.path ?? method.path,
    query: route?.query?.map(({ name }) => name),
    pageSize: paging?.size.map(({ wireName }) => wireName).join("."),
  };
}

function fileData({ name, optional, isList, within }: PlannedMethod["files"][number]): Data {
  return {
    name,
    isOptional: optional || undefined,
    isList: isList || undefined,
    within: within?.name,
  };
}

export function docsText(docs: readonly string[]): string | undefined {
  const text = docs.join(" ").replace(/\s+/g, " ").trim();
  return text === "" ? undefined : text;
}
