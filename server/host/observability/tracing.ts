/** OpenTelemetry tracing. Off by default, because it doubles the CPU time of a small call; its packages are then not loaded. */
import type { Context, Span } from "@opentelemetry/api";
import { setSpans } from "../../base/spans.ts";

export interface Tracing extends AsyncDisposable {
  /**
   * Runs a call in a span named after its method, `Marketplace/GetOrders`. The span is a child of the caller's span if the
   * headers name one, and the active span of everything that the call awaits.
   */
  run<Result>(
    name: string,
    headers: NodeJS.Dict<string | string[]>,
    call: () => Promise<Result>,
  ): Promise<Result>;
  ended(call: EndedCall): void;
  /** Of the running call. */
  traceId(): string | undefined;
}

interface EndedCall {
  readonly status: number;
  readonly error: string | undefined;
  readonly requestId: string;
  readonly project: number | undefined;
  readonly network: string | undefined;
}

export interface TracingOptions {
  /** Where spans are sent, as OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Share of the calls whose caller did not decide, 0 to 100. */
  readonly samplePercent: number;
  readonly version: string;
}

export async function openTracing({ url, samplePercent, version }: TracingOptions): Promise<Tracing> {
  const [api, resources, sdk, exporter] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace-node"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const { OTEL_SERVICE_NAME: serviceName = "platform" } = process.env;
  const resource = resources.resourceFromAttributes({
    "service.name": serviceName,
    "service.version": version,
  });
  const provider = new sdk.NodeTracerProvider({
    resource: resources.defaultResource().merge(resource),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(samplePercent / 100) }),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url }))],
  });
  provider.register();
  const tracer = api.trace.getTracer("platform", version);
  setSpans(({ name, attributes, startsTrace = false }, work) => {
    if (!startsTrace && api.trace.getActiveSpan() === undefined) return work();
    return tracer.startActiveSpan(name, { kind: api.SpanKind.CLIENT, attributes }, (span) =>
      work()
        .catch((err: unknown) => {
          span.setAttribute("error.type", err instanceof Error ? err.name : typeof err);
          span.setStatus({ code: api.SpanStatusCode.ERROR });
          throw err;
        })
        .finally(() => span.end()),
    );
  });
  return {
    run: (name, headers, call) => {
      const parent: Context = api.propagation.extract(api.ROOT_CONTEXT, headers);
      return tracer.startActiveSpan(name, { kind: api.SpanKind.SERVER }, parent, (span: Span) =>
        call().finally(() => span.end()),
      );
    },
    ended: ({ status, error, requestId, project, network }) => {
      const span = api.trace.getActiveSpan();
      span?.setAttributes({
        "rpc.system.name": "webrpc",
        "http.response.status_code": status,
        "platform.request_id": requestId,
        ...(project !== undefined && { "platform.project": project }),
        ...(network !== undefined && { "platform.network": network }),
      });
      if (error === undefined) return;
      span?.setAttribute("error.type", error);
      if (status >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR });
    },
    traceId: () => api.trace.getActiveSpan()?.spanContext().traceId,
    async [Symbol.asyncDispose]() {
      setSpans(undefined);
      await provider.shutdown();
    },
  };
}
