/** The parts of `ridlkit call` and `ridlkit test` that send nothing. */
import { describe, expect, test } from "vitest";
import { createPlan } from "../../../../../generator/codegen/generate.ts";
import { compile } from "../../../../../generator/language/compile.ts";
import { credentialsFor, credentialVariables } from "../../../../../generator/tools/cli/call/credentials.ts";
import { quoted } from "../../../../../generator/tools/cli/call/curl.ts";
import { errorJson, errorLines, exitCodeOf } from "../../../../../generator/tools/cli/call/failure.ts";
import { findMethod, listed } from "../../../../../generator/tools/cli/call/find-method.ts";
import { printJson } from "../../../../../generator/tools/cli/call/json-output.ts";
import { type CallCall, readSettings } from "../../../../../generator/tools/cli/call/settings.ts";
import {
  connectionFailure,
  noResponseText,
} from "../../../../../generator/tools/cli/calls/connection-failure.ts";
import {
  credentialHeaders,
  customHeader,
} from "../../../../../generator/tools/cli/calls/credential-headers.ts";
import { keyInfos } from "../../../../../generator/tools/cli/calls/key-infos.ts";
import {
  addressMessage,
  readAddress,
  readHeaders,
} from "../../../../../generator/tools/cli/calls/server-options.ts";
import { curlOf } from "../../../../../generator/tools/cli/calls/test-calls.ts";
import { errorsText, explainUnreached } from "../../../../../generator/tools/cli/calls/unreached.ts";
import type { Schema } from "../../../../../generator/tools/cli/config/schemas.ts";
import { shouldUseColour } from "../../../../../generator/tools/cli/environment.ts";
import type { RpcError } from "../../../../../generator/verify/client/method-client.ts";
import type { TestCall } from "../../../../../generator/verify/contract-test/call.ts";
import { memoryReader } from "../../../../support/memory-reader.ts";
import { schemaHead } from "./call-server.ts";

const settings = (options: object, env: object = {}, schema?: Schema): unknown =>
  readSettings({ options: { url: "http://h", ...options }, env } as unknown as CallCall, schema);

describe("settings", () => {
  test.each([
    ["0", 0],
    ["1ms", 1],
    ["500ms", 500],
    ["1.5s", 1_500],
    ["0.001s", 1],
    ["2m", 120_000],
    ["999999ms", 999_999],
  ])("--timeout %s is %i ms", (timeout, timeoutMs) => {
    expect(settings({ timeout })).toMatchObject({ timeoutMs });
  });

  test.each(["", "0ms", "0s", "00", "1", "1h", "-1s", "1.5", "1.2345s", "1000000ms", "1 s", "s", "1s2m"])(
    "--timeout %j is refused",
    (timeout) => {
      expect(settings({ timeout })).toBe(
        `--timeout takes a time such as 500ms, 30s or 2m, or 0 for no limit; found "${timeout}".`,
      );
    },
  );

  const withServer = { generation: { openapi: { servers: [{ url: "http://c/" }] } } } as unknown as Schema;

  test.each<[string, object, object, Schema | undefined, unknown]>([
    ["the option", { url: "http://o/" }, { RIDLKIT_URL: "http://e" }, withServer, { address: "http://o" }],
    [
      "the environment",
      { url: undefined },
      { RIDLKIT_URL: "http://e/a//" },
      withServer,
      { address: "http://e/a" },
    ],
    ["the configuration", { url: undefined }, { RIDLKIT_URL: "" }, withServer, { address: "http://c" }],
  ])("the server comes from %s", (_case, options, env, schema, expected) => {
    expect(settings(options, env, schema)).toMatchObject(expected as object);
  });

  test.each([
    [["X-A: 1", "X-B:2"], { "X-A": "1", "X-B": "2" }],
    [["X-A: a:b"], { "X-A": "a:b" }],
    [["X-A: 1", "X-A: 2"], { "X-A": "2" }],
    [["X-A:"], undefined],
    [[": a"], undefined],
    [["X-A: 1", "X B: 2"], undefined],
  ])("the headers %j", (texts, headers) => {
    expect(readHeaders(texts)).toEqual(headers);
  });

  test.each([
    ["http://h:1/a/", "http://h:1/a"],
    ["https://h", "https://h"],
    ["HTTP://H", "http://h"],
    ["ftp://h", undefined],
    ["localhost:3000", undefined],
    ["h", undefined],
  ])("the address %s", (text, address) => {
    expect(readAddress(text)).toBe(address);
  });

  test.each([
    ["h:1", "http://h:1"],
    ["//h", "http://h"],
    ["ftp://h", "http://h"],
  ])("in place of %s, %s is proposed", (found, proposed) => {
    expect(addressMessage("--url", found)).toBe(`--url takes a URL such as ${proposed}; found "${found}".`);
  });

  test.each<[string, Readonly<Record<string, string>>, boolean | undefined, boolean, boolean]>([
    ["a terminal", {}, undefined, true, true],
    ["a pipe", {}, undefined, false, false],
    ["a pipe, with --color", {}, true, false, true],
    ["a terminal, with --no-color", { FORCE_COLOR: "1" }, false, true, false],
    ["a pipe, with FORCE_COLOR", { FORCE_COLOR: "1", NO_COLOR: "1" }, undefined, false, true],
    ["a terminal, with FORCE_COLOR=0", { FORCE_COLOR: "0" }, undefined, true, false],
    ["a terminal, with FORCE_COLOR=false", { FORCE_COLOR: "false" }, undefined, true, false],
    ["a terminal, with an empty FORCE_COLOR", { FORCE_COLOR: "" }, undefined, true, true],
    ["a terminal, with NO_COLOR", { NO_COLOR: "1" }, undefined, true, false],
    ["a terminal, with an empty NO_COLOR", { NO_COLOR: "" }, undefined, true, true],
    ["a dumb terminal", { TERM: "dumb" }, undefined, true, false],
    ["another terminal", { TERM: "xterm" }, undefined, true, true],
  ])("colours in %s", (_case, env, flag, isTerminal, expected) => {
    expect(shouldUseColour({ env }, flag, isTerminal)).toBe(expected);
  });
});

