/** What scaffolding makes of handlers in every supported form, compared with checked-in texts. */
import * as morph from "ts-morph";
import { expect, test } from "vitest";
import { contractOf } from "../../../generator/handlers/contract.ts";
import { handlerPath, moduleOf, specifierTo } from "../../../generator/handlers/folders.ts";
import { applyEdits, distinctEdits } from "../../../generator/handlers/insert.ts";
import { readSyncState } from "../../../generator/handlers/sync-state.ts";
import type { UpdateInput } from "../../../generator/handlers/task.ts";
import { type HandlersUpdate, updateHandlers } from "../../../generator/handlers/update-handlers.ts";
import {
  importHandler,
  importType,
  registryText,
  stubText,
} from "../../../generator/handlers/written-code.ts";
import type { Files } from "../../support/memory-reader.ts";
import { planOf } from "../../support/sample-plan.ts";

const schema = `webrpc = v1
name = t
version = v1
basepath = /rpc

struct Pet
  - id: uint64
  - name: string

struct Kind
  - label: string

service Pets
  - Get(id: uint64) => (pet: Pet)
  - Put(pet: Pet) => ()
  - Watch(kind: Kind) => stream (pet: Pet)

service Shops
  - Open(name: string) => (isOpen: bool)
  - Close(name: string) => (isOpen: bool, at: timestamp)
`;

/** Handlers as an object, a class, a module, and functions with declared types. */
const object: Files = {
  "handlers/handlers.ts": `#!/usr/bin/env node
import type { Handlers } from "../generated/server.ts";
import type { Pet, Kind as Sort } from "../generated/types.ts";

const known: Pet[] = [];
const sorts: Sort[] = [];

export const handlers: Handlers = {
  Pets: {
    Get: async (_ctx, { id }) => ({ pet: known.find((each) => each.id === id) as Pet }), // first
    async Put() {
      return {};
    },
    // streams
    Watch: async function* () {},
  },
  Shops: { Open: async () => ({ isOpen: true }), Close: async () => ({ isOpen: false, at: "" }) },
};
`,
};

const mixed: Files = {
  "handlers/pets.ts": `import type { PetsHandlers } from "../generated/server.ts";
import type { Pet } from "../generated/types.ts";

export class Pets implements PetsHandlers {
\tGet: PetsHandlers["Get"] = async () => ({ pet: this.#pet() });
\tPut: PetsHandlers["Put"] = async () => ({});
\tWatch: PetsHandlers["Watch"] = async function* () {};

\t#pet(): Pet {
\t\treturn { id: 1, name: "Tom" };
\t}
}
`,
  "handlers/Shops/Open.ts": `import type { ShopsHandlers } from "../../generated/server.ts";

export const open: ShopsHandlers["Open"] = async () => ({ isOpen: true });
`,
  "handlers/Shops/Close.ts": `import type { ShopsHandlers } from "../../generated/server.ts";

export const close: ShopsHandlers["Close"] = async () => ({ isOpen: false, at: "" });
`,
  "handlers/shops.ts": `export { close as Close } from "./Shops/Close.js";
export { open as Open } from "./Shops/Open.js";
`,
  "handlers/handlers.ts": `import type { Handlers } from "../generated/server.js";
import { Pets } from "./pets.js";
import * as Shops from "./shops.js";

export const handlers: Handlers = { Pets: new Pets(), Shops };
`,
};

const contract = (text: string) => contractOf(planOf({ "m.ridl": text }, "m.ridl"));

interface Options extends Partial<UpdateInput> {
  readonly from?: string;
}

function merged(files: Files, now: string, { from = schema, ...options }: Options = {}): HandlersUpdate {
  const input = {
    root: "handlers",
    cwd: "/project",
    generated: "generated",
    files: new Map(Object.entries(files)),
    isChosen: () => true,
  };
  const first = updateHandlers({ ...input, contract: contract(from), lastSync: undefined }, morph);
  const lastSync = readSyncState(first.syncState ?? "");
  return updateHandlers({ ...input, contract: contract(now), lastSync, ...options }, morph);
}

function shown({ changed, added, moved, stubs, findings, syncState }: HandlersUpdate): string {
  const texts = [...changed].map(([path, text]) => [`changed ${path}`, text]);
  const news = [...added].map(([path, text]) => [`added ${path}`, text]);
  return [
    ...[...moved].map(([from, to]) => `moved ${from} to ${to}`),
    `stubs: ${stubs.join(" ")}`,
    ...findings.map(({ name, message, at, advice, notes }) =>
      `${name} ${at?.file.path}:${at?.span.start}: ${message} ${advice ?? ""} ${notes.map((note) => `${note.message} ${note.at?.file.path}:${note.at?.span.start}`).join(" ")}`.trimEnd(),
    ),
    ...[...texts, ...news].flatMap(([title, text = ""]) => [`--- ${title}`, text.trimEnd()]),
    "--- state",
    (syncState ?? "").replaceAll(/"shape":"[^"]+"/g, '"shape":"…"').trimEnd(),
    "",
  ].join("\n");
}

