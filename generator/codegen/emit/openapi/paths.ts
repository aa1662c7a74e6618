import { segmentsOf } from "../../../language/model/routes.ts";
import type { OpenapiVersion } from "../../options.ts";
import type { Json } from "../../plan/json.ts";
import type { Plan, PlannedMethod } from "../../plan/plan.ts";
import type { OperationPrinter } from "./operation.ts";

/** The operations of a path, by their key in a path item: `get`, `post`, … */
interface PathItem {
  readonly path: string;
  readonly operations: Map<string, Json>;
}

/** Returns the path items by path. Methods with routes share the item of their path. */
export function pathItems(
  plan: Plan,
  printer: OperationPrinter,
  version: OpenapiVersion,
): Readonly<Record<string, Json>> {
  const items = new Map<string, PathItem>();
  for (const service of plan.services) {
    for (const method of service.methods) {
      const path = method.route?.path ?? encodedPath(method.path);
      const item = items.get(shapeOf(path)) ?? { path, operations: new Map<string, Json>() };
      items.set(shapeOf(path), item);
      item.operations.set(
        operationKey(method, version),
        printer.operation(service, method, parameterNames(item.path)),
      );
      if (method.read === undefined || method.route !== undefined) continue;
      item.operations.set("get", printer.getOperation(service, method));
      // Older documents omit this operation, because tools know no key for it, and GET and POST do the same.
      if (version === "3.2") item.operations.set("query", printer.queryOperation(service, method));
    }
  }
  return Object.fromEntries(
    [...items.values()].map(({ path, operations }) => [
      path,
      { ...queryNote(operations, version), ...Object.fromEntries(operations) },
    ]),
  );
}

/** Escapes braces, which would mean a path parameter. */
function encodedPath(path: string): string {
  return encodeURI(path);
}

/** Two paths that differ only in the names of their parameters are the same path in OpenAPI: `/pets/{}`. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "{}");
}

function parameterNames(path: string): readonly string[] {
  return segmentsOf(path).flatMap((segment) => ("parameter" in segment ? [segment.parameter] : []));
}

const queryKey = "x-query";

/** OpenAPI 3.0 and 3.1 have no key for QUERY, and accept unknown keys only if they start with `x-`. */
function operationKey({ route }: PlannedMethod, version: OpenapiVersion): string {
  if (route === undefined) return "post";
  return route.verb === "QUERY" && version !== "3.2" ? queryKey : route.verb.toLowerCase();
}

function queryNote(
  operations: PathItem["operations"],
  version: OpenapiVersion,
): { readonly description?: string } {
  if (!operations.has(queryKey)) return {};
  return {
    description: `\`x-query\` is the operation of the HTTP method QUERY, which OpenAPI ${version} lacks.`,
  };
}
