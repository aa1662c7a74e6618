import type { MethodNode } from "../../syntax/tree.ts";
import { type CacheFault, cacheName, readCache } from "../cache.ts";
import { credentialNames } from "../credentials.ts";
import { takesFile } from "../files.ts";
import type { Rule } from "../rule.ts";
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
      if (!isRead(method, scope)) report("cache-not-read", parameters, annotation.span);
      else if ("fault" in rule) report(`cache-${rule.fault}`, { ...parameters, found: found(rule) }, span);
      else if (rule.scope !== "private" && rule.vary.length === 0 && needsCredentials(method))
        report("cache-shared", parameters, span);
    }
  }
};

function found({ fault, text }: CacheFault): string {
  if (text !== "") return `"${text}"`;
  return fault === "duration" ? "nothing" : "an empty word";
}

/** Whether a method can be called by GET or QUERY. */
function isRead(method: MethodNode, scope: Scope): boolean {
  const { route, annotations, input, output } = method;
  if (route !== undefined) return route.verb.text === "GET" || route.verb.text === "QUERY";
  const isReadonly = annotations.some(({ name }) => name.text === "readonly");
  return isReadonly && !input.stream && !output.stream && !takesFile(method, scope);
}

function needsCredentials({ annotations }: MethodNode): boolean {
  const auth = annotations.find(({ name }) => name.text === "auth");
  return auth !== undefined && (auth.value === undefined || credentialNames(auth.value.value).length > 0);
}
