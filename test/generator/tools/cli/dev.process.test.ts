import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type Folder,
  folder,
  installRuntime,
  ridlkit,
  ridlkitProcess,
  start,
} from "../../../support/program.ts";
import { rawRequest } from "../../../support/raw-http.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

service Pets
  - GetPet(id: uint64) => (name: string)
`;
const config = '{ "schemas": [{ "entry": "pets.ridl", "out": "generated", "handlers": "handlers" }] }';

interface Event {
  readonly event?: string;
  readonly diagnostics?: readonly { readonly code: string }[];
  readonly url?: string;
  readonly explorer?: string;
  readonly changed: readonly string[];
  readonly errors?: readonly string[];
  readonly method?: string;
  readonly error?: string;
}

let dir: Folder;
let child: ChildProcess | undefined;
let told: Event[];
let err: string;

const patient = { timeout: 120_000 };

describe("edits of a handler while one session runs", () => {
  let url: string;
  let round = 0;

  beforeAll(async () => {
    open();
    url = await dev("--scaffold");
  });

  beforeEach(async () => {
    told = [];
    const name = `round ${round++}`;
    write("handlers/Pets/GetPet.ts", `export const getPet = () => ({ name: "${name}" });\n`);
    // All events of the test before come earlier.
    await until(({ event }) => event === "serving");
    await expect.poll(() => call(url, "GetPet", { id: 1 }), patient).toEqual({ name });
  });

  afterAll(close);

  test("a deleted handler is created again with --scaffold", async () => {
    write("handlers/Pets/GetPet.ts", 'export const getPet = () => ({ name: "Rex" });\n');
    await expect.poll(() => call(url, "GetPet", { id: 1 }), patient).toEqual({ name: "Rex" });
    rmSync(join(dir.path, "handlers/Pets/GetPet.ts"));
    await expect.poll(() => call(url, "GetPet", { id: 1 }), patient).toMatchObject({ code: -7 });
  });

  test("a response that does not match the schema is reported, and is an error for the caller", async () => {
    write("handlers/Pets/GetPet.ts", "export const getPet = () => ({ name: 5 });\n");
    await expect
      .poll(() => call(url, "GetPet", { id: 1 }), patient)
      .toMatchObject({ error: "WebrpcBadResponse" });
    expect(await until(({ event }) => event === "failed")).toMatchObject({
      method: "Pets.GetPet",
      error: expect.stringMatching(/^The response does not match the schema: .*\/name/),
    });
  });

  test("an error that a handler throws is reported with its file and line", async () => {
    write(
      "handlers/Pets/GetPet.ts",
      "export const getPet = (): never => {\n  throw new Error('no pets');\n};\n",
    );
    await expect.poll(() => call(url, "GetPet", { id: 1 }), patient).toMatchObject({ code: -7 });
    const { method, error } = await until(({ event }) => event === "failed");
    expect(method).toBe("Pets.GetPet");
    expect(error).toMatch(/^Error: no pets\n.*getPet.*\(handlers\/Pets\/GetPet.ts:2:9\)/);
    expect(error).not.toContain("ridlkit:");
    write("handlers/Pets/GetPet.ts", "const pets: string[] = [];\n\nexport const getPet = pets[0].length;\n");
    const { errors } = await until(({ event }) => event === "broken");
    expect(errors?.[0]).toMatch(/^TypeError: .*\n {4}at handlers\/Pets\/GetPet.ts:3:31/);
  });

  test("import.meta in a handler is that of its file", async () => {
    write("handlers/Pets/GetPet.ts", "export const getPet = () => ({ name: import.meta.filename });\n");
    await expect
      .poll(() => call(url, "GetPet", { id: 1 }), patient)
      .toEqual({ name: join(realpathSync(dir.path), "handlers/Pets/GetPet.ts") });
  });

  test("what is under way ends as it began", async () => {
    write("handlers/Pets/GetPet.ts", slow("old"));
    const underWay: Promise<unknown>[] = [];
    // Which version answers is seen by its mark; calls of the one before end at once.
    await expect
      .poll(() => {
        underWay.push(call(url, "GetPet", { id: 1 }));
        return existsSync(join(dir.path, "arrived"));
      }, patient)
      .toBe(true);
    write("handlers/Pets/GetPet.ts", 'export const getPet = () => ({ name: "new" });\n');
    await expect
      .poll(() => {
        const answer = call(url, "GetPet", { id: 1 });
        underWay.push(answer);
        return quickly(answer);
      }, patient)
      .toEqual({ name: "new" });
    write("go", "");
    expect(await Promise.all(underWay)).toContainEqual({ name: "old" });
  });
});

describe("a session of its own", () => {
  beforeEach(open);
  afterEach(close);

  test("a new method answers after an edit", async () => {
    const url = await dev("--scaffold");
    write("pets.ridl", `${schema}  - AddPet(name: string) => (id: uint64)\n`);
    await expect.poll(() => call(url, "AddPet", { name: "Rex" }), patient).toMatchObject({ code: -7 });
    write("handlers/Pets/AddPet.ts", "export const addPet = () => ({ id: 7 });\n");
    await expect.poll(() => call(url, "AddPet", { name: "Rex" }), patient).toEqual({ id: 7 });
    expect(await call(url, "AddPet", { name: 7 })).toMatchObject({ error: "WebrpcBadRequest" });
    await expect.poll(async () => (await ridlkitProcess(["check"], { cwd: dir.path })).code, patient).toBe(0);
  });

  test("a handler may use generated code that no server runs, and has that of the same schema", async () => {
    const url = await dev("--scaffold");
    write("handlers/Pets/GetPet.ts", usingClient("getPet"));
    await expect.poll(() => call(url, "GetPet", { id: 1 }), patient).toEqual({ name: "none" });
    write("pets.ridl", `${schema}  - AddPet() => ()\n`);
    await expect.poll(() => call(url, "GetPet", { id: 1 }), patient).toEqual({ name: "AddPet" });
  });

  test("a deleted handler is reported with the command that creates it again", async () => {
    await ridlkit(["scaffold"], { cwd: dir.path });
    await dev();
    rmSync(join(dir.path, "handlers/Pets/GetPet.ts"));
    const { errors } = await until(({ event }) => event === "broken");
    expect(errors?.[0]).toMatch(
      /Could not resolve "[.]\/Pets\/GetPet.ts"[.] Remove the import, or run: npx ridlkit scaffold$/,
    );
  });

  test("with a fault in the schema or the code what was there is served on", async () => {
    const url = await dev("--scaffold");
    write("handlers/Pets/GetPet.ts", 'export const getPet = () => ({ name: "Rex" });\n');
    await expect.poll(() => call(url, "GetPet", { id: 1 }), patient).toEqual({ name: "Rex" });
    write("pets.ridl", `${schema}  - Add(\n`);
    await expect.poll(() => told.some(({ event }) => event === "invalid"), patient).toBe(true);
    expect(told.find(({ diagnostics }) => diagnostics !== undefined)?.diagnostics?.[0]?.code).toBe("RK101");
    expect(await call(url, "GetPet", { id: 1 })).toEqual({ name: "Rex" });
    write("handlers/Pets/GetPet.ts", "export const getPet = (\n");
    write("pets.ridl", schema);
    await expect.poll(() => told.some(({ event }) => event === "broken"), patient).toBe(true);
    expect(await call(url, "GetPet", { id: 1 })).toEqual({ name: "Rex" });
  });

  test("a syntax error that scaffolding has printed is not printed again", async () => {
    await ridlkit(["scaffold"], { cwd: dir.path });
    write("handlers/Pets/GetPet.ts", "export const = 1;\n");
    child = start(["dev", "--scaffold", "--port", "0"], { cwd: dir.path, timeoutMs: 290_000 });
    let text = "";
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => text, patient).toContain("\nnot served");
    expect(text.match(/GetPet[.]ts:1:14/g)).toHaveLength(1);
    expect(text).toMatch(/\nnot served, because of the errors above\n$/);
  });

  test("after a rename the missing handlers are named without a stack, and scaffold mends it", async () => {
    await dev("--scaffold");
    child?.kill("SIGKILL");
    const own = `import { handlers } from "./handlers.ts";
import { createServer } from "../generated/server.ts";

export const server = createServer(handlers);
`;
    write("handlers/own.ts", own);
    for (const entry of ["handlers/handlers.ts", "handlers/own.ts"]) {
      write("pets.ridl", schema);
      const url = await dev("--entry", entry);
      write("pets.ridl", `${schema.replace("GetPet", "FetchPet")}  - AddPet() => ()\n`);
      const { errors } = await until(({ event }) => event === "broken");
      expect(errors).toEqual([
        'no handler for Pets.FetchPet, Pets.AddPet: run "npx ridlkit scaffold" to add missing handlers and follow renames',
      ]);
      expect(await call(url, "GetPet", { id: 1 })).toMatchObject({ code: -7 });
      child?.kill("SIGKILL");
    }
    expect((await ridlkit(["scaffold"], { cwd: dir.path })).code).toBe(0);
    await dev();
  });

  test("a missing entry module is named, and what to do; it is served once it exists", async () => {
    await dev("--scaffold");
    child?.kill("SIGKILL");
    launch("--entry", "handlers/own.ts");
    const { errors } = await until(({ event }) => event === "broken");
    expect(errors).toEqual([
      "handlers/own.ts does not exist. npx ridlkit scaffold creates handlers and their entry module; --entry names another one.",
    ]);
    write("handlers/own.ts", 'export { handlers } from "./handlers.ts";\n');
    const { url = "" } = await until(({ event }) => event === "serving");
    expect(await call(url, "GetPet", { id: 1 })).toMatchObject({ code: expect.any(Number) });
  });

  test("of two outputs of a schema the one with handlers is served", async () => {
    const two = (more: object): string =>
      JSON.stringify({
        schemas: [
          { name: "web", entry: "pets.ridl", out: "web", targets: ["types", "client"], ...more },
          { name: "api", entry: "pets.ridl", out: "generated", handlers: "handlers" },
        ],
      });
    write("ridlkit.config.json", two({}));
    const url = await dev("--scaffold");
    expect(await call(url, "GetPet", { id: 1 })).toMatchObject({ code: -7 });
    write("ridlkit.config.json", two({ handlers: "web-handlers" }));
    const { code, err: refusal } = await ridlkit(["dev"], { cwd: dir.path });
    expect({ code, refusal }).toEqual({
      code: 2,
      refusal: expect.stringContaining("has several schemas. Choose one with --project: web, api."),
    });
  });

  test("a module that exports nothing to serve is reported", async () => {
    write("handlers/handlers.ts", "export const nothing = 1;\n");
    launch();
    const { errors } = await until(({ event }) => event === "broken");
    expect(errors?.[0]).toContain('"handlers"');
  });

  test("a module may export a listener of its own", async () => {
    write(
      "handlers/handlers.ts",
      "export const listener = (req, res) => res.end(JSON.stringify({ method: req.method, url: req.url }));\n",
    );
    const { url = "", explorer = "" } = await devEvent();
    expect(await call(url, "GetPet", { id: 1 })).toEqual({ method: "POST", url: "/rpc/Pets/GetPet" });
    // The root belongs to the listener.
    expect(await (await fetch(url)).json()).toEqual({ method: "GET", url: "/" });
    expect(explorer).toBe(`${url}/explorer/`);
    expect(await (await fetch(explorer)).text()).toContain('<div id="page">');
  });

  test("the explorer shows the contract that is served, also after an edit, and only to this machine", async () => {
    const { url = "", explorer = "" } = await devEvent("--scaffold");
    expect(explorer).toBe(`${url}/`);
    const methods = async (): Promise<readonly string[]> => {
      const response = await fetch(`${url}/explorer/schema.json`);
      const { services } = (await response.json()) as { services: { methods: { name: string }[] }[] };
      return services.flatMap((service) => service.methods.map(({ name }) => name));
    };
    expect(await methods()).toEqual(["GetPet"]);
    expect(await (await fetch(`${url}/explorer/host.json`)).json()).toEqual({
      keys: [],
      command: "npx ridlkit dev",
      examples: { "Pets/GetPet": { id: expect.any(Number) } },
      servers: ["../"],
      problems: "problems",
    });
    write("pets.ridl", `${schema}  - Add(\n`);
    await until(({ event }) => event === "invalid");
    expect(await methods()).toEqual(["GetPet"]);
    write("pets.ridl", `${schema}  - AddPet(name: string) => (id: uint64)\n`);
    await expect.poll(methods, patient).toEqual(["GetPet", "AddPet"]);
    const port = Number(new URL(url).port);
    const { status } = await rawRequest(port, {
      method: "GET",
      path: "/explorer/",
      headers: { Host: "evil.example" },
    });
    expect(status).toBe(400);
  });

  test("SIGINT ends it, with 0", async () => {
    await dev("--scaffold");
    const code = new Promise((done) => child?.once("close", done));
    child?.kill("SIGINT");
    expect(await code).toBe(0);
  });

  test("answers this machine, and hosts and pages that are allowed", async () => {
    const url = await dev(
      "--scaffold",
      "--allow-host",
      "dev.example",
      "--allow-origin",
      "https://app.example",
    );
    const port = Number(new URL(url).port);
    const statusOf = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await rawRequest(port, { path: "/rpc/Pets/None", body: "{}", headers })).status;
    // 404: the path names no method, and the call got as far.
    for (const headers of [
      { Host: `localhost:${port}` },
      { Host: "dev.example" },
      { Host: "localhost", Origin: "http://localhost:5173" },
      { Host: "localhost", Origin: "https://app.example" },
    ])
      expect([headers, await statusOf(headers)]).toEqual([headers, 404]);
    for (const headers of [{ Host: "evil.example" }, { Host: "localhost", Origin: "https://evil.example" }])
      expect([headers, await statusOf(headers)]).toEqual([headers, 400]);
  });

  test("a port that is in use is reported", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((done) => other.once("listening", done));
    const { port } = other.address() as AddressInfo;
    launch("--port", String(port));
    const code = await new Promise((done) => child?.once("close", done));
    other.close();
    expect(code).toBe(2);
    expect(told.at(-1)).toMatchObject({
      error: { message: expect.stringContaining(`Cannot listen on port ${port}: another program uses it.`) },
    });
  });
});

function open(): void {
  dir = folder({
    "pets.ridl": schema,
    "ridlkit.config.json": config,
    "package.json": '{ "type": "module" }',
  });
  installRuntime(dir.path);
  told = [];
  err = "";
}

async function close(): Promise<void> {
  if (child?.exitCode === null) {
    const ended = new Promise((done) => child?.once("close", done));
    child.kill("SIGKILL");
    await ended;
  }
  dir[Symbol.dispose]();
}

/** Starts it, and answers its address once it serves. */
async function dev(...args: readonly string[]): Promise<string> {
  return (await devEvent(...args)).url ?? "";
}

async function devEvent(...args: readonly string[]): Promise<Event> {
  launch("--port", "0", ...args);
  return until(({ event }) => event === "serving");
}

function launch(...args: readonly string[]): void {
  const given = args.includes("--port") ? args : ["--port", "0", ...args];
  child = start(["dev", "--format", "json", ...given], { cwd: dir.path, timeoutMs: 290_000 });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  if (child.stdout === null) throw new Error("no output");
  createInterface({ input: child.stdout }).on("line", (line) => told.push(JSON.parse(line) as Event));
}

/** The next event of that kind; those before it are forgotten. */
async function until(wanted: (event: Event) => boolean): Promise<Event> {
  for (;;) {
    const event = told.shift();
    if (event !== undefined && wanted(event)) return event;
    if (event !== undefined) continue;
    if (child?.exitCode !== null) throw new Error(`it ended: ${err}`);
    await pause();
  }
}

async function call(url: string, method: string, body: object): Promise<unknown> {
  const response = await fetch(`${url}/rpc/Pets/${method}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(dir.path, name)), { recursive: true });
  writeFileSync(join(dir.path, name), text);
}

/** A handler that leaves a mark when it is called, and answers once it may. */
function slow(name: string): string {
  return `import { existsSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export const getPet = async () => {
  writeFileSync(${JSON.stringify(join(dir.path, "arrived"))}, "yes");
  while (!existsSync(${JSON.stringify(join(dir.path, "go"))})) await sleep(10);
  return { name: ${JSON.stringify(name)} };
};
`;
}

/** A handler that says whether the client knows a method. */
function usingClient(name: string): string {
  return `import * as client from "../../generated/client.ts";

export const ${name} = () => ({ name: "addPet" in client ? "AddPet" : "none" });
`;
}

/** Undefined if it takes its time. */
function quickly<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([answer, new Promise<undefined>((done) => setTimeout(() => done(undefined), 500))]);
}

function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 10));
}
