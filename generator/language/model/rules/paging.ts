import { pagingName, readPaging } from "../paging.ts";
import type { Rule } from "../rule.ts";
import { fieldAnnotation } from "./field-annotation.ts";

/**
 * `@paging` names fields of the request and the response.
 * Bad: `@paging:"size,pag"`. Good: `@paging:"size,page"`.
 */
export const paging: Rule = fieldAnnotation(pagingName, "paging-ignored", readPaging);
