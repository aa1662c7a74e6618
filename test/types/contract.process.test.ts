/** What the compiler reports when a user's code no longer matches the schema: exactly one error for each mistake. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { project, tsc } from "../compile/project.ts";
import { type Folder, ridlkit } from "../support/program.ts";

const schema = `webrpc = v1
name = shop
version = v1
basepath = /rpc

error 1 NotFound "there is no such thing" HTTP 404
error 2 SoldOut "sold out" HTTP 409
error 3 Unauthorized "who are you?" HTTP 401

type Level: int32
  + default = 3

struct Filter
  - words: []string
    + default.empty = true
  - level?: Level

struct Wish
  - id: uint64
  - most: bigint
    + default = 100
  - filter: Filter

struct Left
  - left: uint32

service Shop
  - Buy(id: uint64) => (left: uint32) errors NotFound | SoldOut
  - Look(id: uint64) => (name: string) errors NotFound
  - Seek(Wish) => (Left)
`;

const handlers = `import { createServer, type Handlers, rpcError } from "./generated/server.ts";

const handlers: Handlers = {
  Shop: {
    Buy: (ctx, { id }) => {
      if (id === 0) return ctx.errors.NotFound();
      if (id > 9) return ctx.errors.SoldOut();
      return { left: 10 - id };
    },
    Look: (ctx, { id }) => (id === 0 ? ctx.errors.NotFound() : { name: \`thing \${id}\` }),
    Seek: (_ctx, { most, filter }) => ({ left: Number(most) + filter.level + filter.words.length }),
  },
};

export const server: unknown = createServer(handlers);
export const made: Error = rpcError.NotFound();
`;

const caller = `import { type Client, match, result } from "./generated/client.ts";
import { buy, seek } from "./generated/client.ts";

export async function tryToBuy(client: Client, id: number): Promise<string> {
  await seek(client, { id, filter: {} });
  return match(await result(buy(client, { id })), {
    ok: ({ left }) => \`\${left} left\`,
    NotFound: () => "no such thing",
    SoldOut: () => "too late",
    Unauthorized: ({ msg }) => msg,
    WebrpcEndpoint: ({ msg }) => msg,
    WebrpcRequestFailed: ({ msg }) => msg,
    WebrpcBadRoute: ({ msg }) => msg,
    WebrpcBadMethod: ({ msg }) => msg,
    WebrpcBadRequest: ({ msg }) => msg,
    WebrpcBadResponse: ({ msg }) => msg,
    WebrpcServerPanic: ({ msg }) => msg,
    WebrpcInternalError: ({ msg }) => msg,
    WebrpcClientAborted: ({ msg }) => msg,
  });
}
`;

/** Each version has its generated code, and the handlers and the caller of the unchanged schema. */
const versions = {
  unchanged: { text: schema },
  removed: { text: schema.replace(/error 2 .*\n/, "").replace(" | SoldOut", "") },
  removedFromMethod: { text: schema.replace(" | SoldOut", "") },
  added: {
    text: schema
      .replace("error 3", 'error 4 Broken "broken"\nerror 3')
      .replace("| SoldOut", "| SoldOut | Broken"),
  },
};

type Mistake = readonly [name: string, from: string | RegExp, to: string, complaint: RegExp];

const callerMistakes: readonly Mistake[] = [
  ["a case is forgotten", /.*SoldOut: .*\n/, "", /Property 'SoldOut' is missing in type/s],
  ["success is forgotten", /.*ok: .*\n/, "", /Property 'ok' is missing in type/],
  ["a case is misspelled", "SoldOut:", "SoldOt:", /"SoldOt is not an error of this method"/],
  [
    "an answer is of another type",
    '"too late"',
    "5",
    /'string \| number' is not assignable to type 'string'/,
  ],
  ["a field without a default is left out", "filter: {} }", "}", /Property 'filter' is missing/],
];

