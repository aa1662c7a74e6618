import type { Span } from "../../source/span.ts";
import type { MethodNode } from "../../syntax/tree.ts";
import { type CacheFault, cacheName, readCache } from "../cache.ts";
import { credentialNames } from "../credentials.ts";
import { takesFile } from "../files.ts";
import type { Report, ReportExtra, Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

/**
 * `@cache` is on reads: methods with a GET or QUERY route, and methods with `@readonly`. It has a duration and words.
 * A shared cache must not answer one caller with the response of another.
 * Bad: `@cache:"1 minute"`. Good: `@readonly @cache:"60s, vary X-Access-Key"`.
 */
export const cache: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods) {
      const annotation = method.annotations.find(({ name }) => name.text === cacheName);
      if (annotation === undefined) continue;
      const span = annotation.value?.span ?? annotation.span;
      const parameters = { method: method.name.text };
      const rule = readCache(annotation.value?.value);
      if (!isRead(method, scope))
        report("cache-not-read", parameters, annotation.span, adviceOn(method, scope));
      else if ("fault" in rule) reportFault(rule, parameters, span, report);
      else if (rule.scope !== "private" && rule.vary.length === 0 && needsCredentials(method))
        report("cache-shared", parameters, span);
    }
  }
};

function reportFault(
  fault: CacheFault,
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
  return isReadonly(method) ? { advice: `Remove ${annotation}. Streams and uploads are not cached.` } : {};
}

/** Whether a method can be called by GET or QUERY. */
function isRead(method: MethodNode, scope: Scope): boolean {
  const { route, input, output } = method;
  if (route !== undefined) return route.verb.text === "GET" || route.verb.text === "QUERY";
  return isReadonly(method) && !input.stream && !output.stream && !takesFile(method, scope);
}

function isReadonly({ annotations }: MethodNode): boolean {
  return annotations.some(({ name }) => name.text === "readonly");
}

function needsCredentials({ annotations }: MethodNode): boolean {
  const auth = annotations.find(({ name }) => name.text === "auth");
  return auth !== undefined && (auth.value === undefined || credentialNames(auth.value.value).length > 0);
}
