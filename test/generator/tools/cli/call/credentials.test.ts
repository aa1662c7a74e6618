/** Credentials of the environment, and the headers that carry them. */
import { describe, expect, test } from "vitest";
import { folder, ridlkit } from "../../../../support/program.ts";
import { recordingServer, schemaHead } from "./call-server.ts";

describe("credentials", () => {
  const schema = `${schemaHead}service Shop
  @auth:"accessKey"
  - One()
  @auth:"accessKey,secretKey"
  - Two()
  @auth:"session"
  - Cookie()
  @auth:"token"
  - Token()
  - Open()
`;
  const securitySchemes = {
    accessKey: { type: "apiKey", in: "header", name: "X-Own-Key" },
    session: { type: "apiKey", in: "cookie", name: "sid" },
    token: { type: "http", scheme: "bearer" },
  };
  const config = JSON.stringify({ schemas: [{ entry: "shop.ridl", openapi: { securitySchemes } }] });
  const both = { RIDLKIT_AUTH_ACCESS_KEY: "a", RIDLKIT_AUTH_SECRET_KEY: "s" };

  test.each([
    ["One", { RIDLKIT_AUTH: "a" }, { "x-own-key": "a" }],
    ["One", { RIDLKIT_AUTH: "a", RIDLKIT_AUTH_ACCESS_KEY: "b" }, { "x-own-key": "b" }],
    ["Two", both, { "x-own-key": "a", "x-secret-key": "s" }],
    ["Two", { RIDLKIT_AUTH: "a" }, {}],
    ["Cookie", { RIDLKIT_AUTH: "a" }, { cookie: "sid=a" }],
    ["Token", { RIDLKIT_AUTH: "a" }, { authorization: "Bearer a" }],
    ["Token", { RIDLKIT_AUTH: "Token a" }, { authorization: "Token a" }],
    ["Open", { RIDLKIT_AUTH: "a", ...both }, {}],
  ])("%s with %j", async (method, env, expected) => {
    using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
    expect(await sentBy(method, env, dir.path)).toEqual(expected);
  });

  test.each([
    ["One", { RIDLKIT_AUTH: "a" }, { "x-access-key": "a" }],
    ["Two", both, { "x-access-key": "a", "x-secret-key": "s" }],
    ["Token", { RIDLKIT_AUTH: "a" }, { authorization: "Bearer a" }],
  ])("without a configuration, %s with %j", async (method, env, expected) => {
    using dir = folder({ "shop.ridl": schema });
    expect(await sentBy(method, env, dir.path, ["--schema", "shop.ridl"])).toEqual(expected);
  });

  test("a schema without @auth sends RIDLKIT_AUTH with every call, and --header replaces it", async () => {
    using dir = folder({ "shop.ridl": `${schemaHead}service Shop\n  - Open()\n` });
    const words = ["--schema", "shop.ridl"];
    expect(await sentBy("Open", { RIDLKIT_AUTH: "a" }, dir.path, words)).toEqual({
      authorization: "Bearer a",
    });
    const replaced = [...words, "--header", "authorization: Basic b"];
    expect(await sentBy("Open", { RIDLKIT_AUTH: "a" }, dir.path, replaced)).toEqual({
      authorization: "Basic b",
    });
  });

  test.each(["Authorization", "authorization"])(
    "--curl prints no credential beside --header %s",
    async (name) => {
      using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
      const words = ["--url", "http://127.0.0.1:1", "--header", `${name}: Basic b`, "--curl"];
      const env = { RIDLKIT_AUTH: "a" };
      const { code, out } = await ridlkit(["call", "Token", ...words], { cwd: dir.path, env });
      expect(code).toBe(0);
      expect(out.match(/-H '(?!Content-Type)[^']*'/g)).toEqual(["-H 'Authorization: Basic b'"]);
    },
  );

  test("a value that no header can hold is not printed", async () => {
    using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
    const env = { RIDLKIT_AUTH: "hush\nhush" };
    const { code, err } = await ridlkit(["call", "Token", "--url", "http://127.0.0.1:1"], {
      cwd: dir.path,
      env,
    });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining("RIDLKIT_AUTH contains characters that are not allowed in a header"),
    });
    expect(err).not.toContain("hush");
  });

  test("missing ones are named", async () => {
    using dir = folder({ "shop.ridl": schema, "ridlkit.config.json": config });
    await using server = await recordingServer((response) =>
      response.writeHead(401).end('{"error":"Unauthorized","code":1,"msg":"who are you?"}'),
    );
    const { code, err } = await ridlkit(["call", "Two", "--url", server.url], { cwd: dir.path });
    expect({ code, err }).toEqual({
      code: 1,
      err:
        "Unauthorized (code 1, HTTP 401): who are you?\n" +
        "No credential was sent: set RIDLKIT_AUTH_ACCESS_KEY and RIDLKIT_AUTH_SECRET_KEY, or pass --header 'NAME: VALUE'.\n",
    });
  });

  /** The headers with credentials that a call sends. */
  async function sentBy(
    method: string,
    env: Readonly<Record<string, string>>,
    cwd: string,
    words: readonly string[] = [],
  ): Promise<object> {
    await using server = await recordingServer();
    await ridlkit(["call", method, "--url", server.url, ...words], { cwd, env });
    const names = ["authorization", "cookie", "x-own-key", "x-access-key", "x-secret-key"];
    const { headers = {} } = server.received[0] ?? {};
    return Object.fromEntries(names.flatMap((name) => (name in headers ? [[name, headers[name]]] : [])));
  }
});
