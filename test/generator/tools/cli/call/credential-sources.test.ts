import { describe, expect, test } from "vitest";
import { credentialsFor, credentialVariables } from "../../../../../generator/tools/cli/call/settings.ts";
import type { Schema } from "../../../../../generator/tools/cli/config/schemas.ts";
import {
  credentialHeaders,
  customHeader,
  keyInfos,
} from "../../../../../generator/tools/cli/servers/credential-headers.ts";

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
    ["one that is a key", "accessKey", {}, { RIDLKIT_AUTH: "t" }, ["X-Access-Key: t"]],
    ["one, none given", "token", {}, {}, []],
    [
      "two",
      "accessKey, secret2Key",
      {},
      { RIDLKIT_AUTH_ACCESS_KEY: "a", RIDLKIT_AUTH_SECRET2_KEY: "s" },
      ["X-Access-Key: a", "X-Secret2-Key: s"],
    ],
    [
      "a key and a token",
      "accessKey,token",
      {},
      { RIDLKIT_AUTH_ACCESS_KEY: "a", RIDLKIT_AUTH_TOKEN: "t" },
      ["X-Access-Key: a", "Authorization: Bearer t"],
    ],
    ["two that are no keys", "a,b", {}, { RIDLKIT_AUTH_A: "1", RIDLKIT_AUTH_B: "2" }, ["X-A: 1", "X-B: 2"]],
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
