import type { Interceptor } from "./client.ts";

/** Combines several interceptors into one. The first one is outermost. */
export function chain(...interceptors: readonly Interceptor[]): Interceptor {
  return interceptors.reduceRight<Interceptor>(
    (inner, outer) => (call, next) => outer(call, (each) => inner(each, next)),
    (call, next) => next(call),
  );
}
