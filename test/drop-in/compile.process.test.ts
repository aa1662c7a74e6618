/**
 * Compiles the drop-in file under the strictest flags of older projects, with every possible name in the schema, then
 * runs it.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reservedFileNames, reservedNames } from "../../generator/codegen/emit/drop-in/reserved.ts";
import { schemas, tsc } from "../compile/project.ts";
import { type Folder, folder, ridlkit } from "../support/program.ts";

const head = "webrpc = v1\nname = t\nversion = v1\nbasepath = /rpc\n\n";

const optionSets: Readonly<Record<string, readonly string[]>> = {
  client: ["-client"],
  "client without header": ["-client", "-webrpcHeader=false"],
  server: ["-server"],
  both: ["-client", "-server"],
  compat: ["-client", "-server", "-compat"],
  union: ["-client", "-server", "-enumStyle=union", "-schemaHash=false"],
  filtered: ["-client", "-server", "-ignore=@internal"],
  types: [],
};

/** Sets of options whose files have every declaration that another set's files have. */
const withAllDeclarations = ["both", "compat", "union"];

/** Trials with thousands of declarations: a clash is in the files with all of them, too. */
const manyNames: ReadonlySet<string> = new Set([
  "structs",
  "enums",
  "aliases",
  "methods",
  "services",
  "fields",
  "errors",
]);

/** Names from JavaScript, and every word of the file's own code. */
let words: readonly string[];
let made: Folder;

const known = (
  "Promise Record Date fetch Fetch toString hasOwnProperty __proto__ then default class Headers Map Constructor Error Shape Context " +
  "Path Url Hostname QueryKey Set Symbol Proxy Blob File URL FormData globalThis undefined NaN Infinity arguments eval unknown never " +
  "any object T toJSON valueOf prototype name length interface package private protected public static yield let await async enum new"
).split(" ");

beforeAll(async () => {
  made = folder({
    "plain.ridl": `${head}service S\n  - M(a: bigint) => (a: bigint)\n  - W(a: int) => stream (a: int)\n  - F(a: file) => (a: file)\n`,
  });
  await print("plain", "plain.ridl", "both");
  const file = readFileSync(join(made.path, "plain-both.ts"), "utf8");
  words = [...new Set([...known, ...(withoutComments(file).match(/\b[A-Za-z_]\w*/g) ?? [])])];
  for (const [name, text] of Object.entries(trials())) {
    writeFileSync(join(made.path, `${name}.ridl`), head + text);
    const all = Object.keys(optionSets);
    for (const options of manyNames.has(name) ? withAllDeclarations : all)
      await print(name, `${name}.ridl`, options);
  }
  for (const [name, path] of Object.entries(schemas))
    for (const options of Object.keys(optionSets)) await print(name, path, options);
});

afterAll(() => made[Symbol.dispose]());

async function print(name: string, schema: string, options: keyof typeof optionSets): Promise<void> {
  const flags = [`-schema=${schema}`, "-target=typescript", "-quiet", ...(optionSets[options] ?? [])];
  const outcome = await ridlkit([...flags, `-out=${fileOf(name, options)}`], { cwd: made.path });
  expect(outcome).toEqual({ code: 0, out: "", err: "" });
}

/** No name can clash with a word of a comment. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/(^|\s)\/\/ .*/gm, "");
}

function fileOf(name: string, options: string): string {
  return `${name}-${options.replaceAll(" ", "-")}.ts`;
}

