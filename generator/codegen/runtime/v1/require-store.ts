import type { Method } from "./definition.ts";

/** Throws if methods take keys and the server has no store for them: clients repeat such calls. */
export function requireStore(
  methods: Iterable<Method>,
  { idempotency }: { readonly idempotency?: unknown },
): void {
  const names = [...methods]
    .filter(({ definition }) => definition.takesKey)
    .map(({ info: { service, name } }) => `${service}.${name}`);
  if (idempotency === undefined && names.length > 0)
    throw new TypeError(
      `no store for the idempotency keys of ${names.join(", ")}: pass the option "idempotency" to createServer`,
    );
}
