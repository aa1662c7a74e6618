import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { ATTR_ERROR_TYPE, ATTR_RPC_METHOD, ATTR_RPC_SYSTEM_NAME } from "@opentelemetry/semantic-conventions";
import type { Around } from "ridlkit-runtime/around";

const tracer = trace.getTracer("pets");

export const traced: Around = ({ method: { service, name } }, _req, next) => {
  const attributes = { [ATTR_RPC_SYSTEM_NAME]: "webrpc", [ATTR_RPC_METHOD]: `${service}/${name}` };
  const options = { kind: SpanKind.SERVER, attributes };
  return tracer.startActiveSpan(`${service}/${name}`, options, (span) =>
    next()
      .catch((err: Error) => {
        span.setAttribute(ATTR_ERROR_TYPE, err.name).setStatus({ code: SpanStatusCode.ERROR });
        throw err;
      })
      .finally(() => span.end()),
  );
};