/** Returns schemas whose declarations of one kind have all the names. */
function trials(): Readonly<Record<string, string>> {
  // A word of RIDL.
  const any = distinct(words.filter((word) => word !== "stream"));
  const types = distinct(
    words
      .map((word) => word.replace(/^_+/, "").replace(/^./, (first) => first.toUpperCase()))
      .filter((word) => word !== ""),
  );
  const errors = types.filter((name) => !name.startsWith("Webrpc"));
  const fields = any.filter((name) => /^[A-Za-z]/.test(name));
  const use = (name: string, at: number): string =>
    `  - M${at}(one: ${name}, many: []${name}, by: map<string,${name}>) => (one: ${name}, many: []${name}, by: map<string,${name}>)\n`;
  const list = (names: readonly string[], line: (name: string, at: number) => string): string =>
    names.map(line).join("");
  return {
    structs: `${list(types, (name) => `struct ${name}\n  - id: uint64\n  - next?: ${name}\n\n`)}service S\n${list(types, use)}`,
    enums: `${list(types, (name) => `enum ${name}: string\n  - a\n\n`)}service S\n${list(types, use)}`,
    aliases: `${list(types, (name) => `type ${name}: []uint64\n`)}service S\n${list(types, use)}`,
    methods: `service S\n${list(any, (name) => `  - ${name}(a: int) => (a: int)\n`)}service Z\n${list(any, (name) => `  - ${name}(a: int) => stream (a: int)\n`)}`,
    services: list(
      any,
      (name) => `service ${name}\n  - Ping(a: int) => (a: int)\n  - Watch(a: int) => stream (a: int)\n`,
    ),
    fields: `enum E: string\n${list(fields, (name) => `  - ${name}\n`)}struct F\n${list(fields, (name) => `  - ${name}?: []string\n`)}service S\n  - A(F) => (F)\n  - B(${fields.map((name) => `${name}?: int`).join(", ")}) => (e: E)\n`,
    errors: `${list(errors, (name, at) => `error ${at + 1} ${name} "x"\n`)}service S\n  - A() => ()\n`,
    files: `${list(types, (name) => `struct ${name}\n  - id: uint64\n  - at: file\n\n`)}service S\n${list(types, (name, at) => `  - M${at}(one: ${name}, file: file, files: []file) => (one: file)\n`)}`,
    clashes,
    filters:
      "service S\n  @internal\n  - A(a: int) => (a: int)\nservice Z\n  - A(a: int) => stream (a: int)\n",
    streams: "service Z\n  - A(a: int) => stream (a: int)\n",
    uploads: "service Z\n  - stream A(a: int) => (a: int)\n",
    nothing: "",
  };
}

/** Declarations with the same name in TypeScript. */
const clashes = `error 1 Not-Found "dash"
error 2 NotFound "no dash"
error 3 Rpc "rpc"
struct Pet
  - id: int
struct PetClient
  - id: int
enum PetServer: string
  - a
struct GetPetArgs
  - id: int
struct RpcError
  - code: int
struct Context
  - a: int
type ServePetRpc: int
service Pet
  - GetPet(pet: Pet) => (pet: Pet, args: GetPetArgs)
  - Set(Context) => (PetClient)
  - Draw(by: map<PetServer,RpcError>) => (by: map<PetServer,RpcError>)
service Pet2
  - Ping() => ()
service a-b
  - Ping-a() => (n: ServePetRpc)
  - Ping_a() => (s: PetServer)
service a_b
  - Ping() => ()
`;

/** Names of a schema must differ in more than case. */
function distinct(names: readonly string[]): readonly string[] {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

test("names that the file declares are reserved", () => {
  const text = readFileSync(join(made.path, "plain-both.ts"), "utf8");
  const declared = [
    ...text.matchAll(/^(?:export )?(?:async )?(?:const|type|interface|class|enum|function\*?) (\w+)/gm),
  ];
  const ofSchema = /^(S|SClient|SServer|serveSRpc|[MWF](Request|Response))$/;
  const own = declared.map(([, name = ""]) => name).filter((name) => !ofSchema.test(name));
  expect(own.length).toBeGreaterThan(40);
  expect(own.filter((name) => !reservedNames.has(name) && !reservedFileNames.includes(name))).toEqual([]);
});

/** Only errors are classes that extend a class. */
const withoutErrors = [...manyNames].filter((name) => name !== "errors");

/** Trials without enums: except for the version and the list of errors, their files for "union" equal those for "both". */
const withoutEnums = ["structs", "aliases", "methods"];

// Newer libraries add members to classes that the file extends. One set of options shows that.
test.each([
  ["every file", "es2020", { include: ["*.ts"], exclude: withoutEnums.map((name) => fileOf(name, "union")) }],
  [
    "every file with all options",
    "es2022",
    { include: ["*-both.ts"], exclude: withoutErrors.map((name) => fileOf(name, "both")) },
  ],
])("%s compiles for %s without unused code", async (_files, target, files) => {
  const compilerOptions = {
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noFallthroughCasesInSwitch: true,
    noPropertyAccessFromIndexSignature: true,
    noEmit: true,
    skipLibCheck: true,
    target,
    module: "esnext",
    moduleResolution: "bundler",
    lib: [target, "dom"],
    types: [],
  };
  writeFileSync(join(made.path, "tsconfig.json"), JSON.stringify({ compilerOptions, ...files }));
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "-p", made.path], {
    maxBuffer: 2 ** 26,
    // Collecting garbage less often takes a fifth off the time of the compiler.
    env: { ...process.env, GOGC: "400" },
  }).catch((failure: { readonly stdout: string }) => failure);
  expect(stdout.split("\n").slice(0, 20).join("\n")).toBe("");
});

