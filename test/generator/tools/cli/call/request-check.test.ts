/** Requests that do not match the contract. */
import { describe, expect, test } from "vitest";
import { call, recordingServer, useFixtures } from "./call-server.ts";

const servers = useFixtures();

describe("an invalid request", () => {
  test("is not sent, and has the messages of the server", async () => {
    const request = '{"feed":5,"from":-1}';
    await using server = await recordingServer();
    const checked = await call("wire", server.url, ["Watch", request]);
    const sent = await call("wire", servers.wide.url, ["Watch", request, "--no-check"]);
    const lines = [
      "  /feed: expected text, found 5",
      "  /from: expected an integer from 0 to 18446744073709551615, found -1",
      "  /count: expected an integer from 0 to 18446744073709551615, found nothing",
    ];
    expect(server.received).toEqual([]);
    expect(checked).toEqual({
      code: 1,
      out: "",
      err: `ridlkit: The request does not match Wire.Watch, and was not sent. To send it as it is, use --no-check.\n${lines.join("\n")}\n`,
    });
    expect(sent.code).toBe(1);
    expect(sent.err).toMatch(/^WebrpcBadRequest \(code -4, HTTP 400\): .*\n/);
    expect(sent.err.split("\n").slice(1, 4)).toEqual(lines);
    const document = await call("wire", server.url, ["Watch", request, "--format", "json"]);
    expect({ code: document.code, ...JSON.parse(document.out) }).toMatchObject({
      code: 1,
      ok: false,
      error: {
        name: "InvalidRequest",
        issues: [{ path: ["feed"] }, { path: ["from"] }, { path: ["count"] }],
      },
    });
  });

  test.each([
    ["{not JSON", "not JSON"],
    ["[]", "body: expected an object, found a list of 0"],
    ['{"__proto__":1}', 'a key "__proto__"'],
  ])("%s", async (request, message) => {
    const { code, err } = await call("wire", "http://127.0.0.1:1", ["EchoText", request]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`  ${message}`) });
  });

  test("is sent as it is with --no-check", async () => {
    await using server = await recordingServer();
    await call("wire", server.url, ["EchoText", "[ 1 ", "--no-check"]);
    expect(server.received).toMatchObject([{ body: "[ 1 " }]);
  });

  test("that no path can hold is not sent", async () => {
    const words = ["GetChild", '{"id":1,"childId":".."}', "--no-check"];
    for (const more of [[], ["--curl"]]) {
      const { code, err } = await call("routes", "http://127.0.0.1:1", [...words, ...more]);
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining("/childId: expected text other than"),
      });
    }
  });
});

describe("an unknown field", () => {
  test.each([
    ["reads", ["FindOrders", '{"filter":{"tags":[],"limt":1,"names":{"any":"x"}}}'], "/filter/limt", "limit"],
    ["routes", ["ListItems", '{"limit":1,"tag":[],"tags":[]}'], "/tag", "tags"],
    ["files", ["Store", '{"title":"t","pictur":"@a","picture":"@package.json"}'], "/pictur", "picture"],
    [
      "files",
      ["Attach", '{"form":{"title":"t","shelf":"TOP","imag":1,"image":"@package.json"},"note":"n"}'],
      "/form/imag",
      "image",
    ],
  ])("of %s %j is reported", async (name, words, pointer, meant) => {
    const { code, out, err } = await call(name, "http://127.0.0.1:1", [...words, "--curl"], {
      cwd: process.cwd(),
    });
    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringMatching(/^curl /),
      err: `ridlkit: The contract has no field ${pointer}, so servers ignore it. Did you mean "${meant}"?\n`,
    });
    const quiet = await call(name, "http://127.0.0.1:1", [...words, "--curl", "-q"], { cwd: process.cwd() });
    expect(quiet.err).toBe("");
  });

  test("does not exist in a map, nor in any value", async () => {
    const names = '{"filter":{"tags":[],"names":{"limt":"x"}},"after":"2024-02-29T12:00:00Z"}';
    expect(await call("reads", "http://127.0.0.1:1", ["FindOrders", names, "--curl"])).toMatchObject({
      err: "",
    });
    const words = ["Shop.Echo", '{"value":{"limt":1}}', "--curl"];
    expect(await call("shop", "http://127.0.0.1:1", words)).toMatchObject({ code: 0, err: "" });
  });
});
