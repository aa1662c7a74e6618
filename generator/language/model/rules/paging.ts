import { nearest } from "../../diagnostics/suggest.ts";
import { buildType } from "../build.ts";
import { Method } from "../lazy-models.ts";
import { pagingName, readPaging } from "../paging.ts";
import type { Rule } from "../rule.ts";

/**
 * `@paging` names fields of the request and the response.
 * Bad: `@paging:"size,pag"`. Good: `@paging:"size,page"`.
 */
export const paging: Rule = (scope, report) => {
  for (const node of scope.file.declarations) {
    if (node.kind !== "service") continue;
    for (const method of node.methods) {
      const annotation = method.annotations.find(({ name }) => name.text === pagingName);
      if (annotation === undefined) continue;
      const read = readPaging(new Method(method, scope.file, scope), (name) => {
        const declared = scope.typeByName.get(name);
        return declared && buildType(declared, scope);
      });
      const fault = read !== undefined && "reason" in read ? read : read?.fault;
      if (fault === undefined) continue;
      const { reason, advice, unknown } = fault;
      const near = unknown && nearest(unknown.name, unknown.known);
      const meant = near && [...unknown.within, near.word].join(".");
      report(
        "paging-ignored",
        { method: method.name.text, reason },
        annotation.value?.span ?? annotation.span,
        { advice: meant === undefined ? advice : `Did you mean "${meant}"?` },
      );
    }
  }
};
