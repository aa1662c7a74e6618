import { nearest } from "../../diagnostics/suggest.ts";
import type { Span } from "../../source/span.ts";
import { annotationNamed, type MethodNode, methodsIn } from "../../syntax/tree.ts";
import {
  type CachedMethod,
  type CacheFault,
  cacheName,
  deprecatedName,
  idempotencyKeyName,
  keyFault,
  readCache,
  readDeprecation,
} from "../annotations.ts";
import { buildMethod, buildType } from "../build.ts";
import type { PathFault } from "../field-paths.ts";
import { isFileOutput, takesFile } from "../files.ts";
import type { MethodModel, TypeModel } from "../model.ts";
import { replaceFix } from "../names.ts";
import { pagingName, readPaging } from "../paging.ts";
import { readResume, resumeName } from "../resume.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";
import { errorName } from "./errors.ts";

/**
 * Annotations that only have to be present are not given the value `false`.
 * Bad: `@readonly:false`. Good: no `@readonly`.
 */
export const falseAnnotations: Rule = ({ file }, report) => {
  for (const { annotations, name: method } of methodsIn(file))
    for (const { name, value, span } of annotations)
      if (flags.has(name.text) && isNo.test(value?.value ?? "")) {
        const text = `${name.text}:${value?.value}`;
        report("false-annotation", { text, annotation: name.text, method: method.text }, span);
      }
};

const flags: ReadonlySet<string> = new Set(["readonly", "idempotent", "internal", deprecatedName]);
const isNo = /^(false|no|off|0)$/i;

/**
 * `@mcp` has no value, or the value that hides the method from agents.
 * Bad: `@mcp:false`. Good: `@mcp:off`.
 */
export const mcpValues: Rule = ({ file }, report) => {
  for (const method of methodsIn(file)) {
    const value = annotationNamed(method, "mcp")?.value;
    if (value === undefined || value.value === "" || value.value === "off") continue;
    const suggestion = replaceFix("off", { file: file.source, span: value.span });
    report(
      "mcp-value",
      { value: value.value, method: method.name.text },
      value.span,
      isNo.test(value.value) ? { suggestion } : {},
    );
  }
};

type Reader = (
  method: MethodModel,
  typeOf: (name: string) => TypeModel | undefined,
  scope: Scope,
) => object | undefined;

/** Creates a rule that reports an annotation whose names do not fit its method. `read` returns the fault. */
function fieldAnnotation(
  annotationName: string,
  diagnostic: "paging-ignored" | "resume-ignored",
  read: Reader,
): Rule {
  return (scope, report) => {
    const typeOf = (name: string): TypeModel | undefined => {
      const declared = scope.typeByName.get(name);
      return declared && buildType(declared, scope);
    };
    for (const method of methodsIn(scope.file)) {
      const annotation = annotationNamed(method, annotationName);
      if (annotation === undefined) continue;
      const fault = faultIn(read(buildMethod(method, scope.file, scope), typeOf, scope));
      if (fault === undefined) continue;
      const { reason, advice, unknown } = fault;
      const near = unknown && nearest(unknown.name, unknown.known);
      const meant = near && [...unknown.within, near.word].join(".");
      report(diagnostic, { method: method.name.text, reason }, annotation.value?.span ?? annotation.span, {
        advice: meant === undefined ? advice : `Did you mean "${meant}"?`,
      });
    }
  };
}

/** A usable annotation may have a fault, too. */
function faultIn(read: object | undefined): PathFault | undefined {
  const result = read as PathFault | { readonly reason?: undefined; readonly fault?: PathFault } | undefined;
  return result?.reason === undefined ? result?.fault : result;
}

/**
 * `@cache` is on reads: methods with a GET or QUERY route, and methods with `@readonly`. It has a duration and words.
 * A shared cache must not answer one caller with the response of another.
 * Bad: `@cache:"1 minute"`. Good: `@readonly @cache:"60s, vary X-Access-Key"`.
 */
