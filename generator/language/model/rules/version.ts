import type { Rule } from "../rule.ts";
import { headerOf } from "./headers.ts";

/**
 * A file with services, its own or imported, has a version.
 * Bad: only `service A`. Good: `version = v1.0.0` above it.
 */
export const version: Rule = (scope, report) => {
  const [service] = scope.services;
  if (service === undefined || (headerOf(scope, "version")?.value.value ?? "") !== "") return;
  if (scope.file.unparsed?.words.has("version") === true) return;
  const isOwn = service.file === scope.file;
  const span = isOwn
    ? service.node.name.span
    : (scope.imports.find(({ scope: from }) => from.services.includes(service))?.node.span ?? {
        start: 0,
        end: 0,
      });
  report("version-required", {}, span);
};
