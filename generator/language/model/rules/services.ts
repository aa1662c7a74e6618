import type { MethodNode, ServiceNode } from "../../syntax/tree.ts";
import { foldCase, isIdentifier } from "../names.ts";
import type { Report, Rule } from "../rule.ts";
import { type Declared, maxServices, type Scope } from "../scope.ts";

/**
 * Services in scope have unique names, ignoring letter case, and each is imported only once.
 * Bad: `service Pets` and `service pets`. Good: one name each.
 */
export const uniqueServices: Rule = (scope, report) => {
  if (scope.services.length >= maxServices) {
    report(
      "too-many-services",
      { limit: maxServices },
      scope.imports.at(-1)?.node.span ?? { start: 0, end: 0 },
    );
    return;
  }
  const first = new Map<string, Declared<ServiceNode>>();
  for (const service of scope.services) {
    const { node, file } = service;
    const name = node.name.value;
    const earlier = first.get(foldCase(name));
    if (earlier === undefined) first.set(foldCase(name), service);
    else if (earlier === service) report("service-imported-twice", { name }, lastImportOf(service, scope));
    else {
      const notes = [
        { message: "First declared here.", at: { file: earlier.file.source, span: earlier.node.name.span } },
      ];
      report(
        name === earlier.node.name.value ? "duplicate-service" : "service-case",
        { name, other: earlier.node.name.value },
        node.name.span,
        { file, notes },
      );
    }
  }
};

function lastImportOf(service: Declared<ServiceNode>, scope: Scope): { start: number; end: number } {
  const last = scope.imports.findLast(({ scope: from }) => from.services.includes(service));
  return last?.node.span ?? { start: 0, end: 0 };
}

/**
 * A service has methods, and their names are unique, ignoring letter case.
 * Bad: `- Get()` and `- get()`. Good: one name each.
 */
export const methods: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    if (node.methods.length === 0 && scope.file.unparsed?.services.has(node) !== true)
      report("empty-service", { name: node.name.value }, node.name.span);
    checkMethods(node, scope, report);
  }
};

function checkMethods(service: ServiceNode, scope: Scope, report: Report): void {
  const first = new Map<string, MethodNode>();
  for (const method of service.methods) {
    const { text: name, span } = method.name;
    if (method.proxy) report("unbuilt-proxy", { method: name }, span);
    else if (!isIdentifier(name)) report("method-name", { name }, span);
    if (method.input.stream) report("unbuilt-stream", { method: name }, span);
    const earlier = first.get(foldCase(name));
    if (earlier === undefined) first.set(foldCase(name), method);
    else {
      const notes = [
        { message: "First declared here.", at: { file: scope.file.source, span: earlier.name.span } },
      ];
      const other = earlier.name.text;
      report(
        name === other ? "duplicate-method" : "method-case",
        { name, other, service: service.name.value },
        span,
        { notes },
      );
    }
  }
}
