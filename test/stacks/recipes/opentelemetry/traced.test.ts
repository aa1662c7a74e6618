import { createServer as createHttpServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { nodeListener } from "ridlkit-runtime/node";
import { expectOk } from "ridlkit-runtime/testing";
import { expect, test } from "vitest";
import { Pets } from "./generated/client.ts";
import { createServer } from "./generated/server.ts";
import { handlers } from "./handlers.ts";
import { endSpan, traced } from "./traced.ts";

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const tracer = trace.getTracer("test");
const query = (): void => tracer.startActiveSpan("query", (span) => span.end());

const { GetPet, Watch } = handlers.Pets;
const server = createServer(
  {
    Pets: {
      GetPet: (ctx, req) => {
        query();
        return GetPet(ctx, req);
      },
      Rename: () => {
        throw null;
      },
      Watch: async function* (ctx, req) {
        yield* await expectOk(Watch(ctx, req));
        await sleep(100);
        query();
        throw new Error("the disk is full");
      },
    },
  },
  {
    guards: [(call) => (call.header("x-key") === "revoked" ? call.errors.PetNotFound() : undefined)],
    onResponse: endSpan,
  },
);
const listener = traced(nodeListener(server));
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
  const url = `http://127.0.0.1:${port}`;
  const pets = new Pets(url);
  await pets.getPet({ id: 1 });
  await expect(pets.getPet({ id: 9 })).rejects.toMatchObject({ name: "PetNotFound" });
  await expect(pets.rename({ id: 1, name: "Max" })).rejects.toMatchObject({ code: -7 });
  const items: unknown[] = [];
  const watching = async (): Promise<void> => {
    for await (const item of pets.watch()) items.push(item);
  };
  await expect(watching()).rejects.toMatchObject({ code: -7 });
  expect(items).toHaveLength(2);
  const revoked = new Pets({ url, headers: () => ({ "X-Key": "revoked" }) });
  await expect(revoked.getPet({ id: 1 })).rejects.toMatchObject({ name: "PetNotFound" });
  await expect(pets.getPet({ id: -1 })).rejects.toMatchObject({ code: -4 });
  await fetch(`${url}/rpc/Pets/Nope`, { method: "POST" });
  http.closeAllConnections();
  await new Promise((done) => http.close(done));

  const spans = exporter.getFinishedSpans();
  const calls = spans.filter(({ kind }) => kind === 1);
  expect(
    calls.map(({ name, attributes, status, events }) => [
      name,
      attributes["rpc.method"],
      attributes["error.type"],
      status.code,
      events[0]?.attributes?.["exception.message"],
    ]),
  ).toEqual([
    ["Pets/GetPet", "Pets/GetPet", undefined, 0, undefined],
    ["Pets/GetPet", "Pets/GetPet", "PetNotFound", 2, undefined],
    ["Pets/Rename", "Pets/Rename", "WebrpcInternalError", 2, undefined],
    ["Pets/Watch", "Pets/Watch", "WebrpcInternalError", 2, "the disk is full"],
    ["Pets/GetPet", "Pets/GetPet", "PetNotFound", 2, undefined],
    ["Pets/GetPet", "Pets/GetPet", "WebrpcBadRequest", 2, undefined],
    ["_OTHER", "_OTHER", "WebrpcBadRoute", 2, undefined],
  ]);
  const [seconds = 0, nanoseconds = 0] = calls[3]?.duration ?? [];
  expect(seconds * 1e9 + nanoseconds).toBeGreaterThan(90e6);
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  const parents = spans.map(
    ({ name, parentSpanContext }) => `${byId.get(parentSpanContext?.spanId ?? "") ?? "none"} > ${name}`,
  );
  expect(parents.filter((each) => !each.startsWith("none"))).toEqual([
    "Pets/GetPet > query",
    "http > Pets/GetPet",
    "Pets/GetPet > query",
    "http > Pets/GetPet",
    "http > Pets/Rename",
    "Pets/Watch > query",
    "http > Pets/Watch",
    "http > Pets/GetPet",
    "http > Pets/GetPet",
    "http > _OTHER",
  ]);
});
