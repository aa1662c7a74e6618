/** The mock as a function of tests. Recipes in test/stacks use it with vitest, MSW and Playwright. */
import { describe, expect, test, vi } from "vitest";
import { type MockFetchOptions, mockFetch } from "../../../../generator/mock.ts";
import { folder } from "../../../support/program.ts";

/** Errors 1 and 2 have status 401. Any method may raise the second, and only Login the first. */
const clinic = `webrpc = v1
name = clinic
version = v1
basepath = /rpc

error 1 BadCredentials "wrong password" HTTP 401
error 2 Unauthorized "log in first" HTTP 401

struct User
  - id: uint64
  - name: string

service Users
  - Login(name: string) => (user: User) errors BadCredentials
  @auth @noErrors
  - Me() => (user: User)
  - Get(id: uint64) => (user: User) errors BadCredentials
  - Watch() => stream (id: uint64)
`;

async function call(options: MockFetchOptions, method: string, body: object = {}, headers = {}) {
  using made = folder({ "clinic.ridl": clinic, "broken.ridl": "service" });
  const serve = await mockFetch({ cwd: made.path, schema: "clinic.ridl", ...options });
  const init = { method: "POST", headers: { "Content-Type": "application/json", ...headers } };
  const url = `http://mock/rpc/Users/${method}`;
  const response = await serve(new Request(url, { ...init, body: JSON.stringify(body) }));
  return { status: response.status, text: await response.text() };
}

test("a call without a credential gets the only 401 that its method can have", async () => {
  expect(JSON.parse((await call({}, "Me")).text)).toMatchObject({ error: "Unauthorized", status: 401 });
  expect((await call({}, "Me", {}, { Authorization: "Bearer x" })).status).toBe(200);
  expect((await call({ auth: false }, "Me")).status).toBe(200);
});

test("the same seed gives the same response, another seed another one", async () => {
  const first = await call({ seed: 1 }, "Get", { id: 5 });
  expect(JSON.parse(first.text).user.id).toBe(5);
  expect(await call({}, "Get", { id: 5 })).toEqual(first);
  expect(await call({ seed: 2 }, "Get", { id: 5 })).not.toEqual(first);
});

test("handlers replace those of the mock, and their responses are checked", async () => {
  const handlers = {
    Users: { Get: (_ctx: object, { id }: { id: number }) => ({ user: { id, name: id > 1 ? 5 : "Ann" } }) },
  };
  expect(await call({ handlers }, "Get", { id: 1 })).toEqual({
    status: 200,
    text: '{"user":{"id":1,"name":"Ann"}}',
  });
  expect((await call({ handlers }, "Get", { id: 2 })).status).toBe(500);
  expect((await call({ handlers }, "Login", { name: "Ann" })).status).toBe(200);
});

test("bugs of handlers are reported", async () => {
  const errors: unknown[] = [];
  const options = { onError: (cause: unknown, method: string) => void errors.push([method, String(cause)]) };
  const boom = (): never => {
    throw new Error("my bug");
  };
  const report = (handlers: object, method: string) =>
    call({ ...options, handlers: { Users: handlers } }, method, { id: 1 });
  await report({ Get: boom }, "Get");
  await report({ Get: () => ({ user: { id: 1, name: 5 } }) }, "Get");
  await report(
    {
      Watch: async function* () {
        yield { id: 1 };
        boom();
      },
    },
    "Watch",
  );
  await call(options, "Get", { id: 1 }, { "Mock-Error": "WebrpcInternalError" });
  expect(errors).toEqual([
    ["Users.Get", "Error: my bug"],
    ["Users.Get", expect.stringContaining("/user/name")],
    ["Users.Watch", "Error: my bug"],
  ]);
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  await call({ handlers: { Users: { Get: boom } } }, "Get", { id: 1 });
  expect(print).toHaveBeenCalledExactlyOnceWith("Users.Get:", new Error("my bug"));
  print.mockRestore();
});

interface ClinicHandlers {
  readonly Users: {
    readonly Get: (ctx: { readonly context: { readonly lang: string } }, req: { id: number }) => object;
    readonly Me: (
      ctx: { readonly context: { readonly lang: string } & { readonly name: string } },
      req: object,
    ) => object;
  };
}

test("handlers get the context, and those of the mock do not", async () => {
  const Me: ClinicHandlers["Users"]["Me"] = ({ context: { name } }) => ({ user: { id: 1, name } });
  const options: MockFetchOptions<ClinicHandlers> = {
    handlers: { Users: { Me } },
    context: { lang: "en", name: "Ann" },
    auth: false,
  };
  // @ts-expect-error: the field `name` is missing
  ({ context: { lang: "en" } }) satisfies MockFetchOptions<ClinicHandlers>;
  const untyped = options as MockFetchOptions;
  expect((await call(untyped, "Me")).text).toBe('{"user":{"id":1,"name":"Ann"}}');
  expect((await call(untyped, "Get", { id: 5 })).status).toBe(200);
});

test("streams have as many items as asked for, at once", async () => {
  const { text } = await call({ items: 3 }, "Watch");
  expect(text.trim().split("\n")).toHaveLength(3);
});

describe("limits", () => {
  test.each([
    ["seed", 0, 999_999_999],
    ["records", 0, 1_000],
    ["items", 0, 100_000],
    ["delayMs", 0, 60_000],
    ["errorRate", 0, 1],
  ] as const)("%s is from %i to %i", async (name, min, max) => {
    using made = folder({ "clinic.ridl": clinic });
    const start = (value: number) => mockFetch({ cwd: made.path, schema: "clinic.ridl", [name]: value });
    for (const value of [min, max - 0.5 > min + 1 ? max - 1 : max / 2, max]) await start(value);
    for (const value of [min - 1, max + 1, Number.NaN])
      await expect(start(value)).rejects.toThrow(RangeError);
    if (name !== "errorRate")
      await expect(start(0.5)).rejects.toThrow(`${name} takes an integer from 0 to ${max}`);
  });
});

test.each<[string, MockFetchOptions, string]>([
  ["a service that the schema lacks", { handlers: { Nurses: {} } }, "the schema has no method Nurses"],
  [
    "a method that the schema lacks",
    { handlers: { Users: { Gett: () => ({}) } } },
    "the schema has no method Users.Gett",
  ],
  ["a handler that is no function", { handlers: { Users: { Get: {} } } }, "Users.Get: expected a function"],
  ["an unknown option", { sead: 1 } as MockFetchOptions, 'unknown name "sead" (known: cwd, '],
  ["a schema with errors", { schema: "broken.ridl" }, "broken.ridl: RK"],
  ["a missing configuration", { schema: undefined } as never, "No schema was given"],
])("rejects %s", async (_, options, message) => {
  await expect(call(options, "Get")).rejects.toThrow(message);
});
