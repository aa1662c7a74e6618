import { readResume, resumeName } from "../resume.ts";
import type { Rule } from "../rule.ts";
import { errorName } from "./errors.ts";
import { fieldAnnotation } from "./field-annotation.ts";

/**
 * `@resume` names a field of the request, a field of the items, and an error of the method.
 * Bad: `@resume:"after"`. Good: `@resume:"after,id,FeedGap"`.
 */
export const resume: Rule = fieldAnnotation(resumeName, "resume-ignored", (method, typeOf, scope) =>
  readResume(method, { typeOf, errorNames: scope.errors.map(({ node }) => errorName(node)) }),
);
