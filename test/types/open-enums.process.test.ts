/** What the compiler reports about enum values, with open and closed enums: an error for each mistake. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { project, tsc } from "../compile/project.ts";
import { type Folder, ridlkit } from "../support/program.ts";

const schema = `webrpc = v1
name = pets
version = v1
basepath = /rpc

enum Kind: uint8
  - cat
  - dog

type Sort: Kind
type Path: []Kind

struct Filter
  - kind: Kind
  - kinds?: []Kind
  - limit?: uint8
    + default = 10

struct Page
  - order: Kind
  - size?: uint8
    + default = 10

struct Pet
  - kind: Kind
  - sort?: Sort
  - ended: Kind
    + nullable = always
  - all: []Kind
  - path: Path
  - ages: map<Kind,uint8>
  - kinds: map<string,Kind>
  - next?: Pet

service Pets
  - Find(Filter) => (Pet)
  - List(page: Page) => (page: Page, pets: []Pet)
  - Watch() => stream (kind: Kind)
`;

/** Code that compiles with open enums. The first line of each group is numbered by its comment. */
const caller = `import { isOneOf, type Client, find, list, watch } from "./generated/client.ts";
import { Kind, type Pet, type Sort } from "./generated/types.ts";

const names: Record<Kind, string> = { cat: "Cat", dog: "Dog" };

export function nameOf(pet: Pet): string {
  return isOneOf(Kind, pet.kind) ? names[pet.kind] : pet.kind;
}

export function every(pet: Pet): string {
  if (!isOneOf(Kind, pet.kind)) return pet.kind;
  switch (pet.kind) {
    case "cat":
      return "Cat";
    case "dog":
      return "Dog";
  }
}

export async function call(client: Client): Promise<readonly Kind[]> {
  const pet = await find(client, { kind: "cat" });
  const unknown: Pet = { ...pet, kind: "axolotl", sort: "axolotl", ended: "axolotl" };
  const parts: Pet = { ...unknown, all: ["axolotl"], path: ["axolotl"], kinds: { a: "axolotl" } };
  const ages: number | undefined = pet.ages["axolotl"] ?? pet.ages.cat;
  const { page } = await list(client, { page: { order: "cat" } });
  await list(client, { page });
  for await (const { kind } of watch(client)) console.log(parts, ages, kind === "axolotl");
  return pet.all.filter((kind) => isOneOf(Kind, kind));
}

export const sort: Sort = "cat";
`;

const handlers = `import { createServer, type Handlers } from "./generated/server.ts";
import type { Kind } from "./generated/types.ts";

const names: Record<Kind, string> = { cat: "Cat", dog: "Dog" };
const pet = { ended: null, all: [], path: [], ages: {}, kinds: {} };

const handlers: Handlers = {
  Pets: {
    Find: (_ctx, { kind, kinds = [] }) => {
      console.log(names[kind], kinds.map((one) => names[one]));
      switch (kind) {
        case "cat":
          return { ...pet, kind };
        case "dog":
          return { ...pet, kind };
      }
    },
    List: (_ctx, { page }) => ({ page: { ...page, order: names[page.order] === "Cat" ? "cat" : "dog" }, pets: [] }),
    async *Watch() {
      yield { kind: "cat" };
    },
  },
};

export const server: unknown = createServer(handlers);
`;

type Mistake = readonly [name: string, from: string, to: string, complaint: RegExp];

const callerMistakes: readonly Mistake[] = [
  ["a typo in a request", 'find(client, { kind: "cat" })', 'find(client, { kind: "cta" })', /'"cta"'/],
  [
    "a typo in a list of a request",
    '{ kind: "cat" }',
    '{ kind: "cat", kinds: ["cta"] }',
    /'"cta"' is not assignable to type 'Kind'/,
  ],
  [
    "a response used as if it were closed",
    "if (!isOneOf(Kind, pet.kind)) return pet.kind;",
    "",
    /return|undefined/,
  ],
  [
    "a key that may be unknown",
    "isOneOf(Kind, pet.kind) ? names[pet.kind] : pet.kind",
    "names[pet.kind]",
    /TS7053/,
  ],
  ["a typo in a constant of an alias", 'Sort = "cat"', 'Sort = "cta"', /'"cta"' is not assignable/],
];