const secured = (securitySchemes: object): Schema =>
  ({ generation: { openapi: { securitySchemes } } }) as unknown as Schema;

describe("credentials", () => {
  test.each<[string, string | undefined, object, Readonly<Record<string, string>>, readonly string[]]>([
    ["one", "token", {}, { RIDLKIT_AUTH: "t" }, ["Authorization: Bearer t"]],
    [
      "one, by its name",
      "token",
      {},
      { RIDLKIT_AUTH: "t", RIDLKIT_AUTH_TOKEN: "u" },
      ["Authorization: Bearer u"],
    ],
    ["one, empty", "token", {}, { RIDLKIT_AUTH: "t", RIDLKIT_AUTH_TOKEN: "" }, ["Authorization: Bearer t"]],
    ["one, with a scheme", "token", {}, { RIDLKIT_AUTH: "Basic t" }, ["Authorization: Basic t"]],
    ["one, none given", "token", {}, {}, []],
    [
      "two",
      "accessKey, secret2Key",
      {},
      { RIDLKIT_AUTH_ACCESS_KEY: "a", RIDLKIT_AUTH_SECRET2_KEY: "s" },
      ["X-Access-Key: a", "X-Secret2-Key: s"],
    ],
    [
      "two, one given",
      "accessKey,secretKey",
      {},
      { RIDLKIT_AUTH_SECRET_KEY: "s", RIDLKIT_AUTH: "t" },
      ["X-Secret-Key: s"],
    ],
    [
      "bearer",
      "a",
      { a: { type: "http", scheme: "Bearer" } },
      { RIDLKIT_AUTH: "t" },
      ["Authorization: Bearer t"],
    ],
    ["basic", "a", { a: { type: "http", scheme: "basic" } }, { RIDLKIT_AUTH: "t" }, ["Authorization: t"]],
    [
      "a header",
      "a",
      { a: { type: "apiKey", in: "header", name: "X-Own" } },
      { RIDLKIT_AUTH: "t" },
      ["X-Own: t"],
    ],
    [
      "a cookie",
      "a",
      { a: { type: "apiKey", in: "cookie", name: "sid" } },
      { RIDLKIT_AUTH: "t" },
      ["Cookie: sid=t"],
    ],
    [
      "two, one with a scheme",
      "a,b",
      { b: { type: "http", scheme: "bearer" } },
      { RIDLKIT_AUTH_A: "1", RIDLKIT_AUTH_B: "2" },
      ["X-A: 1", "Authorization: Bearer 2"],
    ],
  ])("of a method: %s", (_case, auth, schemes, env, expected) => {
    const found = credentialsFor({ auth, isUsed: true, schema: secured(schemes), env });
    expect(found.map(({ header, prefix, value }) => `${header}: ${prefix}${value}`)).toEqual(expected);
  });

  test.each([
    [true, []],
    [false, ["RIDLKIT_AUTH"]],
  ])("a method without @auth, in a schema with it: %s", (isUsed, expected) => {
    const found = credentialsFor({ auth: undefined, isUsed, schema: undefined, env: { RIDLKIT_AUTH: "t" } });
    expect(found.map(({ variable }) => variable)).toEqual(expected);
  });

  test.each([
    [undefined, ["RIDLKIT_AUTH"]],
    ["accessKey", ["RIDLKIT_AUTH"]],
    ["accessKey,secretKey", ["RIDLKIT_AUTH_ACCESS_KEY", "RIDLKIT_AUTH_SECRET_KEY"]],
  ])("the variables of @auth %s are %j", (auth, variables) => {
    expect(credentialVariables(auth)).toEqual(variables);
  });

  test.each([
    [{ type: "apiKey", in: "header", name: "X-Own" }, "X-Own", { header: "X-Own" }],
    [{ type: "apiKey", in: "cookie", name: "sid" }, "Cookie", { header: "Cookie", prefix: "sid=" }],
    [
      { type: "http", scheme: "basic" },
      "Authorization",
      { header: "Authorization", prefix: "Basic ", isSecret: true },
    ],
    [{ type: "apiKey", in: "query", name: "q" }, undefined, { header: "X-Access-Key" }],
    [{ type: "oauth2" }, undefined, { header: "X-Access-Key" }],
  ])("a key with the scheme %j", (scheme, header, info) => {
    expect(credentialHeaders(secured({ accessKey: scheme })).get("accessKey")).toBe(header);
    const services = [{ methods: [{ annotations: [{ name: "auth", value: "accessKey" }] }] }];
    const model = { services } as unknown as Parameters<typeof keyInfos>[0];
    expect(keyInfos(model, { securitySchemes: { accessKey: scheme } } as never)).toEqual([
      { name: "accessKey", title: "Access key", ...info },
    ]);
  });

  test("each key of all methods is shown once; without a scheme, names that end with key are headers", () => {
    const auth = (value: string): object => ({
      annotations: [
        { name: "auth", value },
        { name: "other", value: "x" },
      ],
    });
    const services = [{ methods: [auth("apiKEY,jwt"), auth("jwt")] }, { methods: [{ annotations: [] }] }];
    const model = { services } as unknown as Parameters<typeof keyInfos>[0];
    expect(keyInfos(model, {}).map(({ name, header, isSecret }) => [name, header, isSecret])).toEqual([
      ["apiKEY", customHeader("apiKEY"), undefined],
      ["jwt", "Authorization", true],
    ]);
  });
});

