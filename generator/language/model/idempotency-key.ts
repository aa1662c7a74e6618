/** Annotation of a write whose calls may have an idempotency key. */
export const idempotencyKeyName = "idempotencyKey";

interface KeyedMethod {
  readonly annotations: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly verb: string | undefined;
  readonly isStream: boolean;
  readonly hasFiles: boolean;
}

/** Returns why `@idempotencyKey` of a method has no effect. */
export function keyFault({ annotations, verb, isStream, hasFiles }: KeyedMethod): string | undefined {
  const value = annotations.find(({ name }) => name === idempotencyKeyName)?.value ?? "";
  if (value !== "") return "the annotation has a value";
  const repeatable = annotations.find(({ name }) => name === "readonly" || name === "idempotent");
  if (repeatable !== undefined)
    return `calls can be repeated without a key, because it has "@${repeatable.name}"`;
  if (verb === "GET" || verb === "QUERY")
    return `calls can be repeated without a key, because it has a ${verb} route`;
  if (isStream) return "streams are not kept";
  return hasFiles ? "files are not kept" : undefined;
}
