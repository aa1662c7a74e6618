import { expect, test } from "vitest";
import type { ApiDefinition } from "../../../generator/runtime/src/definition.ts";
import { issue, toIssues } from "../../../generator/runtime/src/errors.ts";
import { fetchHandler } from "../../../generator/runtime/src/fetch.ts";
import { createRpcServer } from "../../../generator/runtime/src/server.ts";
import type { ServiceValidators } from "../../../generator/runtime/src/validation.ts";

/** Creates a server whose validators count how often they are loaded. */
function served(options: { isRefused?: boolean } = {}) {
  const loaded = { requests: 0, responses: 0, fails: false };
  const own: ServiceValidators = {
    requests: async () => {
      loaded.requests++;
      if (loaded.fails) throw new Error("no such file");
      const issues = toIssues([issue(["n"], "a number", "text")]);
      const read = (value: unknown) => (typeof (value as { n: unknown }).n === "number" ? undefined : issues);
      return { requests: { "/rpc/S/A": read, "/rpc/S/B": read } };
    },
    responses: async () => {
      loaded.responses++;
      const written = { check: () => undefined, write: () => ({ written: true }) };
      return { responses: { "/rpc/S/A": written } };
    },
  };
  const method = (name: string) => ({ name, path: `/rpc/S/${name}`, annotations: {} });
  const api: ApiDefinition = {
    basepath: "/rpc/",
    webrpc: "",
    builtinErrors: [{ name: "WebrpcBadRequest", code: -4, message: "bad request", status: 400 }],
    schemaErrors: [],
    services: [{ name: "S", methods: [method("A"), method("B")] }],
    validators: { S: own },
  };
  const handlers = { S: { A: (_ctx: unknown, req: object) => req, B: (_ctx: unknown, req: object) => req } };
  const { isRefused = false } = options;
  const refuse = (): never => {
    throw new Error("refused");
  };
  const guards = isRefused ? [refuse] : [];
  const handler = fetchHandler(createRpcServer(api, handlers, [{ guards }]));
  const call = async (name: string, body: object = { n: 1 }): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await handler(new Request(`http://host/rpc/S/${name}`, init));
    return response.status === 200 ? await response.json() : response.status;
  };
  return { loaded, call };
}

test("validators load once, on the first call of their service", async () => {
  const { loaded, call } = served();
  expect(loaded).toMatchObject({ requests: 0, responses: 0 });
  expect(await Promise.all([call("A"), call("B")])).toEqual([{ written: true }, { n: 1 }]);
  expect(await call("A", { n: "1" })).toBe(400);
  expect(loaded).toMatchObject({ requests: 1, responses: 1 });
});

test("a rejected call loads none", async () => {
  const { loaded, call } = served({ isRefused: true });
  expect(await call("A")).toBe(500);
  expect(loaded.requests).toBe(0);
});

test("a file that cannot be loaded fails the call, and the next call tries again", async () => {
  const { loaded, call } = served();
  loaded.fails = true;
  expect(await Promise.all([call("A"), call("A")])).toEqual([500, 500]);
  expect(loaded.requests).toBe(1);
  loaded.fails = false;
  expect(await call("B")).toEqual({ n: 1 });
});