describe("a method is found", () => {
  const all = [
    { service: "Shop", method: "Buy" },
    { service: "Shop", method: "Ping" },
    { service: "Api", method: "Ping" },
  ];

  test.each([
    ["Buy", all[0]],
    ["Shop.Ping", all[1]],
    ["Ping", 'Several services have the method "Ping": Shop.Ping, Api.Ping.'],
    ["Shop.Byu", 'Unknown method "Shop.Byu". Did you mean "Shop.Buy"?'],
    ["Bux", 'Unknown method "Bux". Did you mean "Buy"?'],
    ["buyers", 'Unknown method "buyers". Methods: Shop.Buy, Shop.Ping, Api.Ping.'],
  ])("by %s", (wanted, expected) => {
    expect(findMethod(wanted, all)).toEqual(expected);
  });

  test.each([
    [0, "none"],
    [1, "S.M0"],
    [20, /S[.]M19$/],
    [21, /S[.]M19 and 1 more$/],
    [25, /S[.]M19 and 5 more$/],
  ])("of %i methods, twenty are listed", (count, expected) => {
    const methods = Array.from({ length: count }, (_, index) => ({ service: "S", method: `M${index}` }));
    expect(listed(methods)).toMatch(expected);
  });
});

describe("JSON", () => {
  const json = '{"a":[1,{}],"b":[],"c":"x: {y}","d":{"e":-1e5,"f":null}}';

  test.each<[boolean, boolean, string]>([
    [false, false, json],
    [
      true,
      false,
      '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": [],\n  "c": "x: {y}",\n  "d": {\n    "e": -1e5,\n    "f": null\n  }\n}',
    ],
  ])("is indented: %s", (isPretty, isColoured, expected) => {
    expect(printJson(json, { isPretty, isColoured })).toBe(expected);
  });

  test("has colours", () => {
    const paint = (code: string, text: string): string => `\u001b[${code}m${text}\u001b[0m`;
    expect(printJson('{"a":["x",1]}', { isPretty: false, isColoured: true })).toBe(
      `{${paint("1;34", '"a"')}:[${paint("32", '"x"')},${paint("33", "1")}]}`,
    );
  });
});

