import type { AnnotationNode, MethodNode, ServiceNode } from "../syntax/tree.ts";

/** Says that a handler returns no error of the schema: an `errors` clause cannot be empty. */
export const noErrorsName = "noErrors";

export function hasValue({ value }: AnnotationNode): boolean {
  return value !== undefined && value.value !== "";
}

/** The errors that a method lists, each once; empty with `@noErrors`, which a value makes void; undefined without either. */
export function listedErrors(method: MethodNode): readonly string[] | undefined {
  if (method.errors.length > 0) return [...new Set(method.errors.map(({ text }) => text))];
  const isMarked = method.annotations.some((one) => one.name.text === noErrorsName && !hasValue(one));
  return isMarked ? [] : undefined;
}

/** The errors that some method of a service lists. */
export function errorsListedBy({ methods }: ServiceNode): readonly string[] {
  return [...new Set(methods.flatMap(({ errors }) => errors.map(({ text }) => text)))];
}
