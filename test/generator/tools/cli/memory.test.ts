import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Memory } from "../../../../generator/tools/cli/files/memory.ts";
import { fileReader } from "../../../../generator/tools/cli/files/reader.ts";
import { scaffoldHandlers } from "../../../../generator/tools/cli/scaffold/scaffolding.ts";
import type { Call } from "../../../../generator/tools/cli/verb.ts";
import { generate } from "../../../../generator/tools/cli/verbs/generate.ts";
import { editSchema, printSchema, randomSchema } from "../../../fuzz/scaffold/schema.ts";
import { filesIn, writeInto } from "../../../support/folder-files.ts";
import { type Folder, folder } from "../../../support/program.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

/** `npm run fuzz -- memory` runs thousands. */
const count = Number(process.env["MEMORY_EDITS"] ?? 24);
const seed = Number(process.env["MEMORY_SEED"] ?? 20_262);
const timeout = 60_000 + count * 5_000;

test("a process that remembers leaves the files that fresh ones leave, whatever is edited", {
  timeout,
}, async () => {
  const random = seededRandom(seed);
  using remembering = folder({});
  using forgetting = folder({});
  const memory = new Memory();
  let schema = randomSchema(random);
  for (let edit = 0; edit < count; edit++) {
    if (random.below(8) > 0) schema = editSchema(random, schema).schema;
    const files = new Map([...printed(schema, `edit ${random.below(3)}`), ...handEdit(random, remembering)]);
    for (const [name, text] of files) {
      writeInto(remembering.path, name, text);
      writeInto(forgetting.path, name, text);
    }
    await generate.run(callIn(remembering, memory));
    await scaffoldHandlers(callIn(remembering, memory));
    await generate.run(callIn(forgetting));
    await scaffoldHandlers(callIn(forgetting));
    const place = `seed ${seed}, edit ${edit}`;
    expect(filesIn(remembering.path), place).toEqual(filesIn(forgetting.path));
  }
});

function printed(schema: ReturnType<typeof randomSchema>, comment: string): Map<string, string> {
  const types = printSchema({ services: [], structs: schema.structs }, comment).replace(
    "basepath = /rpc\n",
    "",
  );
  const services = printSchema({ services: schema.services, structs: [] }, "");
  const withImport = services.replace("basepath = /rpc\n", "basepath = /rpc\n\nimport\n  - types.ridl\n");
  return new Map([
    ["schema/types.ridl", types],
    ["schema/api.ridl", withImport],
  ]);
}

/** Sometimes a comment is added to a handler. */
function handEdit(random: Random, dir: Folder): ReadonlyMap<string, string> {
  const names = [...filesIn(dir.path).keys()].filter((name) => /^handlers\/.*[.]ts$/.test(name));
  if (names.length === 0 || random.below(2) === 0) return new Map();
  const name = random.pick(names);
  return new Map([[name, `${readFileSync(join(dir.path, name), "utf8")}// Mine.\n`]]);
}

function schemaOf(): Call["schemas"][number] {
  const generation = {
    out: "generated",
    handlers: "handlers",
    targets: ["types", "errors", "server", "validators", "client", "openapi", "json"] as const,
    builtinErrors: {},
    int64: "number" as const,
    timestamps: "string" as const,
    openapi: {},
    otherOuts: [],
  };
  return { path: "schema/api.ridl", strict: false, hashParity: false, lint: {}, filter: {}, generation };
}

function callIn(dir: Folder, memory?: Memory): Call {
  const terminal = { out: () => {}, err: (text: string) => expect.fail(text), errIsTerminal: false };
  const report = {
    terminal,
    format: "text",
    quiet: true,
    colour: false,
    documentOn: "out",
    version: "test",
  } as const;
  const call: Omit<Call, "readAgain"> = {
    options: {},
    schemas: [schemaOf()],
    words: [],
    reader: fileReader(dir.path),
    cwd: dir.path,
    terminal,
    report,
    memory,
  };
  return { ...call, readAgain: () => expect.fail("nothing is read again") };
}
