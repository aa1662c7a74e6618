import { isRouteVerb, routeVerbs } from "../../syntax/route-verbs.ts";
import type { RouteNode } from "../../syntax/tree.ts";
import { spanWithin, type YamlNode } from "../nodes.ts";
import type { ReadContext } from "./read-context.ts";

/** `route`: a verb and a path, as in `GET /pets/{id}`. */
export function readRoute(node: YamlNode | undefined, context: ReadContext): RouteNode | undefined {
  if (node === undefined) return undefined;
  const scalar = context.scalar(node, '"route"');
  if (scalar === undefined) return undefined;
  const { text, quoted, span } = scalar;
  const [, verb = "", path = ""] = /^(\S+)[ \t]+(\S[\s\S]*)$/.exec(text) ?? [];
  if (path === "") return context.mismatch(scalar, '"route"', "a verb and a path, as in GET /pets");
  if (!isRouteVerb(verb))
    return context.fault("route-verb", { verb }, spanWithin(scalar, 0, verb.length), {
      advice: `The verbs are ${routeVerbs.join(", ")}.`,
    });
  const start = text.length - path.length;
  return {
    verb: { text: verb, span: spanWithin(scalar, 0, verb.length) },
    path: { value: path, quoted, span: spanWithin(scalar, start, text.length) },
    span,
  };
}
