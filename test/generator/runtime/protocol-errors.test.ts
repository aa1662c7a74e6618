import { expect, test } from "vitest";
import { generate } from "../../../generator/codegen/generate.ts";
import { compile } from "../../../generator/language/compile.ts";
import { failures, match, refusalOf, result } from "../../../generator/runtime/src/client.ts";
import {
  type ErrorInfo,
  RpcError,
  type RpcErrorClass,
  rpcErrorClass,
} from "../../../generator/runtime/src/errors.ts";
import { badRoute, protocolErrors } from "../../../generator/runtime/src/protocol-error-table.ts";
import * as classes from "../../../generator/runtime/src/protocol-errors.ts";
import { WebrpcBadRouteError as ofMarket } from "../../fixtures/market/generated/errors.ts";
import { NotFoundError, WebrpcBadRouteError as ofRoutes } from "../../fixtures/routes/generated/errors.ts";
import { memoryReader } from "../../support/memory-reader.ts";

const schemaText =
  'webrpc = v1\nname = pets\nversion = v1.0.0\nbasepath = /rpc\n\nerror 1 NotFound "no such pet" HTTP 404\n\n' +
  "struct Pet\n  - id: uint64\n  - name: string\n\nservice Pets\n  - Get(id: uint64) => (pet: Pet)\n";

function generated(names: Readonly<Record<string, object>> = {}): ReadonlyMap<string, string> {
  const { result: compiled } = compile("pets.ridl", memoryReader({ "pets.ridl": schemaText }));
  if (compiled === undefined) throw new Error("the schema is invalid");
  const { model, ir } = compiled;
  return generate(model, ir, { targets: [], schemaFile: "pets.ridl", protocolErrors: names });
}

test("a schema of one method is at most 6 files and 300 lines", () => {
  const files = [...generated()].filter(([path]) => /[.](ts|json)$/.test(path));
  expect(files.length).toBeLessThanOrEqual(6);
  const lines = files.map(([, text]) => text.split("\n").length - 1);
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(300);
});

test("protocol errors are printed only if the configuration renames one, and then this one only", () => {
  const own = [...generated().values()].join("");
  for (const { message } of protocolErrors) expect(own).not.toContain(`"${message}"`);
  const renamed = generated({ "-5": { name: "Garbled" }, "-4": { message: "invalid request" } });
  const errors = renamed.get("errors.ts") ?? "";
  expect(errors.match(/rpcErrorClass\(/g)).toHaveLength(3);
  expect(errors).toContain(
    'rpcErrorClass({ name: "Garbled", code: -5, message: "bad response", status: 500 })',
  );
  expect(errors).toContain(
    'rpcErrorClass({ name: "WebrpcBadRequest", code: -4, message: "invalid request", status: 400 })',
  );
  expect(errors).not.toMatch(/WebrpcBadResponseError/);
  const client = renamed.get("client.ts") ?? "";
  expect(client).toContain('[-5]: { name: "Garbled", code: -5, message: "bad response", status: 500 }');
  expect(client).toContain(
    '[-4]: { name: "WebrpcBadRequest", code: -4, message: "invalid request", status: 400 }',
  );
  expect(client).toContain('[-1]: { name: "WebrpcRequestFailed"');
  expect(renamed.get("server.ts")).toContain(
    '{ name: "Garbled", code: -5, message: "bad response", status: 500 }',
  );
});

const byName = new Map<string, RpcErrorClass<string, number>>(Object.entries(classes));

test.each(protocolErrors)(
  "the class of $name has the values that servers send",
  ({ code, name, message, status }) => {
    const create = byName.get(name.endsWith("Error") ? name : `${name}Error`);
    expect({ ...(create && new create()) }).toEqual({ name, code, status, msg: message });
    expect(create?.name).toBe(name);
  },
);

test("the class of an error has the name that thrown errors have in logs", () => {
  const error = new NotFoundError();
  expect(NotFoundError.name).toBe("NotFound");
  expect(error.constructor.name).toBe("NotFound");
  expect(error.stack).toMatch(/^NotFound: not found\n/);
});

test.each([-1, -5, -8] as const)("a client raises %i as the protocol defines it", (code) => {
  expect(failures[code]).toBe(protocolErrors.find((error) => error.code === code));
});

test("a request that is not sent has the error of the protocol, or its other name", () => {
  const schema = { basepath: "/", webrpc: "", failures };
  const refused = { name: "WebrpcBadRequest", code: -4, message: "bad request", status: 0 };
  expect(refusalOf(schema)).toEqual(refused);
  const renamed: ErrorInfo = { name: "Refused", code: -4, message: "refused", status: 400 };
  expect(refusalOf({ ...schema, failures: { ...failures, [-4]: renamed } })).toEqual({
    ...renamed,
    status: 0,
  });
});

test("classes of several schemas and copies are recognized by their code", async () => {
  const thrown = new RpcError(badRoute);
  const again = rpcErrorClass(badRoute);
  for (const one of [ofMarket, ofRoutes, again]) {
    expect(thrown).toBeInstanceOf(one);
    expect(new one({ cause: "c" })).toMatchObject({ name: "WebrpcBadRoute", cause: "c", side: "server" });
  }
  expect(new again()).toBeInstanceOf(ofMarket);
  expect(thrown).not.toBeInstanceOf(NotFoundError);
  expect({ code: -2 }).not.toBeInstanceOf(again);
  class Own extends again {}
  expect(new Own()).toBeInstanceOf(ofRoutes);
  const outcome = await result(Promise.reject(new ofRoutes()) as never);
  expect(match(outcome as never, { ok: () => "ok", WebrpcBadRoute: () => "bad route" } as never)).toBe(
    "bad route",
  );
});
