import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE, ATTR_RPC_METHOD, ATTR_RPC_SYSTEM_NAME } from "@opentelemetry/semantic-conventions";
import type { CallLog } from "ridlkit-runtime/options";

const tracer = trace.getTracer("pets");

/** Starts a span for each request. It is active in all hooks and handlers, and while streams and files are sent. */
export function traced<Args extends readonly unknown[], Result>(serve: (...args: Args) => Result) {
  return (...args: Args): Result =>
    tracer.startActiveSpan("_OTHER", { kind: SpanKind.SERVER }, () => serve(...args));
}

export function endSpan({ method, error, cause }: CallLog): void {
  const span = trace.getActiveSpan();
  const name = method === undefined ? "_OTHER" : `${method.service}/${method.name}`;
  span?.updateName(name).setAttributes({ [ATTR_RPC_SYSTEM_NAME]: "webrpc", [ATTR_RPC_METHOD]: name });
  if (error) span?.setAttribute(ATTR_ERROR_TYPE, error.name).setStatus({ code: SpanStatusCode.ERROR });
  if (cause instanceof Error) span?.recordException(cause);
  span?.end();
}
