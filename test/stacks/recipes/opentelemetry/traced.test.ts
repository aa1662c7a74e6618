import { createServer as createHttpServer } from "node:http";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { nodeListener } from "ridlkit-runtime/node";
import { expect, test } from "vitest";
import { Pets } from "./generated/client.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";
import { traced } from "./traced.ts";

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const tracer = trace.getTracer("test");

const { GetPet } = handlers.Pets;
const server = createServer(
  {
    Pets: {
      ...handlers.Pets,
      GetPet: (ctx, req) =>
        tracer.startActiveSpan("query", (span) => {
          span.end();
          return GetPet(ctx, req);
        }),
    },
  },
  { around: [traced] },
);
const listener = nodeListener(server);
// A span that a middleware opens, as instrumentations of HTTP servers do.
const http = createHttpServer((req, res) =>
  tracer.startActiveSpan("http", (span) => {
    res.once("close", () => span.end());
    listener(req, res);
  }),
);

test("each call has one span, between that of HTTP and those of its handler", async () => {
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const { port } = http.address() as { port: number };
  const pets = new Pets(`http://127.0.0.1:${port}`);
  await pets.getPet({ id: 1 });
  await expect(pets.getPet({ id: 9 })).rejects.toMatchObject({ name: "PetNotFound" });
  for await (const _ of pets.watch()) {
    /* All items are read. */
  }
  http.closeAllConnections();
  await new Promise((done) => http.close(done));
  const spans = exporter.getFinishedSpans();
  const calls = spans.filter(({ name }) => name.startsWith("Pets/"));
  expect(
    calls.map(({ name, kind, attributes, status }) => ({ name, kind, attributes, code: status.code })),
  ).toEqual([
    {
      name: "Pets/GetPet",
      kind: 1,
      code: 0,
      attributes: { "rpc.system.name": "webrpc", "rpc.method": "Pets/GetPet" },
    },
    {
      name: "Pets/GetPet",
      kind: 1,
      code: 2,
      attributes: { "rpc.system.name": "webrpc", "rpc.method": "Pets/GetPet", "error.type": "PetNotFound" },
    },
    {
      name: "Pets/Watch",
      kind: 1,
      code: 0,
      attributes: { "rpc.system.name": "webrpc", "rpc.method": "Pets/Watch" },
    },
  ]);
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  const parents = spans.map(
    ({ name, parentSpanContext }) => `${byId.get(parentSpanContext?.spanId ?? "") ?? "none"} > ${name}`,
  );
  expect(parents.filter((each) => !each.startsWith("none"))).toEqual([
    "Pets/GetPet > query",
    "http > Pets/GetPet",
    "Pets/GetPet > query",
    "http > Pets/GetPet",
    "http > Pets/Watch",
  ]);
});