type Ask = (req: unknown, options?: object) => unknown;
type Serve = (
  service: object,
  ctx: null,
  path: string,
  body: unknown,
) => Promise<{ readonly body: unknown } | null>;

/** Calls every method of every service. The server is in the same process. Returns what was sent and what came back. */
async function callAll(name: string, options: string, req: unknown): Promise<readonly unknown[]> {
  const text = readFileSync(join(made.path, fileOf(name, options)), "utf8");
  // Older projects assign class fields.
  const tsconfigRaw = { compilerOptions: { useDefineForClassFields: false } };
  const { code } = await transform(text, { loader: "ts", target: "es2020", tsconfigRaw });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Readonly<
    Record<string, unknown>
  >;
  const answers: unknown[] = [];
  for (const service of Object.keys(module).filter((key) => Object.hasOwn(module, `serve${key}Rpc`))) {
    const serve = module[`serve${service}Rpc`] as Serve;
    const called: string[] = [];
    const echo = (method: string) => async (_ctx: null, received: unknown) => {
      called.push(method);
      return received;
    };
    const handlers = new Proxy({}, { get: (_, method) => echo(String(method)) });
    const fetch = async (url: string, { body }: { readonly body: string }): Promise<Response> => {
      const served = await serve(handlers, null, url.slice("http://memory".length), JSON.parse(body));
      return new Response(`${JSON.stringify(served?.body)}\n`);
    };
    const client = new (module[service] as new (...args: unknown[]) => { readonly queryKey: object })(
      "http://memory",
      fetch,
    );
    const methods = Object.keys(client.queryKey);
    for (const method of methods)
      answers.push(await answerOf((client as unknown as Record<string, Ask>)[method] as Ask, req));
    // Only classes of clients have members of their own.
    expect(called).toEqual(
      methods.map((name) => (/^(?:new|__proto__)\$/.test(name) ? name : name.replace(/\$$/, ""))),
    );
    expect(await client).toBe(client);
  }
  return answers;
}

async function answerOf(ask: Ask, req: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const given = ask(req, { onMessage: resolve, onError: reject });
    if (given instanceof Promise) given.then(resolve, reject);
  });
}

describe.each(["both", "compat", "union"])("with the options of %s", (options) => {
  test.each([
    ["methods", { a: 7 }],
    ["services", { a: 7 }],
    ["structs", { one: { id: 1, next: { id: 2 } }, many: [], by: { a: { id: 3 } } }],
    ["enums", { one: "a", many: ["a"], by: { a: "a" } }],
    ["aliases", { one: [1], many: [[2]], by: { a: [3] } }],
    ["filters", { a: 7 }],
  ])("all methods of %s can be called", async (name, req) => {
    const answers = await callAll(name, options, req);
    expect(answers.length).toBeGreaterThan(name === "filters" ? 1 : 150);
    expect(answers).toEqual(answers.map(() => req));
  });

  test("an integer above 2^53 - 1 is rejected under every name", async () => {
    for (const name of ["structs", "aliases"]) {
      const unsafe = name === "structs" ? { id: 2 ** 53 } : [2 ** 53];
      await expect(callAll(name, options, { one: unsafe, many: [], by: {} })).rejects.toMatchObject({
        code: -4,
      });
    }
  });
});
