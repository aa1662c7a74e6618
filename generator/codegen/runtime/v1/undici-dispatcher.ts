import type { TransportResponse } from "./transport.ts";

/**
 * A dispatcher of undici 7 or newer: an `Agent`, a `Pool`, a proxy or a mock. Declares only the parts that are used
 * here, because generated code does not import undici.
 */
export interface UndiciDispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): unknown;
}

export interface DispatchOptions {
  origin: string;
  path: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "QUERY";
  headers: Record<string, string>;
  body: string;
}

export interface DispatchController {
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

export interface DispatchHandler {
  onRequestStart(controller: DispatchController, context: unknown): void;
  onResponseStart(controller: DispatchController, statusCode: number, headers: UndiciHeaders): void;
  onResponseData(controller: DispatchController, chunk: Uint8Array): void;
  onResponseEnd(controller: DispatchController, trailers: unknown): void;
  onResponseError(controller: DispatchController, error: Error): void;
}

export type UndiciHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the first value of a header; null if it is missing. */
export function firstOf(value: string | string[] | undefined): string | null {
  return (typeof value === "object" ? value[0] : value) ?? null;
}

/** A request in flight. Aborts the connection when the caller's signal aborts. */
export class DispatchedRequest {
  protected readonly maxBytes: number;
  protected readonly resolve: (response: TransportResponse) => void;
  protected readonly reject: (reason: unknown) => void;
  readonly #signal: AbortSignal | null;
  #connection: DispatchController | undefined;

  constructor(
    maxBytes: number,
    signal: AbortSignal | null,
    resolve: (response: TransportResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.maxBytes = maxBytes;
    this.#signal = signal;
    this.resolve = resolve;
    this.reject = reject;
  }

  onRequestStart(controller: DispatchController): void {
    this.#connection = controller;
    if (this.#signal?.aborted) this.abort();
    else this.#signal?.addEventListener("abort", this.abort);
  }

  protected readonly abort = (): void => this.#connection?.abort(new Error("aborted"));

  /** Removes the listener, because a signal may be shared by many requests. */
  protected ended(): void {
    this.#signal?.removeEventListener("abort", this.abort);
  }
}