const replaced = (...pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((text, [from, to]) => text.replaceAll(from, to), schema);

const edits: Readonly<Record<string, string>> = {
  nothing: schema,
  "a method more in each service": replaced(
    ["  - Put(", "  - Count() => (count: uint32)\n  - Put("],
    ["  - Open(", "  - Find() => stream (name: string)\n  - Open("],
  ),
  "a renamed method": replaced(["- Get(", "- Read("], ["- Close(", "- Shut("]),
  "a method that says its former name": replaced([
    "  - Put(pet: Pet)",
    "  @renamedFrom:Put\n  - Store(pet: Pet, force: bool)",
  ]),
  "a renamed service": replaced(["service Pets", "service Animals"], ["service Shops", "service Stores"]),
  "renamed types": replaced(["struct Pet", "struct Animal"], [": Pet)", ": Animal)"], ["Kind", "Sort"]),
  "a method less": replaced(
    ["  - Put(pet: Pet) => ()\n", ""],
    ["  - Open(name: string) => (isOpen: bool)\n", ""],
  ),
  "a service less": schema.slice(0, schema.indexOf("service Shops")),
  "a service more": `${schema}\nservice Clinics\n  - Heal(pet: Pet) => ()\n  - Open(name: string) => ()\n`,
};

test.each(Object.entries(edits))("the handlers follow %s", async (name, now) => {
  const path = `golden/${name.replaceAll(" ", "-")}.txt`;
  const texts = [object, mixed].map((files) => shown(merged(files, now)));
  await expect(texts.join("\n======\n\n")).toMatchFileSnapshot(path);
});

const options: Readonly<Record<string, readonly [Files, Options]>> = {
  "no handlers": [{}, {}],
  "no handlers, imports of .js": [{}, { importSuffix: ".js" }],
  "some methods chosen": [{}, { isChosen: (_service, method) => method === "Get" || method === "Open" }],
  "a type of the host": [
    object,
    { context: { name: "Caller", path: "auth/caller.ts", specifier: "../auth/caller.ts" } },
  ],
  "a type of the host in new handlers": [{}, { context: { name: "PetsHandlers", specifier: "@acme/auth" } }],
  "another output folder": [mixed, { generated: "api/generated" }],
  "a file that cannot be read": [
    { ...mixed, "handlers/pets.ts": "export class {", "handlers/a.ts": "let" },
    {},
  ],
  "two handlers of one method": [
    { ...mixed, "handlers/Shops/Open2.ts": mixed["handlers/Shops/Open.ts"] ?? "" },
    {},
  ],
  "a handler that nothing gathers": [
    {
      "handlers/Pets/Get.ts": "export const read = 1;\n",
      "handlers/Pets/Put.ts": "export const a = 1, b = 2;\n",
    },
    {},
  ],
};

test.each(Object.entries(options))("with %s", async (name, [files, more]) => {
  const path = `golden/with-${name.replaceAll(/\W+/g, "-")}.txt`;
  await expect(shown(merged(files, schema, more))).toMatchFileSnapshot(path);
});

test.each(["./Shops/Open.js", "./Shops/Open.ts", "./Shops/Open"])(
  "a deleted handler that %s still imports is written again",
  (specifier) => {
    const { "handlers/Shops/Open.ts": _, ...others } = mixed;
    const shops = mixed["handlers/shops.ts"]?.replace("./Shops/Open.js", specifier) ?? "";
    const { stubs, added } = merged({ ...others, "handlers/shops.ts": shops }, schema);
    expect(stubs).toEqual(["Shops.Open"]);
    expect([...added.keys()]).toEqual(["handlers/Shops/Open.ts"]);
  },
);

test.each([
  ["handlers", "Pets", "Get", "handlers/Pets/Get.ts"],
  ["handlers", "v1/Pets", "get-all", "handlers/V1Pets/get-all.ts"],
  [".", "$a_b-c", "Get", "$a_b-c/Get.ts"],
])("in %s, the handler of %s.%s is %s", (root, service, method, path) => {
  expect(handlerPath(root, service, method)).toBe(path);
});

test.each([
  ["a/b.ts", "a/c.ts", "./b.ts"],
  ["a/b.ts", "a/x/c.ts", "../b.ts"],
  ["a/x/b.ts", "c.ts", "./a/x/b.ts"],
  ["a/b.ts", "../other/c.ts", "../project/a/b.ts"],
])("from %2$s, %1$s is imported", (target, from, specifier) => {
  expect(specifierTo({ cwd: "/project" }, target, from)).toBe(specifier);
});

test.each<[string, object | undefined]>([
  ["../generated/server.ts", { folder: "generated", module: "server", extension: ".ts" }],
  ["../generated/server", { folder: "generated", module: "server", extension: "" }],
  ["../generated", { folder: "generated", module: "", extension: "" }],
  ["../generated-old/types.ts", undefined],
  ["./types.ts", undefined],
  ["#generated/server", { folder: "", module: "server", extension: "" }],
  ["@api/generated/server.js", { folder: "", module: "server", extension: ".js" }],
  ["@api/generated/server/deep", undefined],
  ["generated/types", { folder: "", module: "types", extension: "" }],
  ["generated/other", undefined],
  ["koa", undefined],
])("the generated module of %s", (specifier, expected) => {
  const folders = ["generated", "#generated"];
  expect(moduleOf("handlers/a.ts", specifier, folders, { cwd: "/project" })).toEqual(expected);
});

test("edits keep their order, are applied once, and must not overlap", () => {
  const edit = (start: number, end: number, text: string) => ({ path: "a", span: { start, end }, text });
  expect(applyEdits("abc", [edit(3, 3, "!"), edit(1, 1, "y"), edit(1, 1, "z"), edit(1, 2, "x")])).toBe(
    "ayzxc!",
  );
  expect(() => applyEdits("abc", [edit(0, 2, ""), edit(1, 3, "")])).toThrow("overlap");
  expect(
    distinctEdits([edit(0, 1, "a"), edit(0, 1, "a"), edit(0, 1, "b"), edit(0, 2, "a"), edit(1, 1, "a")]),
  ).toHaveLength(4);
});

test("names that are taken get others", () => {
  const taken = new Set(["get", "Caller"]);
  const handler = { service: "v1/Pets", functionName: "get", exportName: "get", specifier: "./a.ts" };
  expect([
    importHandler(handler, taken).line,
    importHandler(handler, taken).line,
    importHandler({ ...handler, functionName: "put", exportName: "put" }, taken).line,
    importType({ name: "Caller", specifier: "a" }, taken).line,
    importType({ name: "Other", specifier: "a" }, taken).line,
  ]).toEqual([
    'import { get as getOfv1Pets } from "./a.ts";',
    'import { get as getOfv1Pets2 } from "./a.ts";',
    'import { put } from "./a.ts";',
    'import type { Caller as Caller2 } from "a";',
    'import type { Other } from "a";',
  ]);
});

test("stubs and the file that gathers them are texts of one form", () => {
  const stub = {
    service: "Pets",
    method: "get-all",
    functionName: "getAll",
    handlers: "PetsHandlers",
    specifier: "../s.ts",
  };
  const context = { name: "Caller", specifier: "../c.ts" };
  const texts = [
    stubText({ ...stub, isStream: false, context: undefined }),
    stubText({ ...stub, isStream: true, context }),
    registryText({
      specifier: "../s.ts",
      context,
      handlers: ["get-all", "Put"].map((method) => ({
        ...stub,
        method,
        exportName: "x",
        functionName: "handlers",
      })),
    }),
  ];
  expect(texts.join("\n")).toMatchInlineSnapshot(`
    "import type { PetsHandlers } from "../s.ts";

    export const getAll: PetsHandlers["get-all"] = async (_ctx, _req) => {
      throw new Error("Pets.get-all is not implemented yet.");
    };

    import type { PetsHandlers } from "../s.ts";
    import type { Caller } from "../c.ts";

    export const getAll: PetsHandlers<Caller>["get-all"] = async function* (_ctx, _req) {
      throw new Error("Pets.get-all is not implemented yet.");
    };

    import type { Handlers } from "../s.ts";
    import type { Caller } from "../c.ts";
    import { x as handlersOfPets } from "../s.ts";
    import { x as handlersOfPets2 } from "../s.ts";

    /** Pass these to \`createServer\`. */
    export const handlers: Handlers<Caller> = {
      Pets: {
        "get-all": handlersOfPets,
        Put: handlersOfPets2,
      },
    };
    "
  `);
});

test.each([
  ["", false],
  ["{", false],
  ["[]", false],
  ['[{"generated":1}]', false],
  ['[{"generated":"g"}]', true],
  ['[{"generated":"g"},{"type":"A","shape":"x"}]', true],
  ['[{"generated":"g"},{"type":"A","shape":1}]', false],
  ['[{"generated":"g"},{"other":"A"}]', false],
  ['[{"generated":"g"},[]]', false],
  ['[{"generated":"g"},{"service":"S","handlers":"H"}]', true],
  ['[{"generated":"g"},{"service":"S"}]', false],
  ['[{"generated":"g"},{"service":"S","handlers":"H"},{"service":"S","method":"M"}]', false],
  ['[{"generated":"g"},{"service":"S","method":"M"}]', true],
  ['{"generated":"g","services":{},"types":{}}', false],
  [
    '[{"generated":"g"}\n<<<<<<< HEAD\n,{"type":"A","shape":"x"}\n||||||| base\n=======\n,{"type":"A","shape":"y"}\n>>>>>>> other\n]',
    true,
  ],
  ['[{"generated":"g"}\n<<<<<< HEAD\n]', false],
])("the state %j can be read: %s", (text, isRead) => {
  expect(readSyncState(text) !== undefined).toBe(isRead);
});

test("of entries that occur twice, the last one counts", () => {
  const state = readSyncState('[{"generated":"g"},{"type":"A","shape":"x"},{"type":"A","shape":"y"}]');
  expect(state?.contract.types).toEqual({ A: "y" });
});
