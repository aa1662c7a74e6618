/** How `ridlkit call` prints responses and streams. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder } from "../../../../support/program.ts";
import { call, recordingServer, useFixtures } from "./call-server.ts";

const servers = useFixtures();

describe("a response", () => {
  test("is compact JSON, and has every digit of the request", async () => {
    const request =
      '{"flag":true,"small":1,"large":-9223372036854775808,"unsigned":18446744073709551615,"counts":[18446744073709551615],' +
      '"named":{"9223372036854775807":"x"},"ratio":0.1,"text":"\\u00e9 \\"quoted\\"","bytes":"AQID","big":"18446744073709551616",' +
      '"amount":"1","amounts":{"a":["2"]},"at":"2024-02-29T12:00:00.123456789Z","level":"HIGH","side":"sell","sides":{"buy":1},' +
      '"texts":[],"anything":{"b":1,"a":[null]},"point":{"x":9007199254740993}}';
    const { code, out, err } = await call("wire", servers.wide.url, ["Wire.Echo", request]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^\{"flag":true[^\n ]*.*\}\n$/);
    for (const digits of ["-9223372036854775808", "18446744073709551615", "9007199254740993", "0.123456789"])
      expect(out).toContain(digits.replace("0.", "."));
    expect(out).toContain('"b":1,"a":[null]');
  });

  test("keeps numbers and the order of names as the server sent them", async () => {
    const body = '{ "text": "a", "2": 1.50, "1": [1e5, 123456789012345678901234567890, {}], "text": "b" }';
    await using server = await recordingServer((response) => response.end(body));
    const compact = await call("wire", server.url, ["EchoText", '{"text":"a"}']);
    expect(compact.out).toBe(
      '{"text":"a","2":1.50,"1":[1e5,123456789012345678901234567890,{}],"text":"b"}\n',
    );
    const pretty = await call("wire", server.url, ["EchoText", '{"text":"a"}', "--pretty"]);
    expect(pretty.out).toBe(
      '{\n  "text": "a",\n  "2": 1.50,\n  "1": [\n    1e5,\n    123456789012345678901234567890,\n    {}\n  ],\n  "text": "b"\n}\n',
    );
    const colored = await call("wire", server.url, ["EchoText", '{"text":"a"}', "--color"]);
    expect(colored.out).toMatch(/^\{\u001b\[1;34m"text"\u001b\[0m:\u001b\[32m"a"\u001b\[0m,/);
  });

  test("has its status and headers on standard error with -i", async () => {
    const { out, err } = await call("routes", servers.routes.url, ["GetItem", '{"id":7}', "-i"]);
    expect(out).toBe('{"item":{"id":7,"name":"item 7","tags":[]}}\n');
    expect(err).toMatch(/^HTTP 200 OK\n(?:.+\n)*Content-Type: application\/json\n(?:.+\n)*\n$/);
  });

  test("is one document for programs", async () => {
    const { code, out } = await call("routes", servers.routes.url, [
      "GetItem",
      '{"id":7}',
      "--format",
      "json",
    ]);
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      ok: true,
      status: 200,
      headers: { "Content-Type": "application/json" },
      response: { item: { id: 7 } },
    });
  });

  test("is written to a file", async () => {
    using dir = folder({});
    const words = ["GetItem", '{"id":7}', "-o", "item.json"];
    expect(await call("routes", servers.routes.url, words, { cwd: dir.path })).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    expect(readFileSync(join(dir.path, "item.json"), "utf8")).toContain('"id":7');
    const failed = await call("routes", servers.routes.url, ["PatchItem", '{"id":404}', "-o", "item.json"], {
      cwd: dir.path,
    });
    expect(failed.code).toBe(1);
    expect(readFileSync(join(dir.path, "item.json"), "utf8")).toContain('"id":7');
    const nowhere = await call("routes", servers.routes.url, ["GetItem", '{"id":7}', "-o", "no/item.json"], {
      cwd: dir.path,
    });
    expect(nowhere).toMatchObject({
      code: 2,
      err: expect.stringContaining('"no/item.json" cannot be written: its folder does not exist.'),
    });
  });
});

describe("a stream", () => {
  test("is one document a line", async () => {
    const request = '{"feed":"ticks","from":1,"count":3}';
    const { code, out, err } = await call("wire", servers.wire.url, ["Watch", request, "--pretty"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ sequence: 1, amount: "18446744073709551617" }, { sequence: 2 }, { sequence: 3 }]);
  });

  test("ends with its error", async () => {
    const request = '{"feed":"broken","from":1,"count":9}';
    const { code, out, err } = await call("wire", servers.wire.url, ["Watch", request]);
    expect(out.match(/"sequence":[0-9]/g)).toEqual(['"sequence":1', '"sequence":2']);
    expect({ code, err }).toEqual({ code: 1, err: "Broken (code 101, HTTP 502): the feed broke\n" });
    const document = await call("wire", servers.wire.url, ["Watch", request, "--format", "json"]);
    expect(
      document.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { item: { sequence: 1 } },
      { item: { sequence: 2 } },
      { ok: false, status: 200, error: { name: "Broken", code: 101 } },
    ]);
  });

  test("that is lost ends with exit code 4", async () => {
    await using server = await recordingServer((response) => {
      response.writeHead(200, { "Content-Type": "application/x-ndjson" });
      response.write('{"line":"one"}\n', () => response.destroy());
    });
    const { code, out, err } = await call("wire", server.url, ["Tail", '{"lines":5}']);
    expect({ code, out, err }).toEqual({
      code: 4,
      out: '{"line":"one"}\n',
      err: expect.stringMatching(/^ridlkit: The connection broke off: .+\n$/),
    });
    expect(server.received).toHaveLength(1);
  });
});
