import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../../generator/codegen/plan/json.ts";
import { compile } from "../../../generator/language/compile.ts";
import { type LoadedContract, loadInMemory } from "../../../generator/verify/in-memory/load.ts";
import { memoryReader } from "../../support/memory-reader.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { canMount, smallDisk } from "../../support/small-disk.ts";

/** Has a mark in every position that can have one. */
const schema = `webrpc = v1
name = people
version = v1.0.0
basepath = /rpc

error 1 NotFound "no such person" HTTP 404

type Mail: string
  + pii = true
  + maxLength = 400

type Mails: []Mail

type Tree: map<string,Tree>

struct Home
  - street?: string
    + pii = true
  - town: string

struct Person
  - id: uint64
  - title: string
  - mail: Mail
    + alias = email
  - mails: []Mail
  - others?: Mails
  - byMail: map<string,uint32>
    + pii = true
  - mailOf: map<string,Mail>
  - homes: []Home
  - homeOf: map<string,Home>
  - password?: string
    + secret = true
  - keys?: []string
    + secret = true
  - pin?: uint32
    + secret = true
  - note?: any
  - parent?: Person
  - tree?: Tree

service People
  - Add(Person) => (Person) errors NotFound
  - Watch(Person) => stream (Person)
`;

const canary = "kanarienvogel";

let live: LoadedContract;
let folder: string;
const recorders: AsyncDisposable[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "recorder-"));
  const { result, diagnostics } = compile("api.ridl", memoryReader({ "api.ridl": schema }));
  if (result === undefined) throw new Error(JSON.stringify(diagnostics));
  live = await loadInMemory(result);
});

