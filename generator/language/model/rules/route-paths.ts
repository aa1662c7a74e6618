import type { SchemaFile, Text } from "../../syntax/tree.ts";
import { faultOfPath, isRouted } from "../routes.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import { headerOf } from "./headers.ts";

/**
 * The path of a service or a route starts with "/", and each of its segments is a plain text or a parameter.
 * Clients remove the segments "." and "..".
 * Bad: `GET pets`, `GET /pets/pet-{id}`, `GET /pets/./{id}`. Good: `GET /pets/{id}`.
 */
export const routePaths: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    if (node.path !== undefined) checkPath(`The path of "${node.name.value}"`, node.path, scope.file, report);
    for (const { name, route } of node.methods)
      if (route !== undefined) checkPath(`The route of "${name.text}"`, route.path, scope.file, report);
  }
};

function checkPath(what: string, { value, span }: Text, file: SchemaFile, report: Report): void {
  const reason = faultOfPath(value);
  if (reason !== undefined) report("route-path", { what, reason }, span, () => withSlash(value, span, file));
  checkDots(what, { value, span }, report);
}

function checkDots(what: string, { value, span }: Pick<Text, "value" | "span">, report: Report): void {
  const segment = value.split("/").find((part) => dots.test(part));
  if (segment !== undefined) report("route-dots", { what, segment }, span);
}

/** Clients decode such a segment before they remove it. */
const dots = /^(?:\.|%2e){1,2}$/i;

/** Adds the slash at the start. */
function withSlash(value: string, span: Text["span"], { format, source: file }: SchemaFile): ReportExtra {
  if (format !== "ridl" || value.startsWith("/") || faultOfPath(`/${value}`) !== undefined) return {};
  const edits = [{ span: { start: span.start, end: span.start }, text: "/" }];
  return { fix: { title: 'Add "/"', file, edits } };
}

/**
 * No segment of the basepath is "." or "..". It comes before every route, so it consists of plain segments if there is
 * one.
 * Bad: `basepath = /rpc/../v1`, `basepath = /a@b` and a route. Good: `basepath = /rpc`.
 */
export const routeBasepath: Rule = (scope, report) => {
  const basepath = headerOf(scope, "basepath")?.value;
  if (basepath === undefined) return;
  checkDots("The basepath", basepath, report);
  if (!scope.services.some(({ node }) => node.methods.some(isRouted))) return;
  const value = `/${basepath.value.replace(/^\//, "")}`;
  const reason = /[{}]/.test(value) ? "must not have parameters" : faultOfPath(value);
  if (reason !== undefined)
    report("route-path", { what: "The basepath of a schema with routes", reason }, basepath.span);
};
