/** Who may call: credentials, origins and host names. */
import { expect, test } from "vitest";
import { rawRequest } from "../../../support/raw-http.ts";
import { cat, serve } from "./pets.ts";

test("methods with @auth need the header of their credential, unless the option is off", async () => {
  await using mock = await serve();
  expect(await mock.call("Add", { pet: cat }, { "x-key": "" })).toMatchObject({
    status: 401,
    body: { error: "Unauthorized" },
  });
  expect(await mock.call("Add", { pet: cat })).toMatchObject({ status: 200 });
  await using open = await serve({ wantsCredentials: false });
  expect(await open.call("Add", { pet: cat }, { "x-key": "" })).toMatchObject({ status: 200 });
});

test("pages of this machine may call, at any port", async () => {
  await using mock = await serve();
  const asked = {
    "Access-Control-Request-Headers": "content-type,mock-error",
    "Access-Control-Request-Method": "POST",
    Origin: "http://localhost:5173",
  };
  const { status, headers } = await fetch(`${mock.host.url}/rpc/Pets/Guess`, {
    method: "OPTIONS",
    headers: asked,
  });
  expect([status, headers.get("access-control-allow-headers")]).toEqual([204, "content-type,mock-error"]);
  const answer = await mock.call("Guess", { name: "a" }, { origin: "http://localhost:5173" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
});

test("other origins and host names are rejected and run no handler", async () => {
  await using mock = await serve();
  const port = Number(new URL(mock.host.url).port);
  const path = "/rpc/Pets/Guess";
  const body = '{"name":"a"}';
  for (const [headers, option] of [
    [{ Host: "localhost", Origin: "https://evil.example" }, "--allow-origin"],
    [{ Host: "localhost", Origin: "null" }, "--allow-origin"],
    [{ Host: `evil.example:${port}` }, "--allow-host"],
  ] as const) {
    for (const method of ["POST", "OPTIONS"]) {
      const answer = await rawRequest(port, { method, path, body, headers });
      expect(answer).toMatchObject({ status: 400, headers: { "content-type": "application/json" } });
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      const { cause, ...error } = JSON.parse(answer.body) as { readonly cause: string };
      expect(error).toEqual({ error: "WebrpcBadRequest", code: -4, msg: "bad request", status: 400 });
      expect(cause).toContain(option);
    }
  }
  expect(mock.calls).toEqual([]);
});
