/** Limits of integers in the OpenAPI document of the drop-in command line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, ridlkit } from "../support/program.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

struct Body
  - id: uint64
  - offset: int64
  - small: uint32

service S
  - Send(Body) => (Body)
`;

async function propertiesWith(...options: readonly string[]): Promise<unknown> {
  using made = folder({ "t.ridl": schema });
  const flags = ["-schema=t.ridl", "-target=openapi", "-out=t.json", "-silent", ...options];
  expect(await ridlkit(flags, { cwd: made.path })).toMatchObject({ code: 0 });
  const document = JSON.parse(readFileSync(join(made.path, "t.json"), "utf8"));
  return document.components.schemas.Body.properties;
}

const small = { type: "integer", format: "int64", minimum: 0, maximum: 4_294_967_295 };

test.each([[], ["-int64=bigint"]])("integers have all 64 bits with %j", async (...options) => {
  expect(await propertiesWith(...options)).toEqual({
    id: { type: "integer", format: "uint64", minimum: 0 },
    offset: { type: "integer", format: "int64" },
    small,
  });
});

test("with -int64=number, they are limited to 2^53 - 1", async () => {
  expect(await propertiesWith("-int64=number")).toEqual({
    id: { type: "integer", format: "int64", minimum: 0, maximum: 2 ** 53 - 1 },
    offset: { type: "integer", format: "int64", minimum: 1 - 2 ** 53, maximum: 2 ** 53 - 1 },
    small,
  });
});

test("routes have their verb and path", async () => {
  const routed = `${schema}\nservice R\n  - Get(id: uint64)\n    GET /things/{id}\n`;
  using made = folder({ "t.ridl": routed });
  const flags = ["-schema=t.ridl", "-target=openapi", "-out=t.json", "-silent"];
  expect(await ridlkit(flags, { cwd: made.path })).toMatchObject({ code: 0 });
  const { paths } = JSON.parse(readFileSync(join(made.path, "t.json"), "utf8"));
  expect(paths["/rpc/things/{id}"].get.parameters).toEqual([
    {
      name: "id",
      in: "path",
      required: true,
      description: "Decimal digits, up to 64 bits.",
      schema: { type: "integer", format: "uint64", minimum: 0 },
    },
  ]);
});

test("-int64 accepts two values", async () => {
  using made = folder({ "t.ridl": schema });
  const { code, err } = await ridlkit(["-schema=t.ridl", "-target=openapi", "-int64=text"], {
    cwd: made.path,
  });
  expect(code).toBe(1);
  expect(err).toContain('-int64 does not accept "text".');
});