export const cache: Rule = (scope, report) => {
  for (const method of methodsIn(scope.file)) {
    const annotation = annotationNamed(method, cacheName);
    if (annotation === undefined) continue;
    const { input, output } = method;
    const rule = readCache({
      annotations: annotationsOf(method),
      verb: method.route?.verb.text,
      isStream: input.stream || output.stream,
      takesFiles: takesFile(method, scope),
    });
    if (rule === undefined || !("fault" in rule)) continue;
    const span = annotation.value?.span ?? annotation.span;
    const parameters = { method: method.name.text };
    if (rule.fault === "write")
      report("cache-not-read", parameters, annotation.span, adviceOn(method, scope));
    else if (rule.fault === "shared") report("cache-shared", parameters, span);
    else reportText(rule, parameters, span, report);
  }
};

function annotationsOf({ annotations }: MethodNode): CachedMethod["annotations"] {
  return annotations.map(({ name, value }) => ({ name: name.text, value: value?.value }));
}

function reportText(
  fault: Extract<CacheFault, { readonly text: string }>,
  parameters: { readonly method: string },
  span: Span,
  report: Report,
): void {
  const found = fault.text === "" ? undefined : `"${fault.text}"`;
  if (fault.fault === "duration")
    report("cache-duration", { ...parameters, found: found ?? "nothing" }, span);
  else report("cache-word", { ...parameters, found: found ?? "an empty word", reason: fault.reason }, span);
}

/** Advice for methods that stay writes, streams or uploads with `@readonly`. */
function adviceOn(method: MethodNode, { file }: Scope): ReportExtra {
  const annotation = file.format === "yaml" ? cacheName : `@${cacheName}`;
  if (method.route !== undefined)
    return { advice: `Change the route to GET or QUERY, or remove ${annotation}.` };
  return annotationNamed(method, "readonly")
    ? { advice: `Remove ${annotation}. Streams and uploads are not cached.` }
    : {};
}

/**
 * `@idempotencyKey` is on writes that are not idempotent, without streams and files.
 * Bad: `@readonly @idempotencyKey`. Good: `@idempotencyKey`.
 */
export const idempotencyKey: Rule = (scope, report) => {
  for (const method of methodsIn(scope.file)) {
    const found = annotationNamed(method, idempotencyKeyName);
    if (found === undefined) continue;
    const { input, output } = method;
    const reason = keyFault({
      annotations: annotationsOf(method),
      verb: method.route?.verb.text,
      isStream: input.stream || output.stream,
      hasFiles: takesFile(method, scope) || isFileOutput(output, scope),
    });
    if (reason !== undefined)
      report("idempotency-key-unused", { method: method.name.text, reason }, found.span, {
        ...(found.value && { advice: "Remove the value." }),
      });
  }
};

/**
 * `@paging` names fields of the request and the response.
 * Bad: `@paging:"size,pag"`. Good: `@paging:"size,page"`.
 */
export const paging: Rule = fieldAnnotation(pagingName, "paging-ignored", readPaging);

/**
 * `@resume` names a field of the request, a field of the items, and an error of the method.
 * Bad: `@resume:"after"`. Good: `@resume:"after,id,FeedGap"`.
 */
export const resume: Rule = fieldAnnotation(resumeName, "resume-ignored", (method, typeOf, scope) =>
  readResume(method, { typeOf, errorNames: scope.errors.map(({ node }) => errorName(node)) }),
);

/**
 * The dates of `@deprecated` and `@sunset` are days of the calendar, in this order.
 * Bad: `@sunset:"31.1.2027"`. Good: `@deprecated:"2026-11-26, use Find" @sunset:"2027-01-31"`.
 */
export const deprecationDates: Rule = (scope, report) => {
  for (const method of methodsIn(scope.file)) {
    for (const { annotation, reason } of readDeprecation(annotationsOf(method)).faults) {
      const found = annotationNamed(method, annotation);
      const span = found?.value?.span ?? found?.span ?? method.name.span;
      report("deprecation-date", { annotation, method: method.name.text, reason }, span);
    }
  }
};
