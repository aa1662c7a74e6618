/** Routes as data. */
import type { ApiDefinition, MethodDefinition, ServiceDefinition } from "./definition.ts";

/** An API with routes. */
export interface RoutedApi extends ApiDefinition {
  readonly services: readonly RoutedService[];
}

/** A service with routes. */
export interface RoutedService extends ServiceDefinition {
  readonly methods: readonly RoutedMethod[];
}

/** A method that is called on its route. Without one, it is called on its default path. */
export interface RoutedMethod extends MethodDefinition {
  readonly route?: RouteDefinition;
  // @if reads
  /** Set if the method is called by GET or QUERY. Without a route, it is called on its default path, by POST, too. */
  readonly read?: ReadDefinition;
  /** Name of the error that `ctx.requireMatch` throws. */
  readonly unmatched?: string;
  // @end
}
// @if reads

/** How caches may use the responses to GET, HEAD and QUERY. */
export interface ReadDefinition {
  /** Value of the header `Cache-Control`. */
  readonly cacheControl: string;
  /** Value of the header `Vary`. */
  readonly vary?: string;
}
// @end

/** The verb and path of a method, and where its request fields are. */
export interface RouteDefinition {
  readonly verb: RouteVerb;
  /** Includes the basepath: `/rpc/pets/{id}`. */
  readonly path: string;
  /** The fields in the path, in its order. */
  readonly parameters: readonly RouteField[];
  /** The fields in the query. Undefined if the request has a body. */
  readonly query?: readonly RouteField[];
}

/** In the order in which the header `Allow` lists them. */
export const routeVerbs = ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"] as const;

export type RouteVerb = (typeof routeVerbs)[number];

/** A request field in a path or a query. */
export interface RouteField {
  /** Its name in JSON. */
  readonly name: string;
  readonly type: RouteType;
  /** The query repeats the name for each item. */
  readonly isList?: true;
  readonly isOptional?: true;
  /** The value is secret or personal data, which messages do not quote. */
  readonly isSecret?: true;
}

/** The types that are read from text. Enums and timestamps are strings, which validators read. */
export type RouteType = "string" | "bool" | "float32" | "float64" | `${"" | "u"}int${"" | 8 | 16 | 32 | 64}`;
