/** `ridlkit call` as a process: pipes, signals, terminals, and curl commands in a shell. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createServer } from "../../../../fixtures/wire/generated/server.ts";
import { type RunningServer, serveWith } from "../../../../support/adapters.ts";
import { type Watched, watched, wireHandlers } from "../../../../support/feed.ts";
import { folder, program, ridlkitProcess, start } from "../../../../support/program.ts";
import { recordingServer } from "./call-server.ts";

const fixture = (name: string): string => resolve(`test/fixtures/${name}/schema.ridl`);

let watch: Watched;
let wire: RunningServer;
beforeAll(async () => {
  watch = watched();
  wire = await serveWith("node-http", createServer(wireHandlers(watch)));
});
afterAll(() => wire[Symbol.asyncDispose]());

const endless = '{"feed":"paced","from":1,"count":0}';
const wireCall = (...words: readonly string[]): readonly string[] => [
  "call",
  ...words,
  "--schema",
  fixture("wire"),
  "--url",
  wire.url,
];

test("the request comes from standard input", async () => {
  const input = '{"text":"piped"}';
  const { code, out } = await ridlkitProcess(wireCall("EchoText", "-"), { input });
  expect({ code, out }).toEqual({ code: 0, out: '{"text":"piped"}\n' });
});

describe("an endless stream", () => {
  test("prints items as they arrive, and ends with Ctrl-C", async () => {
    const freed = watch.freed;
    const child = start(wireCall("Watch", endless), {});
    const lines: string[] = [];
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => lines.push(line));
    await expect.poll(() => lines.length).toBeGreaterThan(2);
    child.kill("SIGINT");
    const [code, signal] = (await once(child, "close")) as [number | null, string | null];
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(lines.map((line) => JSON.parse(line).sequence).slice(0, 3)).toEqual([1, 2, 3]);
    await expect.poll(() => watch.freed).toBe(freed + 1);
  });

  test("ends when its reader stops", async () => {
    const freed = watch.freed;
    const words = [program, ...wireCall("Watch", endless)].map(inShell).join(" ");
    const child = spawn("sh", ["-c", `${inShell(process.execPath)} ${words} | head -n 2; echo "end"`]);
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    await once(child, "close");
    expect(out.split("\n").slice(2)).toEqual(["end", ""]);
    await expect.poll(() => watch.freed).toBe(freed + 1);
  });
});

test.skipIf(process.platform === "win32")("a terminal shows colors and indented JSON", async () => {
  const words = [process.execPath, program, ...wireCall("EchoText", '{"text":"a"}')].map(inShell).join(" ");
  const child = spawn("script", ["-qec", words, "/dev/null"], { env: { TERM: "xterm" } });
  const [out] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(out.replaceAll("\r", "")).toBe('{\n  \u001b[1;34m"text"\u001b[0m: \u001b[32m"a"\u001b[0m\n}\n');
});

test("a plain call loads neither the bundler nor fetch", async () => {
  using dir = folder({
    "loaded.cjs": `process.on("exit", () => {
  const { stderr, moduleLoadList } = process;
  stderr.write(moduleLoadList.filter((name) => /undici|child_process/.test(name)).join());
});`,
  });
  const node = ["--require", join(dir.path, "loaded.cjs")];
  const { code, err } = await ridlkitProcess(wireCall("EchoText", '{"text":"a"}'), { node });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

describe("--curl prints a command that makes the same call", () => {
  const nasty = `it's "q" $HOME \`id\` \\ ! \n é`;
  const env = { RIDLKIT_AUTH: `se'c"ret $x`, PATH: process.env["PATH"] ?? "" };

  test.each([
    ["wire", ["EchoText", JSON.stringify({ text: nasty })]],
    ["wire", ["EchoText", `{ "text":\n"@a" }`]],
    ["wire", ["Watch", '{"feed":"x","from":1,"count":1}']],
    ["routes", ["GetItem", '{"id":7}']],
    ["routes", ["ListItems", JSON.stringify({ limit: 1, tags: [nasty, "[a]{b}"] })]],
    ["routes", ["DeleteItem", '{"id":7}']],
    ["routes", ["UpdateItem", JSON.stringify({ id: 1, name: nasty, tags: [] })]],
    ["routes", ["QueryItems", '{"text":"a b"}']],
    ["reads", ["Shop.GetOrder", '{"id":7}', "--get"]],
    ["keys", ["Shop.AddOrder", '{"item":"tea"}', "--idempotency-key", 'it\'s "k"']],
    ["files", ["Store", JSON.stringify({ title: nasty, picture: `@we"i'rd;na,me\\.txt` })]],
    ["files", ["StoreMany", '{"files":["@a.txt","@a.txt"]}']],
  ])("%s %j", async (name, words) => {
    using dir = folder({ "a.txt": "one" });
    writeFileSync(join(dir.path, `we"i'rd;na,me\\.txt`), "odd");
    await using server = await recordingServer();
    const args = [
      "call",
      ...words,
      "--schema",
      fixture(name),
      "--url",
      `${server.url}/v`,
      "-H",
      `X-Key: ${"it's $x"}`,
    ];
    const called = await ridlkitProcess(args, { cwd: dir.path, env });
    expect(called).toMatchObject({ err: "" });
    const printed = await ridlkitProcess([...args, "--curl"], { cwd: dir.path, env });
    expect(printed).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^curl [^\0]*\n$/) });
    expect(printed.out).not.toContain("se'c");
    expect(server.received).toHaveLength(1);
    const shell = spawn("sh", ["-c", printed.out], { cwd: dir.path, env });
    const [code] = await once(shell, "close");
    expect(code).toBe(0);
    const [direct, byCurl] = server.received.map(({ method, url, headers, body }) => {
      const type = String(headers["content-type"]);
      const boundary = /boundary=(.*)/.exec(type)?.[1] ?? "no boundary";
      return {
        method,
        url,
        type: type.replace(boundary, ""),
        body: body.replaceAll(boundary, "").replaceAll(/(?<=\r\n|^)-+/g, ""),
        key: headers["x-key"],
        idempotencyKey: headers["idempotency-key"],
        authorization: headers["authorization"],
      };
    });
    expect(byCurl).toEqual(direct);
    expect(direct).toHaveProperty("key", "it's $x");
  });

  test("with the credential of the environment, and without sending anything", async () => {
    const args = [
      "call",
      "Shop.GetOrder",
      '{"id":7}',
      "--schema",
      fixture("reads"),
      "--url",
      "http://127.0.0.1:1",
    ];
    const env = { RIDLKIT_AUTH: "secret" };
    const { code, out } = await ridlkitProcess([...args, "--curl", "--timeout", "2s", "-o", "it's"], { env });
    expect({ code, out }).toEqual({
      code: 0,
      out:
        "curl --max-time 2 -o 'it'\\''s' http://127.0.0.1:1/rpc/Shop/GetOrder -H 'Content-Type: application/json'" +
        ` -H 'X-Access-Key: '"$RIDLKIT_AUTH" --data-binary '{"id":7}'\n`,
    });
  });
});

function inShell(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
