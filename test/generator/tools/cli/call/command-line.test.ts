/** Arguments of `ridlkit call`, and where server and contract come from. */
import { describe, expect, test } from "vitest";
import { folder, ridlkit } from "../../../../support/program.ts";
import { call, fixture, recordingServer, schemaHead, useFixtures } from "./call-server.ts";

const fixtures = useFixtures();

describe("the command line", () => {
  test.each([
    [["Ech", "{}"], 'Unknown method "Ech". Did you mean "Echo"?'],
    [["Wire.Ecko", "{}"], 'Unknown method "Wire.Ecko". Did you mean "Wire.Echo"?'],
    [
      [],
      "Missing METHOD. Methods: Wire.Echo, Wire.EchoText, Wire.Choose, Wire.Watch, Wire.Tail, Wire.Pay, Wire.Beat.",
    ],
    [["EchoText", "{}", "x"], '"call" takes METHOD and JSON; found "x". Quote the JSON'],
    [["EchoText", "text=x"], '"call" takes METHOD and JSON; found "text=x". Quote the JSON'],
    [["EchoText", "@no.json"], '"no.json" cannot be read: it does not exist.'],
    [
      ["EchoText", "--timeout", "soon"],
      '--timeout takes a time such as 500ms, 30s or 2m, or 0 for no limit; found "soon"',
    ],
    [["EchoText", "-H", "X-Key"], "--header takes NAME:VALUE"],
    [["EchoText", "-H", "X Key: a"], "--header takes NAME:VALUE"],
    [["EchoText", "-H", "X-Key: a\nb"], "--header takes NAME:VALUE"],
    [["EchoText", "-H", "X-Key: ☃"], 'The header "X-Key" contains characters that HTTP does not allow'],
    [["EchoText", "--get"], "--get calls methods with @cache; Wire.EchoText has none."],
    [["EchoText", "--idempotency-key", "ä"], "--idempotency-key takes 1 to 255 printable ASCII characters"],
    [["EchoText", "--url", "127.0.0.1:4000"], "--url takes a URL such as http://127.0.0.1:4000"],
    [
      ["EchoText", "--url", "http://127.0.0.1:65536"],
      "--url takes a URL such as http://localhost:3000; found",
    ],
    [["EchoText", "--curl", "-i"], "--curl and --include cannot be combined"],
  ])("%j is rejected", async (words, message) => {
    const { code, out, err } = await ridlkit([
      "call",
      ...words,
      "--schema",
      fixture("wire"),
      ...(words.includes("--url") ? [] : ["--url", "http://127.0.0.1:1"]),
    ]);
    expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  test("a method name of several services needs its service", async () => {
    using dir = folder({ "two.ridl": `${schemaHead}service A\n  - Ping()\nservice B\n  - Ping()\n` });
    const words = ["call", "Ping", "--schema", "two.ridl", "--url", "http://127.0.0.1:1"];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('Several services have the method "Ping": A.Ping, B.Ping.'),
    });
  });

  test("a method that streams its request is not supported", async () => {
    using dir = folder({ "in.ridl": `${schemaHead}service A\n  - stream Send(part: string)\n` });
    const words = ["call", "Send", "--schema", "in.ridl", "--url", "http://127.0.0.1:1"];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("A.Send streams its request") });
  });

  test("a schema with errors is reported", async () => {
    using dir = folder({ "bad.ridl": `${schemaHead}service A\n  - Ping(a: strin)\n` });
    const words = ["call", "Ping", "--schema", "bad.ridl", "--url", "http://127.0.0.1:1"];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('"strin"') });
  });

  test("the request comes from a file", async () => {
    using dir = folder({ "request.json": '\uFEFF{ "text": "from a file" }\n' });
    const { out } = await call("wire", fixtures.wire.url, ["EchoText", "@request.json"], { cwd: dir.path });
    expect(out).toBe('{"text":"from a file"}\n');
  });
});

describe("the server and the contract", () => {
  const config = (more: object): string =>
    JSON.stringify({ schemas: [{ entry: fixture("routes"), ...more }] });

  test("come from the configuration", async () => {
    const servers = [{ url: `${fixtures.routes.url}/` }, { url: "http://127.0.0.1:1" }];
    using dir = folder({ "ridlkit.config.json": config({ openapi: { servers } }) });
    const { code, out } = await ridlkit(["call", "GetItem", '{"id":1}'], { cwd: dir.path });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('"item 1"') });
    const elsewhere = await ridlkit(["call", "GetItem", '{"id":1}'], {
      cwd: dir.path,
      env: { RIDLKIT_URL: "http://127.0.0.1:1" },
    });
    expect(elsewhere.code).toBe(4);
    const flag = await ridlkit(["call", "GetItem", '{"id":1}', "--url", fixtures.routes.url], {
      cwd: dir.path,
      env: { RIDLKIT_URL: "http://127.0.0.1:1" },
    });
    expect(flag.code).toBe(0);
  });

  test("a server is needed", async () => {
    using dir = folder({ "ridlkit.config.json": config({}) });
    const { code, err } = await ridlkit(["call", "GetItem"], { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("Missing server: use --url") });
    const env = { RIDLKIT_URL: "localhost" };
    const bad = await ridlkit(["call", "GetItem"], { cwd: dir.path, env });
    expect(bad).toMatchObject({ code: 2, err: expect.stringContaining("RIDLKIT_URL takes a URL") });
  });

  test("methods that the configuration leaves out cannot be called", async () => {
    using dir = folder({ "ridlkit.config.json": config({ services: ["Teams"] }) });
    const words = ["call", "GetItem", "--url", fixtures.routes.url];
    const { code, err } = await ridlkit(words, { cwd: dir.path });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Unknown method "GetItem"') });
  });

  test.each(["/schema.json", "/explorer/schema.json"])("the contract comes from %s", async (path) => {
    using dir = folder({});
    const { out: ir } = await ridlkit(["ir", fixture("routes")]);
    await using server = await recordingServer((response, { url }) => {
      if (url === `/v${path}`) response.end(ir);
      else if (url?.endsWith(".json")) response.writeHead(404).end("not here");
      else response.end('{"item":{}}');
    });
    const words = ["call", "GetItem", '{"id":7}', "--url", `${server.url}/v`, "-H", "X-Key: k"];
    expect(await ridlkit(words, { cwd: dir.path })).toEqual({ code: 0, out: '{"item":{}}\n', err: "" });
    expect(server.received.at(-1)).toMatchObject({ method: "GET", url: "/v/rpc/items/7" });
    expect(server.received.every(({ headers }) => headers["x-key"] === "k")).toBe(true);
  });

  test("a server without a contract needs --schema", async () => {
    using dir = folder({});
    await using server = await recordingServer((response, { url }) =>
      url === "/schema.json" ? response.writeHead(404).end() : response.end("<h1>"),
    );
    const { code, err } = await ridlkit(["call", "GetItem", "--url", server.url], { cwd: dir.path });
    expect({ code, err }).toEqual({
      code: 4,
      err: `ridlkit: ${server.url} serves no schema: neither /schema.json (HTTP 404) nor /explorer/schema.json (not JSON). Name the schema with --schema FILE.\n`,
    });
    const gone = await ridlkit(["call", "GetItem", "--url", "http://127.0.0.1:1"], { cwd: dir.path });
    expect(gone).toMatchObject({
      code: 4,
      err: expect.stringContaining("No response from http://127.0.0.1:1"),
    });
  });
});