const handlerMistakes: readonly Mistake[] = [
  [
    "a handler is missing",
    /.*Look: .*\n/,
    "",
    /Property 'Look' is missing in type .* but required in type 'ShopHandlers/,
  ],
  [
    "a handler is misspelled",
    /Look: .*/,
    'Lok: () => ({ name: "" }),',
    /'Lok' does not exist in type 'ShopHandlers<unknown>'. Did you mean to write 'Look'\?/,
  ],
  [
    "an error of another method is made",
    /Look: .*/,
    "Look: (ctx) => ctx.errors.SoldOut(),",
    /Property 'SoldOut' does not exist on type 'ErrorMakers<"NotFound">'/,
  ],
  [
    "an error of another method is brought",
    /Look: .*/,
    "Look: () => rpcError.SoldOut(),",
    /Type '"SoldOut"' is not assignable to type '"NotFound"'/,
  ],
  [
    "a field of the answer is missing",
    "{ left: 10 - id }",
    "{}",
    /^\(5,.*is not assignable to type .*BuyResponse/s,
  ],
];

let made: Folder;

/** One text per error, sorted by file. Explanations are indented. */
let complaints: readonly string[];

// One program, because the types of the language and of Node.js take most of the time.
beforeAll(async () => {
  made = await project([], { lib: ["es2023"], types: ["node"] });
  for (const [version, { text }] of Object.entries(versions)) {
    write(`${version}/handlers.ts`, handlers);
    write(`${version}/caller.ts`, caller);
    await generate(version, text);
  }
  for (const mistake of callerMistakes) writeMistake("caller", caller, mistake);
  for (const mistake of handlerMistakes) writeMistake("server", handlers, mistake);
  complaints = compile();
});

afterAll(() => made[Symbol.dispose]());

test("the unchanged project compiles", () => expect(complaintsIn("unchanged/")).toEqual([]));

describe("an error that is removed from the schema", () => {
  test("breaks the handler that raises it and the match that names it, each once", () => {
    expect(complaintsIn("removed/")).toEqual([
      expect.stringMatching(/^caller.ts\(9,.*"SoldOut is not an error of this method"/s),
      expect.stringMatching(
        /^handlers.ts\(7,.*Property 'SoldOut' does not exist on type 'ErrorMakers<"NotFound">'/,
      ),
    ]);
  });

  test("breaks the handler that raises it even if the schema still has it elsewhere", () => {
    expect(complaintsIn("removedFromMethod/")).toEqual([
      expect.stringMatching(/^handlers.ts.*'SoldOut' does not exist/),
    ]);
  });
});

test("an error that is added to a method breaks the match that lacks it, once", () => {
  expect(complaintsIn("added/")).toEqual([
    expect.stringMatching(/^caller.ts\(6,.*Property 'Broken' is missing in type/s),
  ]);
});

test.each(callerMistakes)("a caller: %s", (name, _from, _to, complaint) => {
  expect(complaintsIn(mistakePath("caller", name))).toEqual([expect.stringMatching(complaint)]);
});

test.each(handlerMistakes)("a server: %s", (name, _from, _to, complaint) => {
  expect(complaintsIn(mistakePath("server", name))).toEqual([expect.stringMatching(complaint)]);
});

function write(path: string, text: string): void {
  const file = join(made.path, "src", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function writeMistake(side: "caller" | "server", text: string, [name, from, to]: Mistake): void {
  const changed = text.replace(from, to).replaceAll("./generated/", "../unchanged/generated/");
  write(mistakePath(side, name), changed);
}

function mistakePath(side: "caller" | "server", name: string): string {
  return `mistakes/${side}-${name.replaceAll(" ", "-")}.ts`;
}

async function generate(version: string, text: string): Promise<void> {
  write(`${version}/shop.ridl`, text);
  const args = ["generate", "--quiet", "shop.ridl", "--out", "generated"];
  const { code, err } = await ridlkit(args, { cwd: join(made.path, "src", version) });
  if (code !== 0) throw new Error(err);
}

/** The complaints about a file or folder, without its path. */
function complaintsIn(path: string): readonly string[] {
  const prefix = `src/${path}`;
  return complaints.filter((text) => text.startsWith(prefix)).map((text) => text.slice(prefix.length));
}

function compile(): readonly string[] {
  let text = "";
  try {
    execFileSync(process.execPath, [tsc, "-p", "."], { cwd: made.path, encoding: "utf8" });
  } catch (err) {
    text = (err as { readonly stdout: string }).stdout;
  }
  return text
    .trimEnd()
    .split(/\n(?! )/)
    .filter((complaint) => complaint !== "");
}
