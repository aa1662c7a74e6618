/** The call in Python and Go: both programs run, and send what the page would send. */
import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CallRequest, requestOf } from "../../../generator/explorer/page/call/request.ts";
import { goCode, pythonCode } from "../../../generator/explorer/page/call/script-code.ts";
import { parseJson } from "../../../generator/explorer/page/json/node.ts";
import { folder } from "../../support/program.ts";
import { keys, parts } from "./contract.ts";

function isThere(command: string, option: string): boolean {
  const isFound = spawnSync(command, [option]).status === 0;
  if (!isFound) console.log(`left out: code for ${command}, which is not installed`);
  return isFound || process.env["CI"] === "true";
}

const body = '{"id":12345678901234567890,"text":"it\'s \\"`a`\\" é","is":true,"none":null,"list":[1.50,[]]}';
const keyValues = { accessKey: "key", secretKey: "jwt" };

function requestTo(server: string, more: Partial<Parameters<typeof requestOf>[0]> = {}): CallRequest {
  return requestOf({ ...parts, server, keyValues, body, ...more });
}

/** Stands for the package requests: prints the call as JSON. */
const requestsStub = `
import json
class Response:
    text = "the response"
    def iter_lines(self):
        return [b'{"a":1}', b'', b'{"a":2}']
def request(verb, url, files=(), **more):
    def text(file):
        return file[1] if isinstance(file, tuple) else file.read().decode()
    print(json.dumps([verb, url, [[name, text(file)] for name, file in files], more]))
    return Response()
def post(url, **more):
    return request("POST", url, **more)
`;

function pythonRun(code: string): readonly string[] {
  using dir = folder({ "main.py": code, "requests.py": requestsStub, "a b.png": "bytes" });
  const env = { ...process.env, SECRET_KEY: "jwt" };
  const { stdout, stderr } = spawnSync("python3", ["main.py"], { cwd: dir.path, env, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

describe.runIf(isThere("python3", "--version"))("Python", () => {
  const headers = { "x-access-key": "key", authorization: "BEARER jwt" };

  test("sends the JSON with every digit, and no secret stands in its text", () => {
    const code = pythonCode({ request: requestTo("http://h"), body: parseJson(body), keys }, false);
    expect(code).not.toContain("jwt");
    const [call = "", response] = pythonRun(code);
    expect(call).toContain('"id": 12345678901234567890');
    expect(JSON.parse(call)).toEqual(["POST", "http://h/rpc/A/B", [], { headers, json: JSON.parse(body) }]);
    expect(response).toBe("the response");
  });

  test("reads a stream line by line", () => {
    const request = requestTo("http://h", { keys: [], body: "{}" });
    const [call = "", ...lines] = pythonRun(pythonCode({ request, body: parseJson("{}"), keys }, true));
    expect(JSON.parse(call)).toEqual(["POST", "http://h/rpc/A/B", [], { json: {}, stream: true }]);
    expect(lines).toEqual(['{"a":1}', '{"a":2}']);
  });

  test("sends other verbs, and files after the JSON", () => {
    const query = requestTo("http://h", { keys: [], verb: "QUERY", body: undefined });
    const [call = ""] = pythonRun(pythonCode({ request: query, body: parseJson("{}"), keys }, false));
    expect(JSON.parse(call)).toEqual(["QUERY", "http://h/rpc/A/B", [], {}]);
    const files = [{ name: "picture", file: new File(["bytes"], "a b.png") }];
    const upload = requestTo("http://h", { keys: [], body: '{"title":"é"}', files });
    const [form = ""] = pythonRun(pythonCode({ request: upload, body: parseJson("{}"), keys }, false));
    const json = ["json", '{"title":"é"}'];
    expect(JSON.parse(form)).toEqual(["POST", "http://h/rpc/A/B", [json, ["picture", "bytes"]], {}]);
    // Without a chosen file, too, the body is a form.
    const none = requestTo("http://h", { keys: [], body: '{"title":"é"}', files: [] });
    const [empty = ""] = pythonRun(pythonCode({ request: none, body: parseJson("{}"), keys }, false));
    expect(JSON.parse(empty)).toEqual(["POST", "http://h/rpc/A/B", [json], {}]);
  });
});

describe.runIf(isThere("go", "version"))("Go", () => {
  test("sends the same bytes, and prints the response", async () => {
    const heard: unknown[] = [];
    const server = createServer(async (req, res) => {
      let text = "";
      for await (const chunk of req) text += chunk;
      const { authorization, "x-access-key": key } = req.headers;
      heard.push([req.method, req.url, key, authorization, text]);
      res.end("the response");
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const request = requestTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const code = goCode(request, keys) ?? "";
    expect(code).not.toContain("jwt");
    using dir = folder({ "main.go": code });
    const child = spawn("go", ["run", join(dir.path, "main.go")], {
      env: { ...process.env, SECRET_KEY: "jwt" },
    });
    let out = "";
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    await new Promise((done) => child.once("close", done));
    server.close();
    expect(out).toBe("the response");
    expect(heard).toEqual([["POST", "/rpc/A/B", "key", "BEARER jwt", body]]);
  });

  test("needs no body", () => {
    const read = goCode(requestTo("http://h", { keys: [], verb: "GET", body: undefined }), keys);
    expect(read).toContain('http.NewRequest("GET", "http://h/rpc/A/B", nil)');
    expect(read).not.toContain('"strings"');
  });
});