describe("an error", () => {
  const base = { name: "Gone", code: 7, status: 410, msg: "gone", side: "server" } as unknown as RpcError;

  test.each<[string, object, readonly string[]]>([
    ["is short", {}, ["Gone (code 7, HTTP 410): gone"]],
    ["has no status", { status: 0 }, ["Gone (code 7): gone"]],
    ["has a cause", { cause: "c" }, ["Gone (code 7, HTTP 410): gone", "  cause: c"]],
    [
      "has issues, which replace the cause",
      { cause: "c", issues: [{ path: ["a", 0], message: "m" }] },
      ["Gone (code 7, HTTP 410): gone", "  /a/0: m"],
    ],
    ["has no issues", { cause: "c", issues: [] }, ["Gone (code 7, HTTP 410): gone", "  cause: c"]],
    ["may be repeated", { retryAfter: "5" }, ["Gone (code 7, HTTP 410): gone", "  retry after: 5"]],
  ])("%s", (_case, more, lines) => {
    expect(errorLines({ ...base, ...more } as RpcError)).toEqual(lines);
    expect(errorJson({ ...base, ...more } as RpcError)).toMatchObject({
      name: "Gone",
      code: 7,
      message: "gone",
    });
  });

  test.each([
    ["server", 7, 1],
    ["server", -8, 1],
    ["client", -4, 1],
    ["client", -8, 4],
    ["transport", -1, 4],
  ])("of the %s with code %i exits with %i", (side, code, exit) => {
    expect(exitCodeOf({ ...base, side, code } as unknown as RpcError)).toBe(exit);
  });

  test.each<[string, object, string, object]>([
    ["a timeout", { name: "TimeoutError" }, "http://h", { reason: "the request timed out" }],
    ["no message", { message: "", code: "ECONNREFUSED" }, "http://h", { reason: "ECONNREFUSED" }],
    ["nothing", { message: "" }, "http://h", { reason: "the connection failed" }],
    [
      "no HTTPS",
      { code: "EPROTO" },
      "https://h:1",
      { reason: "h does not use HTTPS on this port", advice: "Try http:// in the URL" },
    ],
    ["no HTTPS", { code: "ERR_SSL_X" }, "https://h", { reason: "h does not use HTTPS on this port" }],
    ["no HTTP", { code: "ECONNRESET" }, "http://h", { reason: "the server closed the connection" }],
    [
      "no HTTP",
      { code: "UND_ERR_SOCKET" },
      "http://h",
      { advice: "If the server uses HTTPS, write https:// in the URL" },
    ],
    ["a reset", { code: "ECONNRESET", message: "m" }, "https://h", { reason: "m" }],
  ])("of the connection: %s", (_case, fields, url, expected) => {
    const error = Object.assign(new Error("m"), fields);
    expect(connectionFailure(error, url)).toMatchObject(expected);
    const wrapped = Object.assign(new Error("fetch failed"), { cause: error });
    expect(connectionFailure(wrapped, url)).toMatchObject(expected);
  });

  test("of the connection has the usual advice if there is no other", () => {
    expect(noResponseText("http://h", new Error("m"))).toBe(
      "No response from http://h: m. Start the server, or check --url.",
    );
  });

  test.each(["a-b/c.d:1=@%+,_", "a b", "it's", "$x", "", "a;b"])(
    "the word %j is quoted if it must be",
    (word) => {
      const isPlain = word === "a-b/c.d:1=@%+,_";
      expect(quoted(word)).toBe(isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`);
    },
  );
});

describe("a call of the contract test in curl", () => {
  const target = { address: "http://h", credentials: { "X-Key": "k" } };

  test.each<[string, TestCall, string, string]>([
    [
      "POST",
      { path: "/a", body: { a: "it's" } },
      "answer-fits",
      `curl -s http://h/a -H 'content-type: application/json' -H "X-Key: $X_KEY" -d '{"a":"it'\\''s"}'`,
    ],
    ["GET", { verb: "GET", path: "/a?b=1" }, "answer-fits", `curl -s 'http://h/a?b=1' -H "X-Key: $X_KEY"`],
    [
      "GET without credentials",
      { verb: "GET", path: "/a", withoutCredentials: true },
      "credentials",
      "curl -s http://h/a",
    ],
    ["DELETE", { verb: "DELETE", path: "/a", withoutCredentials: true }, "r", "curl -s -X DELETE http://h/a"],
    [
      "QUERY",
      { verb: "QUERY", path: "/a", body: {}, withoutCredentials: true },
      "r",
      "curl -s -X QUERY http://h/a -H 'content-type: application/json' -d '{}'",
    ],
    [
      "HEAD",
      { verb: "HEAD", path: "/a", withoutCredentials: true },
      "reads-have-headers",
      "curl -s -I http://h/a",
    ],
    [
      "a condition",
      { verb: "GET", path: "/a", withoutCredentials: true, headers: { "if-none-match": '"1"' } },
      "r",
      "curl -s -i http://h/a -H 'if-none-match: \"1\"'",
    ],
    [
      "headers of a response",
      { verb: "GET", path: "/a", withoutCredentials: true },
      "changes-tags",
      "curl -s -i http://h/a",
    ],
    [
      "files",
      { path: "/a", body: {}, files: ["f"], withoutCredentials: true },
      "r",
      "curl -s http://h/a --form-string 'json={}' -F 'f=bytes;filename=file.txt'",
    ],
  ])("%s", (_case, call, rule, expected) => {
    expect(curlOf(call, target, rule)).toBe(expected);
  });
});

