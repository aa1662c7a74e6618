import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { isUpToDate, jobOf } from "../../../generator/cli/generation.ts";
import { read } from "../../../generator/cli/making.ts";
import { fileReader } from "../../../generator/cli/reader.ts";
import { retouched } from "../../../generator/cli/retouching.ts";
import type { Call } from "../../../generator/cli/verb.ts";
import { generate } from "../../../generator/cli/verbs/generate.ts";
import { compile } from "../../../generator/compile.ts";
import { randomContract } from "../../fuzz/random-contract.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import { type Folder, folder } from "../../support/program.ts";
import { seededRandom } from "../../support/random.ts";
import { editText } from "./edits.ts";

/** `npm run fuzz -- retouch` runs thousands. */
const count = Number(process.env["RETOUCH_EDITS"] ?? 40);
const seed = Number(process.env["RETOUCH_SEED"] ?? 20_263);
const timeout = 60_000 + count * 5_000;

test("what is kept of a generation changes no byte of the next one, whatever is edited", {
  timeout,
}, async () => {
  const random = seededRandom(seed);
  const tally = { retouched: 0, made: 0, refused: 0 };
  for (let edit = 0; edit < count; ) {
    using keeping = folder({ "node_modules/.keep": "" });
    using forgetting = folder({});
    const int64 = random.pick(["number", "bigint"] as const);
    let text = `${randomContract(random)}\n${random.pick(["", "service Other\n  - Again(Request) => (Answer)\n"])}`;
    for (let step = 0; step < 12 && edit < count; step++, edit++) {
      for (const dir of [keeping, forgetting]) write(dir, "api.ridl", text);
      tally[await bringInLine(callIn(keeping, int64))]++;
      await generate.run(callIn(forgetting, int64));
      expect(filesIn(keeping), `seed ${seed}, edit ${edit}`).toEqual(filesIn(forgetting));
      const edited = editText(random, text);
      // Faulty texts are seldom worth a step.
      if (!isFaulty(edited) || random.below(8) === 0) text = edited;
    }
  }
  console.log(tally);
  expect(tally.retouched * 5).toBeGreaterThan(count);
});

type Int64 = "number" | "bigint";

async function bringInLine(call: Call): Promise<"retouched" | "made" | "refused"> {
  const [job] = call.schemas.map((schema) => jobOf(schema, call));
  if (job === undefined || isUpToDate(job, call.reader)) return "made";
  const reading = read(job, call);
  const written = await retouched(reading, call);
  if (written !== undefined) return "retouched";
  await generate.run(call);
  return reading.result === undefined ? "refused" : "made";
}

function isFaulty(text: string): boolean {
  return compile("api.ridl", memoryReader({ "api.ridl": text })).result === undefined;
}

function callIn(dir: Folder, int64: Int64): Call {
  const terminal = { out: () => {}, err: () => {}, errIsTerminal: false };
  const report = {
    terminal,
    format: "text",
    quiet: true,
    colour: false,
    documentOn: "out",
    version: "test",
  } as const;
  const generation = {
    out: "generated",
    handlers: "handlers",
    targets: [],
    builtinErrors: {},
    int64,
    openapi: {},
  };
  const call: Omit<Call, "readAgain"> = {
    options: {},
    schemas: [{ path: "api.ridl", strict: false, hashParity: false, lint: {}, filter: {}, generation }],
    words: [],
    reader: fileReader(dir.path),
    cwd: dir.path,
    terminal,
    report,
  };
  return { ...call, readAgain: () => expect.fail("nothing is read again") };
}

function write(dir: Folder, name: string, text: string): void {
  const path = join(dir.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Texts by path, without what is kept. */
function filesIn({ path }: Folder): ReadonlyMap<string, string> {
  const entries = readdirSync(join(path, "generated"), { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  return new Map(files.sort().map((name) => [name.slice(path.length), readFileSync(name, "utf8")]));
}
