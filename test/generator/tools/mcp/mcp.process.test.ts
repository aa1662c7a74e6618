/** The server for coding agents: `ridlkit mcp`. */
import { expect, test } from "vitest";
import { searchDocs } from "../../../../generator/tools/mcp/docs.ts";
import { folder, ridlkitProcess } from "../../../support/program.ts";

const schema = `webrpc = v1
name = shop
version = v1.0.0
basepath = /rpc

service Shop
  - Get(id: uuidd) => (name: string)
`;

/** Sends messages to the server, and returns its responses by id. */
async function exchange(messages: readonly unknown[], cwd: string): Promise<ReadonlyMap<unknown, Message>> {
  const input = messages.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  const { code, out, err } = await ridlkitProcess(["mcp"], { cwd, input });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const responses = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
  return new Map(responses.map((one) => [one.id, one]));
}

interface Message {
  readonly id: unknown;
  readonly result?: {
    readonly protocolVersion?: string;
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly [{ readonly text: string }];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number };
}

const callOf = (id: number, name: string, given?: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

test("tools run the commands and search the docs", async () => {
  using project = folder({ "shop.ridl": schema, "good.ridl": schema.replace("uuidd", "string") });
  const responses = await exchange(
    [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
      { jsonrpc: "2.0", id: 3, method: "ping" },
      callOf(4, "lint", { file: "shop.ridl" }),
      callOf(5, "explain", { code: "RK308" }),
      callOf(6, "generate", { file: "good.ridl", out: "api", target: "types" }),
      callOf(7, "breaking", { file: "good.ridl", against: "good.ridl" }),
      callOf(8, "docs"),
      callOf(9, "docs", { query: "schema-language" }),
      callOf(10, "docs", { query: "how does a handler return an error" }),
    ],
    project.path,
  );
  const text = (id: number): string => responses.get(id)?.result?.content?.[0].text ?? "";
  const json = (id: number): unknown => JSON.parse(text(id));
  expect(responses.get(1)?.result?.protocolVersion).toBe("2025-06-18");
  const names = responses.get(2)?.result?.tools?.map(({ name }) => name);
  expect(names).toEqual(["lint", "explain", "generate", "breaking", "docs"]);
  expect(responses.get(3)?.result).toEqual({});
  expect(json(4)).toMatchObject({ ok: false, diagnostics: [{ code: "RK308", path: "shop.ridl" }] });
  expect(json(5)).toMatchObject({ codes: [{ code: "RK308" }] });
  expect(json(6)).toMatchObject({
    ok: true,
    files: expect.arrayContaining([{ path: "api/types.ts", state: "added" }]),
  });
  expect(json(7)).toMatchObject({ ok: true, diagnostics: [] });
  expect(text(8)).toMatch(/^schema-language: /m);
  expect(text(9)).toMatch(/^# /m);
  expect(text(10)).toContain("## Returning errors from a handler");
  expect([4, 5, 6, 7, 8].map((id) => responses.get(id)?.result?.isError)).toEqual(Array(5).fill(undefined));
});

test.each<[string, unknown, object]>([
  ["text that is no JSON", "{", { error: { code: -32700 } }],
  ["an unknown method", { id: 1, method: "resources/list" }, { error: { code: -32601 } }],
  ["an unknown tool", callOf(1, "deploy"), { error: { code: -32602 } }],
  [
    "an unknown version",
    { id: 1, method: "initialize", params: { protocolVersion: "1999" } },
    { result: { protocolVersion: "2025-11-25" } },
  ],
  ["params that are null", { id: 1, method: "ping", params: null }, { result: {} }],
  [
    "an unknown argument",
    callOf(1, "lint", { path: "a" }),
    {
      result: {
        isError: true,
        content: [{ text: 'There is no argument "path". The arguments are file, preset.' }],
      },
    },
  ],
  [
    "a number",
    callOf(1, "explain", { code: 308 }),
    { result: { isError: true, content: [{ text: 'The argument "code" must be text.' }] } },
  ],
  [
    "a missing argument",
    callOf(1, "explain", {}),
    { result: { isError: true, content: [{ text: 'The argument "code" is missing.' }] } },
  ],
  ["an unknown code", callOf(1, "explain", { code: "x" }), { result: { isError: true } }],
  [
    "an option in place of a file",
    callOf(1, "lint", { file: "--fix" }),
    { result: { content: [{ text: expect.stringContaining('"path": "--fix"') }] } },
  ],
])("%s is reported", async (_, message, expected) => {
  using project = folder({});
  const [response] = (await exchange([message], project.path)).values();
  expect(response).toMatchObject(expected);
});

test.each([
  [30_000, false],
  [30_001, true],
])("a page of %i characters is cut: %s", (length, isCut) => {
  expect(searchDocs([{ name: "a", text: "x".repeat(length) }], "a").includes("more characters")).toBe(isCut);
});

test("a page is found by its name in any case, and a long table comes after sections with the same words", () => {
  const table = { name: "codes", text: `# Codes\n${"| null is an error |\n".repeat(1_000)}` };
  const errors = { name: "errors", text: "# Errors\nA handler returns null." };
  expect(searchDocs([table, errors], "Errors")).toBe(errors.text);
  expect(
    searchDocs([table, errors, { name: "a", text: "# A" }, { name: "b", text: "# B" }], "null handler"),
  ).toMatch(/^<!-- page errors -->/);
});

test("a batch and a value that is no message are rejected", async () => {
  using project = folder({});
  for (const line of ["[]", "1", "null"]) {
    const [response] = (await exchange([line], project.path)).values();
    expect(response).toMatchObject({ id: null, error: { code: -32600 } });
  }
});