describe("a method that no call reached", () => {
  const text = `${schemaHead}service S\n  @auth:"accessKey,jwt"\n  - Get() => ()\n    GET /x\n  - Put() => ()\n`;
  const { result } = compile("m.ridl", memoryReader({ "m.ridl": text }));
  if (result === undefined) throw new Error("the schema has errors");
  const plan = createPlan(result.model, result.ir, { schemaFile: "m.ridl" });
  const headers = new Map([["jwt", "authorization"]]);

  test.each<
    [string, string, readonly (readonly [string, number])[], object, ReadonlyMap<string, string>, string]
  >([
    ["no time", "S.Get", [], {}, new Map(), "Allow more time with --seconds."],
    [
      "no method",
      "S.Get",
      [["WebrpcBadRoute", 404]],
      {},
      new Map(),
      "The server does not have this method: check --url and the schema version of the server.",
    ],
    [
      "a rate limit",
      "S.Get",
      [
        ["A", 401],
        ["B", 429],
      ],
      {},
      new Map(),
      "Raise the server's rate limits for the test, or run the test later.",
    ],
    [
      "a full host",
      "S.Get",
      [["B", 503]],
      {},
      new Map(),
      "Raise the server's rate limits for the test, or run the test later.",
    ],
    ["another verb", "S.Get", [["B", 405]], {}, new Map(), "Make the server accept GET at this path."],
    ["another verb", "S.Put", [["B", 405]], {}, new Map(), "Make the server accept POST at this path."],
    [
      "wrong credentials",
      "S.Get",
      [["B", 403]],
      { a: "1", b: "2" },
      new Map(),
      "a and b did not grant access: check the permissions of the credential.",
    ],
    [
      "no credentials",
      "S.Get",
      [["B", 401]],
      {},
      headers,
      "Pass credentials: --header 'authorization: Bearer …'",
    ],
    [
      "no credentials, no scheme",
      "S.Get",
      [["B", 401]],
      {},
      new Map(),
      "Pass credentials (accessKey and jwt): --header 'NAME: …'",
    ],
    [
      "no credentials, no @auth",
      "S.Put",
      [["B", 401]],
      {},
      new Map(),
      "Pass credentials: --header 'NAME: …'",
    ],
  ])("because of %s", (_case, method, errors, credentials, known, help) => {
    const returned = errors.map(([name, status]) => ({ name, status }));
    const input = {
      plan,
      credentialHeaders: known,
      target: { address: "", credentials: credentials as Record<string, string> },
    };
    expect(explainUnreached({ method, errors: returned }, input).help).toBe(help);
  });

  test("names the errors", () => {
    expect(
      errorsText([
        { name: "A", status: 401 },
        { name: "B", status: 429 },
      ]),
    ).toBe("only 401 A and 429 B");
  });
});
