/** Errors of servers, and responses that are none. */
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { call, recordingServer, useFixtures } from "./call-server.ts";

const fixtures = useFixtures();

describe("an error", () => {
  test("of the schema has its name, code, status and message", async () => {
    const { code, out, err } = await call("routes", fixtures.routes.url, ["PatchItem", '{"id":404}']);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: "",
      err: "NotFound (code 100, HTTP 404): not found\n",
    });
    const document = await call("routes", fixtures.routes.url, [
      "PatchItem",
      '{"id":404}',
      "--format",
      "json",
    ]);
    expect({ code: document.code, ...JSON.parse(document.out) }).toMatchObject({
      code: 1,
      ok: false,
      status: 404,
      error: { name: "NotFound", code: 100, message: "not found" },
    });
  });

  test("has its cause", async () => {
    const { code, err } = await call("wire", fixtures.wire.url, [
      "Watch",
      '{"feed":"none","from":1,"count":1}',
    ]);
    expect({ code, err }).toEqual({
      code: 1,
      err: "NoSuchFeed (code 100, HTTP 404): no such feed\n  cause: try another\n",
    });
  });

  test("has its data, with every digit", async () => {
    const body = '{"error":"Gone","code":102,"msg":"gone","status":410,"data":{"limit":9007199254740993}}';
    await using server = await recordingServer((response) =>
      response.writeHead(410, { "Content-Type": "application/json" }).end(body),
    );
    const { err } = await call("quota", server.url, ["Get", '{"id":"a"}']);
    expect(err).toBe('Gone (code 102, HTTP 410): gone\n  data: {\n    "limit": 9007199254740993\n  }\n');
    const { out } = await call("quota", server.url, ["Watch", '{"id":"a"}', "--format", "json"]);
    expect(out).toContain('"data":{"limit":9007199254740993}');
  });

  test("of a server without the method has advice", async () => {
    const { code, err } = await call("reads", fixtures.wire.url, ["Peek", '{"id":1}']);
    expect(code).toBe(1);
    expect(err).toContain("WebrpcBadRoute (code -2, HTTP 404)");
    expect(err).toContain("The server does not have this method: check --url");
  });

  type Respond = (response: ServerResponse) => void;
  const broken: readonly (readonly [about: string, respond: Respond, message: string | RegExp])[] = [
    [
      "a web page",
      (response) => response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway"),
      "The response to Wire.EchoText does not follow the protocol (HTTP 502): <h1>Bad gateway",
    ],
    ["a list", (response) => response.end("[]"), "does not follow the protocol (HTTP 200): []"],
    ["nothing", (response) => response.writeHead(204).end(), "does not follow the protocol (HTTP 204)"],
    [
      "a redirect",
      (response) => response.writeHead(301, { Location: "https://other.example/" }).end(),
      "redirects to https://other.example/. Use that address as --url.",
    ],
    ["a closed connection", (response) => response.destroy(), "No response from http://127.0.0.1"],
    [
      "half a response",
      (response) => response.writeHead(200, { "Content-Length": 99 }).write("{", () => response.destroy()),
      /The connection to http:\/\/127\.0\.0\.1:\d+ broke off before the response was complete\./,
    ],
    ["a text with control characters", (response) => response.end("\u001b[31m"), "<U+001B>[31m"],
  ];
  test.each(broken)("%s is no response", async (_about, respond, message) => {
    await using server = await recordingServer(respond);
    const { code, out, err } = await call("wire", server.url, ["EchoText", '{"text":"a"}']);
    expect({ code, out, err }).toEqual({
      code: 4,
      out: "",
      err: typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
    });
  });

  test("is a server that does not respond in time", async () => {
    await using server = await recordingServer(() => {});
    const words = ["EchoText", '{"text":"a"}', "--timeout", "300ms"];
    const { code, err } = await call("wire", server.url, words);
    expect({ code, err }).toEqual({
      code: 4,
      err: `ridlkit: No response from ${server.url} within 0.3 s. Allow more time with --timeout.\n`,
    });
  });

  test("is a server that is not there", async () => {
    const { code, err } = await call("wire", "http://127.0.0.1:1", ["EchoText", '{"text":"a"}']);
    expect({ code, err }).toEqual({
      code: 4,
      err: "ridlkit: No response from http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Start the server, or check --url.\n",
    });
  });
});
