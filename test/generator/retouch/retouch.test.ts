import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isUpToDate, jobOf } from "../../../generator/cli/generation.ts";
import { read } from "../../../generator/cli/making.ts";
import { fileReader } from "../../../generator/cli/reader.ts";
import { retouched } from "../../../generator/cli/retouching.ts";
import type { Call } from "../../../generator/cli/verb.ts";
import { generate } from "../../../generator/cli/verbs/generate.ts";
import { compile } from "../../../generator/compile.ts";
import { randomContract } from "../../fuzz/random-contract.ts";
import { filesIn, writeInto } from "../../support/folder-files.ts";
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
    const timestamps = random.pick(["string", "Date"] as const);
    let text = `${randomContract(random)}\n${random.pick(["", "service Other\n  - Again(Request) => (Answer)\n"])}`;
    for (let step = 0; step < 12 && edit < count; step++, edit++) {
      for (const dir of [keeping, forgetting]) writeInto(dir.path, "api.ridl", text);
      tally[await bringInLine(callIn(keeping, int64, timestamps))]++;
      await generate.run(callIn(forgetting, int64, timestamps));
      expect(generatedIn(keeping), `seed ${seed}, edit ${edit}`).toEqual(generatedIn(forgetting));
      const edited = editText(random, text);
      // Faulty texts are seldom worth a step.
      if (!isFaulty(edited) || random.below(8) === 0) text = edited;
    }
  }
  console.log(tally);
  expect(tally.retouched * 5).toBeGreaterThan(count);
});

const pets = (field: string): string =>
  `webrpc = v1\nname = pets\nversion = v1\nbasepath = /rpc\n\nstruct Pet\n  - ${field}: string\n\nservice Pets\n  - Get() => (pet: Pet)\n`;

test.each<readonly [string, (kept: Buffer) => Buffer | undefined]>([
  ["gone", () => undefined],
  ["cut short", (kept) => kept.subarray(0, kept.length - 9)],
  ["empty", () => Buffer.alloc(0)],
  ["that of somebody else", () => Buffer.from("{}\n{}\n")],
  ["damaged", (kept) => Buffer.from(kept.toString().replace('"schemaHash":"', '"schemaHash":"0'))],
])("what is kept is not needed: %s", async (_, spoil) => {
  using dir = folder({ "node_modules/.keep": "", "api.ridl": pets("name") });
  using fresh = folder({ "api.ridl": pets("nick") });
  await generate.run(callIn(dir, "number"));
  const path = onlyKept(dir);
  const spoilt = spoil(readFileSync(path));
  if (spoilt === undefined) rmSync(join(dir.path, "node_modules"), { recursive: true });
  else writeFileSync(path, spoilt);
  writeInto(dir.path, "api.ridl", pets("nick"));
  expect(await bringInLine(callIn(dir, "number"))).toBe("made");
  await generate.run(callIn(fresh, "number"));
  expect(generatedIn(dir)).toEqual(generatedIn(fresh));
});

test("an edited file is said, and what was kept before another run's files is no longer used", async () => {
  using dir = folder({ "node_modules/.keep": "", "api.ridl": pets("name") });
  await generate.run(callIn(dir, "number"));
  const kept = readFileSync(onlyKept(dir));
  writeInto(dir.path, "api.ridl", pets("nick"));
  expect(await bringInLine(callIn(dir, "number"))).toBe("retouched");
  // As another process leaves it that was slower.
  writeFileSync(onlyKept(dir), kept);
  writeInto(dir.path, "api.ridl", pets("name"));
  expect(await bringInLine(callIn(dir, "number"))).toBe("made");
  const types = join(dir.path, "generated/types.ts");
  writeFileSync(types, `${readFileSync(types, "utf8")}// Mine.\n`);
  writeInto(dir.path, "api.ridl", pets("nick"));
  expect(await generate.run(callIn(dir, "number"))).toBe(1);
  expect(readFileSync(types, "utf8")).toContain("// Mine.");
});

test("of many folders the last sixteen are kept", async () => {
  using dir = folder({ "node_modules/.keep": "", "api.ridl": pets("name") });
  for (let out = 0; out < 20; out++) {
    const call = callIn(dir, "number");
    await generate.run({ ...call, options: { out: `generated/${out}`, target: ["types"] } });
  }
  expect(readdirSync(keptFolder(dir))).toHaveLength(16);
});

function keptFolder({ path }: Folder): string {
  return join(path, "node_modules/.cache/ridlkit");
}

function onlyKept(dir: Folder): string {
  const [name = "", ...others] = readdirSync(keptFolder(dir));
  expect(others).toEqual([]);
  return join(keptFolder(dir), name);
}

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

function callIn(dir: Folder, int64: Int64, timestamps: "string" | "Date" = "string"): Call {
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
    timestamps,
    openapi: {},
    otherOuts: [],
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

/** Without what is kept. */
function generatedIn({ path }: Folder): ReadonlyMap<string, string> {
  return filesIn(join(path, "generated"));
}
