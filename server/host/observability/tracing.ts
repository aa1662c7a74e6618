/**
 * OpenTelemetry tracing. Off by default, because it doubles the CPU time of a small call. Its packages are not dependencies of
 * the host: operators install them when they switch tracing on.
 */
import type { Context, Span } from "@opentelemetry/api";
import { StartFault } from "../../base/start-fault.ts";

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
  ended(status: number, error: string | undefined): void;
}

export interface TracingOptions {
  /** Where spans are sent, as OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Share of the calls whose caller did not decide, 0 to 100. */
  readonly samplePercent: number;
  readonly version: string;
}

const packages = "@opentelemetry/api @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http";

export async function openTracing({ url, samplePercent, version }: TracingOptions): Promise<Tracing> {
  const { api, sdk, exporter } = await load();
  const provider = new sdk.NodeTracerProvider({
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(samplePercent / 100) }),
    spanProcessors: [new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url }))],
  });
  provider.register();
  const tracer = api.trace.getTracer("platform", version);
  return {
    run: (name, headers, call) => {
      const parent: Context = api.propagation.extract(api.ROOT_CONTEXT, headers);
      return tracer.startActiveSpan(name, { kind: api.SpanKind.SERVER }, parent, (span: Span) =>
        call().finally(() => span.end()),
      );
    },
    ended: (status, error) => {
      const span = api.trace.getActiveSpan();
      span?.setAttributes({ "rpc.system": "webrpc", "http.response.status_code": status });
      if (error === undefined) return;
      span?.setAttribute("error.type", error);
      if (status >= 500) span?.setStatus({ code: api.SpanStatusCode.ERROR });
    },
    [Symbol.asyncDispose]: () => provider.shutdown(),
  };
}

async function load() {
  try {
    const [api, sdk, exporter] = await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ]);
    return { api, sdk, exporter };
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw err;
    throw new StartFault(`tracing needs packages that are not installed; run: npm install ${packages}`);
  }
}
