/** Generated servers accept the requests that their OpenAPI document describes, and reject others. */
import { createServer as createHttp } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../generator/language/compile.ts";
import { loadInMemory } from "../../generator/verify/in-memory/load.ts";
import { listen, type RunningServer } from "../support/adapters.ts";
import { memoryReader } from "../support/memory-reader.ts";
import { rawRequest } from "../support/raw-http.ts";
import { type Operation, openapiDocument, type Parameter, routedSchemas } from "./documents.ts";
import { Samples } from "./samples.ts";

/** The texts of each parameter. */
type Texts = ReadonlyMap<Parameter, readonly string[]>;

interface Received {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
}

const cases = (["items", "parks"] as const).flatMap((name) =>
  (["number", "bigint"] as const).map((int64) => ({ name, int64 })),
);

describe.each(cases)("$name, with 64-bit integers as $int64", ({ name, int64 }) => {
  const document = openapiDocument(routedSchemas[name], int64);
  const samples = new Samples(document);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([key]) => key !== "description")
      .map(([key, operation]) => ({ path, verb: key.replace("x-", "").toUpperCase(), operation })),
  );
  const received: Received[] = [];
  let host: RunningServer;

  beforeAll(async () => {
    const { result } = compile("api.ridl", memoryReader({ "api.ridl": routedSchemas[name] }));
    if (result === undefined) throw new Error("the schema has errors");
    const live = await loadInMemory({ ...result, int64 });
    const handlers = live.plan.services.map((service) => [
      service.name,
      Object.fromEntries(
        service.methods.map((method) => [
          method.name,
          (_ctx: unknown, request: Received["request"]) => {
            received.push({ method: `${service.name}_${method.name}`, request });
          },
        ]),
      ),
    ]);
    host = await listen(createHttp(live.nodeListener(live.createServer(Object.fromEntries(handlers)))));
  });

  afterAll(() => host[Symbol.asyncDispose]());

  /** Returns what the handler received, or the status of a request that was rejected. */
  async function send(
    { path, verb, operation }: (typeof operations)[number],
    texts: Texts,
    body = bodyOf(operation),
  ): Promise<Received | number> {
    received.length = 0;
    const parameters = [...texts];
    const filled = path.replaceAll(/\{(\w+)\}/g, (_template, wanted: string) => {
      const [, values = []] = parameters.find(([one]) => one.in === "path" && one.name === wanted) ?? [];
      return encodeURIComponent(values[0] ?? "");
    });
    const query = parameters
      .filter(([one]) => one.in === "query")
      .flatMap(([one, values]) => values.map((value) => `${one.name}=${encodeURIComponent(value)}`));
    const url = query.length === 0 ? filled : `${filled}?${query.join("&")}`;
    const { status } = await rawRequest(host.port, { method: verb, path: url, body });
    return received[0] ?? status;
  }

  function bodyOf({ requestBody }: Operation): string {
    const schema = requestBody?.content["application/json"]?.schema;
    return schema === undefined ? "" : JSON.stringify(samples.json(schema));
  }

  /** The first text of each required parameter. */
  function required({ parameters = [] }: Operation): Map<Parameter, readonly string[]> {
    return new Map(
      parameters
        .filter((one) => one.required)
        .map((one) => [one, samples.valid(one.schema).slice(0, 1)] as const),
    );
  }

  test("each value of each parameter", async () => {
    for (const call of operations) {
      for (const parameter of call.operation.parameters ?? []) {
        for (const text of samples.valid(parameter.schema)) {
          const answer = await send(call, required(call.operation).set(parameter, [text]));
          const label = `${call.operation.operationId} ${parameter.name}=${text}`;
          expect([label, answer]).toEqual([
            label,
            { method: call.operation.operationId, request: expect.any(Object) },
          ]);
          expect(textsOf(answer), label).toContain(text);
        }
      }
    }
  });

  test("only required parameters and bodies", async () => {
    for (const call of operations) {
      const { operationId } = call.operation;
      expect(await send(call, required(call.operation)), operationId).toMatchObject({ method: operationId });
      if (call.operation.requestBody?.required === false)
        expect(await send(call, required(call.operation), ""), operationId).toMatchObject({
          method: operationId,
        });
    }
  });

  test("no request without a required parameter or property", async () => {
    for (const call of operations) {
      const { operationId, parameters = [], requestBody } = call.operation;
      for (const parameter of parameters.filter((one) => one.in === "query" && one.required)) {
        const texts = required(call.operation);
        texts.delete(parameter);
        expect(await send(call, texts), `${operationId} ${parameter.name}`).toBe(400);
      }
      if (requestBody?.required === true && bodyOf(call.operation) !== "{}" && call.verb !== "PATCH")
        expect(await send(call, required(call.operation), "{}"), operationId).toBe(400);
    }
  });

  test("no request with an invalid value", async () => {
    for (const call of operations) {
      for (const parameter of call.operation.parameters ?? []) {
        for (const text of samples.invalid(parameter.schema)) {
          const label = `${call.operation.operationId} ${parameter.name}=${text}`;
          const answer = await send(call, required(call.operation).set(parameter, [text]));
          expect(answer, label).toBe(400);
        }
      }
    }
  });

  test("lists of several values", async () => {
    for (const call of operations) {
      for (const parameter of (call.operation.parameters ?? []).filter(
        ({ schema }) => schema.type === "array",
      )) {
        const items = samples.valid(parameter.schema).slice(0, 2);
        const answer = await send(call, required(call.operation).set(parameter, items));
        const label = `${call.operation.operationId} ${parameter.name}`;
        const request = typeof answer === "number" ? {} : answer.request;
        expect([request[parameter.name]].flat().map(String), label).toEqual(items);
      }
    }
  });
});

function textsOf(answer: Received | number): readonly string[] {
  return typeof answer === "number" ? [] : Object.values(answer.request).flat().map(String);
}
