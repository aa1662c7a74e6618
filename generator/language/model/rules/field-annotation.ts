import { nearest } from "../../diagnostics/suggest.ts";
import { buildType } from "../build.ts";
import type { PathFault } from "../field-paths.ts";
import { Method } from "../lazy-models.ts";
import type { MethodModel, TypeModel } from "../model.ts";
import type { Rule } from "../rule.ts";
import type { Scope } from "../scope.ts";

type Reader = (
  method: MethodModel,
  typeOf: (name: string) => TypeModel | undefined,
  scope: Scope,
) => object | undefined;

/** Creates a rule that reports an annotation whose names do not fit its method. `read` returns the fault. */
export function fieldAnnotation(
  annotationName: string,
  diagnostic: "paging-ignored" | "resume-ignored",
  read: Reader,
): Rule {
  return (scope, report) => {
    const typeOf = (name: string): TypeModel | undefined => {
      const declared = scope.typeByName.get(name);
      return declared && buildType(declared, scope);
    };
    for (const node of scope.file.declarations) {
      if (node.kind !== "service") continue;
      for (const method of node.methods) {
        const annotation = method.annotations.find(({ name }) => name.text === annotationName);
        if (annotation === undefined) continue;
        const fault = faultIn(read(new Method(method, scope.file, scope), typeOf, scope));
        if (fault === undefined) continue;
        const { reason, advice, unknown } = fault;
        const near = unknown && nearest(unknown.name, unknown.known);
        const meant = near && [...unknown.within, near.word].join(".");
        report(diagnostic, { method: method.name.text, reason }, annotation.value?.span ?? annotation.span, {
          advice: meant === undefined ? advice : `Did you mean "${meant}"?`,
        });
      }
    }
  };
}

/** A usable annotation may have a fault, too. */
function faultIn(read: object | undefined): PathFault | undefined {
  const result = read as PathFault | { readonly reason?: undefined; readonly fault?: PathFault } | undefined;
  return result?.reason === undefined ? result?.fault : result;
}
