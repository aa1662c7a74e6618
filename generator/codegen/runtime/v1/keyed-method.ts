/** Methods whose calls have an idempotency key. */
import type { CallOptions, Client, MethodInfo } from "./client.ts";

/**
 * Adds the header `Idempotency-Key` to the calls of a method. All attempts of a call have the same key, because it is
 * made before interceptors run. Generated code calls this at module level, so it must have no side effects.
 */
export function keyedMethod<Called extends { readonly info: MethodInfo }>(method: Called): Called {
  const call = method as unknown as (client: Client, req: unknown, options: CallOptions) => Promise<unknown>;
  async function run(client: Client, req?: unknown, options?: CallOptions): Promise<unknown> {
    const { idempotencyKey: key = randomKey() } = options ?? {};
    if (!/^[ -~]{1,255}$/.test(key)) {
      const option = `${method.info.name}: idempotencyKey`;
      throw new TypeError(`${option}: expected 1 to 255 printable ASCII characters, found "${key}"`);
    }
    const quoted = `"${key.replace(/["\\]/g, "\\$&")}"`;
    return call(client, req, { ...options, headers: { ...options?.headers, "Idempotency-Key": quoted } });
  }
  run.info = method.info;
  return run as never;
}

/** Pages without HTTPS have no `crypto.randomUUID`. */
function randomKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join("-");
}
