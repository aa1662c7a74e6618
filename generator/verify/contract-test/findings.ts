import type { Finding, TestCall } from "./call.ts";

/** Keeps one finding per rule and method: the one with the fewest calls. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }

  report(
    rule: string,
    { service, method }: { readonly service: string; readonly method: string },
    message: string,
    calls: readonly TestCall[],
  ): void {
    const key = `${rule} ${service}.${method} ${message.replaceAll(/"[^"]*"|[0-9]+/g, "")}`;
    const known = this.#found.get(key);
    if (known === undefined || known.calls.length > calls.length)
      this.#found.set(key, { rule, method: `${service}.${method}`, message, calls });
  }
}
