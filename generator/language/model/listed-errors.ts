import type { AnnotationNode, MethodNode, ServiceNode } from "../syntax/tree.ts";

/** Annotation of a method that returns no schema error. An `errors` clause cannot be empty, so it needs its own syntax. */
export const noErrorsName = "noErrors";

export function hasValue({ value }: AnnotationNode): boolean {
  return value !== undefined && value.value !== "";
}

/**
 * Returns the errors that a method lists, without duplicates. Empty with `@noErrors` (ignored if it has a value); undefined
 * without either.
 */
export function listedErrors(method: MethodNode): readonly string[] | undefined {
  if (method.errors.length > 0) return [...new Set(method.errors.map(({ text }) => text))];
  const isMarked = method.annotations.some((one) => one.name.text === noErrorsName && !hasValue(one));
  return isMarked ? [] : undefined;
}

/** Returns the errors that at least one method of a service lists. */
export function errorsListedBy({ methods }: ServiceNode): readonly string[] {
  return [...new Set(methods.flatMap(({ errors }) => errors.map(({ text }) => text)))];
}