const handlerMistakes: readonly Mistake[] = [
  [
    "a case of a request that is forgotten",
    '        case "dog":\n          return { ...pet, kind };\n',
    "",
    /TS2322|TS7030/,
  ],
  ["a case of a request that does not exist", 'case "dog"', 'case "dgo"', /'"dgo"' is not comparable/],
];

const forms = {
  open: "types,errors,client,server,validators",
  closed: "types,errors,client,server,validators --enums closed",
  server: "types,server,validators",
};

let made: Folder;
let complaints: readonly string[];

beforeAll(async () => {
  made = await project([], { lib: ["es2023", "dom"], types: ["node"] });
  for (const [form, targets] of Object.entries(forms)) {
    write(`${form}/pets.ridl`, schema);
    write(`${form}/handlers.ts`, handlers);
    if (form !== "server") write(`${form}/caller.ts`, caller);
    const args = [
      "generate",
      "--quiet",
      "pets.ridl",
      "--out",
      "generated",
      "--target",
      ...targets.split(" "),
    ];
    const { code, err } = await ridlkit(args, { cwd: join(made.path, "src", form) });
    if (code !== 0) throw new Error(err);
  }
  for (const [name, from, to] of callerMistakes) writeMistake(name, caller, from, to);
  for (const [name, from, to] of handlerMistakes) writeMistake(name, handlers, from, to);
  writeMistake("a typo in a response", handlers, 'yield { kind: "cat" }', 'yield { kind: "cta" }');
  write("server/typo.ts", handlers.replace('yield { kind: "cat" }', 'yield { kind: "cta" }'));
  complaints = compile();
});

afterAll(() => made[Symbol.dispose]());

describe("open", () => {
  test("callers and handlers compile", () => {
    expect(complaintsIn("open/")).toEqual([]);
  });

  test.each([...callerMistakes, ...handlerMistakes])("%s is reported", (name, _from, _to, complaint) => {
    expect(complaintsIn(`mistakes/${fileOf(name)}`)).toContainEqual(expect.stringMatching(complaint));
  });

  test("a typo in a response is left to checkResponses", () => {
    expect(complaintsIn(`mistakes/${fileOf("a typo in a response")}`)).toEqual([]);
  });
});

test("closed types report every use of an unknown value", () => {
  expect(complaintsIn("closed/handlers.ts")).toEqual([]);
  const lines = complaintsIn("closed/caller.ts").map((text) => /^\((\d+),/.exec(text)?.[1]);
  expect(new Set(lines)).toEqual(new Set(["22", "23", "24", "27"]));
});

test("the types of a server without a client are closed", () => {
  expect(complaintsIn("server/handlers.ts")).toEqual([]);
  expect(complaintsIn("server/typo.ts")).toEqual([expect.stringMatching(/Kind/)]);
});

test("an unknown form is refused", async () => {
  const outcome = await ridlkit(["generate", "pets.ridl", "--out", "x", "--enums", "wide"], {
    cwd: join(made.path, "src/open"),
  });
  expect(outcome).toMatchObject({
    code: 2,
    err: expect.stringContaining('--enums takes open or closed; found "wide".'),
  });
});

function write(path: string, text: string): void {
  const file = join(made.path, "src", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function writeMistake(name: string, text: string, from: string, to: string): void {
  expect(text).toContain(from);
  write(`mistakes/${fileOf(name)}`, text.replace(from, to).replaceAll("./generated/", "../open/generated/"));
}

function fileOf(name: string): string {
  return `${name.replaceAll(" ", "-")}.ts`;
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