afterAll(async () => {
  for (const recorder of recorders) await recorder[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Echoes the request, as often as a number in its title says, or fails with an error that quotes it. */
function serve(path: string, options: { maxBytes?: number; tell?: (words: string) => void } = {}) {
  const recorder = live.createRecorder(path, options);
  recorders.push(recorder);
  const handlers = {
    People: {
      Add(ctx: { errors: Record<string, (about: object) => Error> }, person: { title: string }) {
        if (person.title === "none")
          throw ctx.errors["NotFound"]?.({ cause: JSON.stringify(person), expose: true });
        if (person.title === "bug") throw new Error(JSON.stringify(person));
        return person;
      },
      async *Watch(_: unknown, person: { title: string }) {
        for (let count = Number(/^\d+$/.exec(person.title)?.[0] ?? 1); count > 0; count--) yield person;
        if (person.title === "bug") throw new Error(JSON.stringify(person));
      },
    },
  };
  const fetch = live.fetchHandler(live.createServer(handlers, { recorder }));
  const call = async (method: string, body: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://people/rpc/People/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
    return (await fetch(request)).text();
  };
  return { recorder, call };
}

function linesOf(path: string): Record<string, Json>[] {
  const text = readFileSync(path, "utf8");
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, Json>);
}

function person(random: Random, level = 0): Record<string, unknown> {
  const secret = (): string => `${canary}-${random.below(1_000_000)}`;
  return {
    id: random.below(100),
    title: random.pick(["none", "bug", "Anna", "Otto"]),
    [random.pick(["mail", "email"])]: secret(),
    mails: [secret(), secret()],
    byMail: { [secret()]: 1, [secret()]: 2 },
    mailOf: { work: secret() },
    homes: [{ street: secret(), town: "Rio" }],
    homeOf: { first: { street: secret(), town: "Oslo" } },
    ...(random.chance(70) ? { others: [secret()], password: secret(), keys: [secret()], pin: 1234 } : {}),
    ...(random.chance(50)
      ? { note: { [secret()]: secret() }, [`x${secret()}`]: secret(), passwd: secret() }
      : {}),
    ...(level < 2 && random.chance(40) ? { parent: person(random, level + 1) } : {}),
  };
}

/** Every way in which bodies go wrong, with what is secret still where it was. */
function spoilt(text: string, body: Record<string, unknown>, random: Random): string {
  const secret = `${canary}-wrong`;
  return random.pick([
    text,
    text,
    text.slice(0, random.below(text.length)),
    `${text}}`,
    `"${secret}"`,
    `[${text}]`,
    JSON.stringify({ ...body, id: secret, homes: secret }),
    JSON.stringify({ ...body, id: { [secret]: secret }, title: [secret], homes: { [secret]: 1 } }),
    JSON.stringify({ ...body, mail: { [secret]: [secret] }, pin: secret, homeOf: [secret] }),
    JSON.stringify({ ...body, title: { [secret]: secret }, parent: secret, mailOf: { a: [secret] } }),
    `{"__proto__":{"mail":"${secret}"},"constructor":"${secret}","title":{"a":"${secret}"}}`,
  ]);
}

describe("a recording", () => {
  test("contains no marked and no unknown fields in 300 calls", async () => {
    const path = join(folder, "canaries.ndjson");
    const { recorder, call } = serve(path);
    const random = seededRandom(7);
    const headers = {
      authorization: `BEARER ${canary}`,
      cookie: canary,
      "x-access-key": canary,
      webrpc: canary,
    };
    for (let count = 0; count < 300; count++) {
      const body = person(random);
      await call(random.pick(["Add", "Add", "Watch"]), spoilt(JSON.stringify(body), body, random), headers);
    }
    await recorder.written();
    const text = readFileSync(path, "utf8");
    expect(text).not.toContain(canary);
    expect(text).not.toContain("1234,");
    expect(linesOf(path)).toHaveLength(300);
    expect(new Set(linesOf(path).map(({ status }) => status))).toEqual(new Set([200, 400, 404, 500]));
  });

  test("has one line per call, with the bodies as on the wire", async () => {
    const path = join(folder, "plain.ndjson");
    const { recorder, call } = serve(path);
    const sent = {
      id: 7,
      title: "Anna",
      email: "a@b",
      mails: ["x"],
      byMail: { "a@b": 1 },
      mailOf: { w: "a@b" },
    };
    const homes = { homes: [{ town: "Rio" }], homeOf: {} };
    await call("Add", JSON.stringify({ ...sent, ...homes, more: 1, password: null }));
    await call("Watch", JSON.stringify({ ...sent, ...homes, tree: { a: { b: {} } } }));
    await call("Watch", JSON.stringify({ tree: { a: { b: {}, c: "x" }, d: { e: {} } } }));
    await call("Add", "{");
    await recorder.written();
    const [add, watch, misfit, bad] = linesOf(path);
    const kept = {
      id: 7,
      title: "Anna",
      mails: ["[redacted]"],
      byMail: "[redacted]",
      mailOf: { w: "[redacted]" },
    };
    expect(add).toEqual({
      service: "People",
      method: "Add",
      at: expect.stringMatching(/^20.*Z$/),
      ms: expect.any(Number),
      schema: live.plan.schemaHash,
      request: { ...kept, email: "[redacted]", ...homes, password: null },
      status: 200,
      answer: { ...kept, mail: "[redacted]", ...homes },
    });
    expect(watch).toMatchObject({ method: "Watch", status: 200, items: [{ id: 7, tree: { a: { b: {} } } }] });
    const tree = { a: { b: {}, c: "[redacted]" }, d: { e: {} } };
    expect(misfit).toMatchObject({ method: "Watch", status: 400, request: { tree } });
    expect(bad).toMatchObject({
      status: 400,
      error: { error: "WebrpcBadRequest", code: -4 },
      left: { request: "not JSON" },
    });
  });

  test.each([19, 20, 21])("has at most 20 of %i items of a stream", async (count) => {
    const path = join(folder, `items-${count}.ndjson`);
    const { recorder, call } = serve(path);
    const lists = { mails: [], byMail: {}, mailOf: {}, homes: [], homeOf: {} };
    await call("Watch", JSON.stringify({ id: 1, title: `${count}`, mail: "a@b", ...lists }));
    await recorder.written();
    expect(linesOf(path)[0]).toMatchObject({ items: { length: Math.min(count, 20) } });
  });

  test("ends with a message and a complete line at its size limit", async () => {
    const path = join(folder, "bounded.ndjson");
    const words: string[] = [];
    const { recorder, call } = serve(path, { maxBytes: 5_000, tell: (one) => words.push(one) });
    for (let count = 0; count < 60; count++) await call("Add", JSON.stringify(person(seededRandom(count))));
    await recorder.written();
    expect(words).toEqual([`the recording ${path} ended early: the file reached its limit of 5000 bytes`]);
    expect(statSync(path).size).toBeLessThanOrEqual(5_000);
    expect(linesOf(path).length).toBeGreaterThan(2);
  });

  test("continues after the last complete line of an existing file", async () => {
    const path = join(folder, "again.ndjson");
    writeFileSync(path, '{"service":"People"}\n{"service":"Peo');
    const { recorder, call } = serve(path);
    await call("Add", "{");
    await recorder.written();
    expect(linesOf(path).map(({ service, method }) => `${service}.${method}`)).toEqual([
      "People.undefined",
      "People.Add",
    ]);
  });

  test("does not modify a file that is not a recording", async () => {
    const path = join(folder, "notes.txt");
    writeFileSync(path, "first line\nno line end");
    const words: string[] = [];
    const { recorder, call } = serve(path, { tell: (one) => words.push(one) });
    for (let count = 0; count < 3; count++) expect(await call("Add", "{")).toContain("WebrpcBadRequest");
    await recorder.written();
    expect(words).toEqual([`the recording ${path} ended early: the file is not a recording`]);
    expect(readFileSync(path, "utf8")).toBe("first line\nno line end");
  });

  test("that cannot be written is reported once and fails no call", async () => {
    const words: string[] = [];
    const { recorder, call } = serve(join(folder, "no/such/folder.ndjson"), {
      tell: (one) => words.push(one),
    });
    for (let count = 0; count < 5; count++) expect(await call("Add", "{")).toContain("WebrpcBadRequest");
    await recorder.written();
    expect(words).toEqual([expect.stringContaining("ENOENT")]);
  });

  test.runIf(canMount)("ends with a whole line where the disk is full, and fails no call", async () => {
    using disk = smallDisk("32k");
    const path = join(disk?.folder ?? "", "full.ndjson");
    const words: string[] = [];
    const { recorder, call } = serve(path, { tell: (one) => words.push(one) });
    for (let count = 0; count < 150; count++) {
      const answer = await call("Add", JSON.stringify({ ...person(seededRandom(count)), title: "Anna" }));
      expect(answer).toContain("Anna");
    }
    await recorder.written();
    expect(words).toEqual([expect.stringContaining("ENOSPC")]);
    expect(linesOf(path).length).toBeGreaterThan(10);
  });
});
