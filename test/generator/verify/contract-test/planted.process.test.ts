import { beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../../generator/language/compile.ts";
import type {
  Finding,
  Send,
  TestCall,
  TestResponse,
} from "../../../../generator/verify/contract-test/call.ts";
import { Suite } from "../../../../generator/verify/contract-test/suite.ts";
import { type LoadedContract, loadInMemory } from "../../../../generator/verify/in-memory/load.ts";
import { ResponseValidator } from "../../../../generator/verify/responses/response-validator.ts";
import { memoryReader } from "../../../support/memory-reader.ts";
import { bugs, rightShelf, type Shelf } from "./shelf.ts";
import { cachedShelf, routedShelf, shelf } from "./shelf-schema.ts";

interface Contract {
  readonly live: LoadedContract;
  readonly responses: ResponseValidator;
}

const contracts = new Map<string, Contract>();

beforeAll(async () => {
  for (const text of [shelf, routedShelf, cachedShelf]) {
    const { result } = compile("api.ridl", memoryReader({ "api.ridl": text }));
    if (result === undefined) throw new Error("the contract has a fault");
    const live = await loadInMemory(result);
    const responses = await ResponseValidator.of(live.jsonSchema, { checksFormats: true });
    contracts.set(text, { live, responses });
  }
});

/** The generated server over a shelf. A validation bug sits behind it, and accepts requests that the server rejected. */
function sendTo({ live }: Contract, shelf: Shelf): Send {
  const handlers = {
    Shelf: {
      AddBook: shelf.add,
      GetBook: shelf.get,
      ListBooks: shelf.list,
      RenameBook: shelf.rename,
      DropBook: shelf.drop,
    },
  };
  const guard = (call: {
    method: { name: string };
    header(name: string): string | undefined;
    errors: Record<string, () => Error>;
  }) => {
    if (!shelf.open.has(call.method.name) && call.header("authorization") !== "BEARER t")
      throw call.errors["Unauthorized"]?.();
  };
  const fetch = live.fetchHandler(live.createServer(handlers, { guards: [guard] }));
  return async ({ verb = "POST", path, body, withoutCredentials, headers: more }) => {
    const headers = {
      ...more,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(withoutCredentials ? {} : { authorization: "BEARER t" }),
    };
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(new Request(`http://shelf${path}`, { method: verb, headers, body: text }));
    const lists = path.endsWith("ListBooks") || (verb === "GET" && path.startsWith("/rpc/books?"));
    if (!shelf.validates && response.status === 400 && lists)
      return { status: 200, text: '{"books":[],"more":false}', contentType: "application/json" };
    return {
      status: response.status,
      text: verb === "HEAD" ? "" : await response.text(),
      contentType: response.headers.get("content-type") ?? "",
      allow: response.headers.get("allow") ?? undefined,
      etag: response.headers.get("etag") ?? undefined,
      cacheControl: response.headers.get("cache-control") ?? undefined,
      vary: response.headers.get("vary") ?? undefined,
    };
  };
}

const options = {
  seed: 1,
  count: 20,
  readOnly: false,
  isTimeUp: () => false,
  isSelected: () => true,
  sendsCredentials: true,
};

function findingsOf(
  schema: string,
  shelf: Shelf,
  change: (send: Send) => Send = (send) => send,
  count: number = options.count,
): Promise<readonly Finding[]> {
  const contract = contracts.get(schema);
  if (contract === undefined) throw new Error("not loaded");
  const { live, responses } = contract;
  return new Suite(
    { plan: live.plan, responses, send: change(sendTo(contract, shelf)) },
    { ...options, count },
  ).run();
}

const schemas = [
  ["without routes", shelf],
  ["with routes", routedShelf],
  ["with reads", cachedShelf],
] as const;

test.each(schemas)("a correct server %s has no findings", async (_name, schema) => {
  expect(await findingsOf(schema, rightShelf())).toEqual([]);
});

describe.each(schemas)(
  "each planted bug of a server %s is found with at most three calls",
  (schemaName, schema) => {
    test("there are at least thirty bugs", () => expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(30));

    test("and reported as before", async () => {
      const lines: string[] = [];
      for (const [name, plant] of Object.entries(bugs)) {
        const shelf = rightShelf();
        plant(shelf);
        const found = await findingsOf(schema, shelf);
        // The contract does not say that omitted fields stay omitted.
        if (name === "no weight becomes zero") expect(found).toEqual([]);
        else expect(found.length, name).toBeGreaterThan(0);
        lines.push(`## ${name}`);
        for (const { rule, method, message, calls } of found) {
          expect(calls.length, name).toBeLessThanOrEqual(3);
          lines.push(`${rule}, ${method}: ${message}`, ...calls.map((call) => `    ${shown(call)}`));
        }
      }
      const path = `golden/findings-${schemaName.replaceAll(" ", "-")}.txt`;
      await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(path);
    });
  },
);

/** Long texts are cut. */
function shown({ verb = "POST", path, body, ...others }: TestCall): string {
  const text = [verb, path, body, Object.keys(others).length === 0 ? undefined : others]
    .filter((part) => part !== undefined)
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

test.each(schemas)("a server %s gets the same calls as before", async (schemaName, schema) => {
  const calls: string[] = [];
  const record =
    (send: Send): Send =>
    (call) => {
      calls.push(shown(call));
      return send(call);
    };
  await findingsOf(schema, rightShelf(), record, 5);
  const path = `golden/calls-${schemaName.replaceAll(" ", "-")}.txt`;
  await expect(`${calls.join("\n")}\n`).toMatchFileSnapshot(path);
});

/** Changes the responses that a server sends to some calls. */
function changing(
  isMeant: (call: TestCall, response: TestResponse) => boolean,
  change: Partial<TestResponse>,
): (send: Send) => Send {
  return (send) => async (call) => {
    const response = await send(call);
    return isMeant(call, response) ? { ...response, ...change } : response;
  };
}

const isDefaultPath = ({ path }: TestCall): boolean => path.startsWith("/rpc/Shelf/");
const methods = ["AddBook", "GetBook", "ListBooks", "RenameBook", "DropBook"].map((name) => `Shelf.${name}`);
const withId = ["Shelf.GetBook", "Shelf.RenameBook", "Shelf.DropBook"];

describe("each bug of routes is found", () => {
  test.each<[string, string, (send: Send) => Send, readonly string[]]>([
    [
      "another verb is served",
      "rejects-other-verbs",
      changing((_, { status }) => status === 405, { status: 200 }),
      methods,
    ],
    [
      "another verb is an unknown path",
      "rejects-other-verbs",
      changing((_, { status }) => status === 405, { status: 404 }),
      methods,
    ],
    [
      "405 has no Allow",
      "rejects-other-verbs",
      changing((_, { status }) => status === 405, { allow: undefined }),
      methods,
    ],
    [
      "Allow lacks the verb",
      "rejects-other-verbs",
      changing((_, { status }) => status === 405, { allow: "PUT, OPTIONS" }),
      methods,
    ],
    ["the default path is served", "rejects-default-path", changing(isDefaultPath, { status: 200 }), methods],
    [
      "a bad value in the path is an unknown path",
      "rejects-bad-url-values",
      changing(({ path }) => path.endsWith("/x"), { status: 404 }),
      withId,
    ],
    [
      "a bad value in the query is ignored",
      "rejects-bad-url-values",
      changing(({ path }) => /[?&]size=x(?:&|$)/.test(path), { status: 200 }),
      ["Shelf.ListBooks"],
    ],
  ])("%s", async (_name, rule, change, expected) => {
    const found = await findingsOf(routedShelf, rightShelf(), change);
    expect([...new Set(found.map((one) => one.rule))]).toEqual([rule]);
    expect(found.map(({ method }) => method).sort()).toEqual([...expected].sort());
    for (const { calls } of found) expect(calls).toHaveLength(1);
  });

  test("a missing credential and a full server hide these bugs, and are no findings", async () => {
    for (const status of [401, 403, 429, 503])
      expect(await findingsOf(routedShelf, rightShelf(), changing(isDefaultPath, { status }))).toEqual([]);
  });
});

const isConditional = ({ headers }: TestCall): boolean => headers !== undefined;
const isRead = (_: TestCall, { cacheControl }: TestResponse): boolean => cacheControl === "max-age=60";

const isReadError = ({ verb }: TestCall, { status }: TestResponse): boolean =>
  verb === "GET" && status >= 400;
const both = ["Shelf.GetBook", "Shelf.ListBooks"];

describe("each bug of reads is found", () => {
  test.each<[string, string, (send: Send) => Send, readonly string[]]>([
    [
      "GET is not served",
      "serves-reads",
      changing(({ path }) => path.includes("?q="), { status: 405 }),
      ["Shelf.ListBooks"],
    ],
    [
      "QUERY is not served",
      "serves-reads",
      changing(({ verb, path }) => verb === "QUERY" && path.endsWith("/ListBooks"), { status: 405 }),
      ["Shelf.ListBooks"],
    ],
    ["Cache-Control is missing", "cache-headers", changing(isRead, { cacheControl: undefined }), both],
    ["Cache-Control is longer", "cache-headers", changing(isRead, { cacheControl: "max-age=61" }), both],
    ["Vary lacks a header", "cache-headers", changing(isRead, { vary: "X-Key" }), both],
    ["ETag is missing", "cache-headers", changing(isRead, { etag: undefined }), both],
    ["HEAD is not served", "serves-reads", changing(({ verb }) => verb === "HEAD", { status: 405 }), both],
    [
      "HEAD has another Cache-Control",
      "cache-headers",
      changing(({ verb }) => verb === "HEAD", { cacheControl: "no-store" }),
      both,
    ],
    ["a condition is ignored", "not-modified", changing(isConditional, { status: 200 }), both],
    ["304 has no ETag", "not-modified", changing(isConditional, { etag: undefined }), both],
    ["304 has no Cache-Control", "not-modified", changing(isConditional, { cacheControl: undefined }), both],
    [
      "304 has no Vary",
      "not-modified",
      changing((_, { status }) => status === 304, { vary: undefined }),
      both,
    ],
    ["the tag of a response changes", "not-modified", withNewTags(false), both],
    ["any condition gets 304", "not-modified", changing(isConditional, { status: 304, text: "" }), both],
    [
      "errors are kept by caches",
      "errors-not-cached",
      changing(isReadError, { cacheControl: "max-age=600" }),
      both,
    ],
    [
      "errors may be kept by caches",
      "errors-not-cached",
      changing(isReadError, { cacheControl: undefined }),
      both,
    ],
  ])("%s", async (_name, rule, change, expected) => {
    const found = await findingsOf(cachedShelf, rightShelf(), change);
    expect([...new Set(found.map((one) => one.rule))]).toEqual([rule]);
    expect(found.map(({ method }) => method).sort()).toEqual(expected);
    for (const { calls } of found) expect(calls).toHaveLength(1);
  });

  test("a response changes, but not its tag", async () => {
    const found = await findingsOf(cachedShelf, rightShelf(), withNewBodies(""));
    expect(found.map(({ rule, method }) => [rule, method]).sort()).toEqual(
      both.map((method) => ["etag-changes", method]),
    );
    for (const { calls } of found) expect(calls).toHaveLength(2);
    expect(await findingsOf(cachedShelf, rightShelf(), withNewBodies("W/"))).toEqual([]);
  });

  test("other words of a proxy, a missing credential and a changed response are no findings", async () => {
    const harmless = [
      changing(isRead, { cacheControl: "Max-Age=60", vary: "Origin, accept-language" }),
      changing(isConditional, { status: 401 }),
      withNewTags(true),
    ];
    for (const change of harmless) expect(await findingsOf(cachedShelf, rightShelf(), change)).toEqual([]);
  });
});

/** A server whose tags differ in each response. */
function withNewTags(changesBody: boolean): (send: Send) => Send {
  let count = 0;
  return (send) => async (call) => {
    const { headers: _condition, ...plain } = call;
    const response = await send(plain);
    if (response.etag === undefined) return response;
    const text =
      changesBody && response.text !== "" ? `${response.text}${" ".repeat(++count)}` : response.text;
    return { ...response, text, etag: `"${++count}"` };
  };
}

/** A server whose bodies differ in each response with a tag. */
function withNewBodies(tagStart: string): (send: Send) => Send {
  let count = 0;
  return (send) => async (call) => {
    const response = await send(call);
    if (response.etag === undefined) return response;
    const text = response.text === "" ? "" : `${response.text}${" ".repeat(++count)}`;
    return { ...response, text, etag: `${tagStart}${response.etag}` };
  };
}

test("read-only tests send no verb that may change data", async () => {
  const { live, responses } = contracts.get(routedShelf) as Contract;
  const send = sendTo({ live, responses }, rightShelf());
  const verbs = new Set<string | undefined>();
  const spied: Send = (call) => {
    verbs.add(call.verb);
    return send(call);
  };
  await new Suite({ plan: live.plan, responses, send: spied }, { ...options, readOnly: true }).run();
  // The last one is a call of the default path, which the server does not have.
  expect(verbs).toEqual(new Set(["GET", "QUERY", undefined]));
});

test("an update that needs more than a record was created with is called with a valid request", async () => {
  const contract = `webrpc = v1
name = notes
version = v1
basepath = /rpc
struct Note
  - id: uint32
  - text: string
  - reason: string
error 1 NotFound "not found" HTTP 404
service Notes
  @public - CreateNote(text: string) => (note: Note)
  @public - GetNote(id: uint32) => (note: Note) errors NotFound
  @public - UpdateNote(id: uint32, text: string, reason: string) => (note: Note) errors NotFound
`;
  const notes = new Map<number, object>();
  const write = (id: number, values: object) => {
    const note = { reason: "", ...notes.get(id), ...values, id };
    notes.set(id, note);
    return { note };
  };
  const handlers = {
    Notes: {
      CreateNote: (_: unknown, req: object) => write(notes.size + 1, req),
      GetNote: ({ errors }: Raises, { id }: { id: number }) =>
        notes.has(id) ? write(id, {}) : errors["NotFound"]?.(),
      UpdateNote: ({ errors }: Raises, req: { id: number }) =>
        notes.has(req.id) ? write(req.id, req) : errors["NotFound"]?.(),
    },
  };
  const { findings, statuses } = await testOf(contract, handlers);
  expect(findings).toEqual([]);
  expect(statuses("UpdateNote")).toContain(200);
});

/** Tests a server of a contract. `change` is what is wrong with its responses. */
async function testOf(contract: string, handlers: object, change: (send: Send) => Send = (send) => send) {
  const { result } = compile("api.ridl", memoryReader({ "api.ridl": contract }));
  if (result === undefined) throw new Error("the contract has a fault");
  const live = await loadInMemory(result);
  const fetch = live.fetchHandler(live.createServer(handlers));
  const calls: { readonly path: string; readonly status: number }[] = [];
  const send: Send = async ({ verb = "POST", path, body }) => {
    const init = { method: verb, headers: { "content-type": "application/json" } };
    const text = body === undefined ? null : JSON.stringify(body);
    const response = await fetch(new Request(`http://notes${path}`, { ...init, body: text }));
    calls.push({ path, status: response.status });
    const contentType = response.headers.get("content-type") ?? "";
    return { status: response.status, text: await response.text(), contentType };
  };
  const responses = await ResponseValidator.of(live.jsonSchema, { checksFormats: true });
  const findings = await new Suite({ plan: live.plan, responses, send: change(send) }, options).run();
  const statuses = (method: string) =>
    calls.filter(({ path }) => path.endsWith(method)).map(({ status }) => status);
  return { findings, statuses };
}

describe("with derived structs, branded ids and messages", () => {
  const contract = `webrpc = v1
name = notes
version = v1
basepath = /rpc
type NoteId: uint32
  + brand = true
struct Note
  - id: NoteId
  - title: string
    + maxLength = 9
    + message = "Please use 9 letters."
  - pages: uint8
type NewNote: Note
  + omit = id
type NotePatch: NewNote
  + partial = true
type NoteTitle: Note
  + pick = id
  + pick = title
error 1 NotFound "not found" HTTP 404
service Notes
  @public @create:Note - CreateNote(note: NewNote) => (note: Note)
  @public @get:Note - GetNote(id: NoteId) => (note: Note) errors NotFound
  @public @list:Note - ListNotes() => (notes: []NoteTitle)
  @public @update:Note - UpdateNote(id: NoteId, patch: NotePatch) => (note: Note) errors NotFound
`;
  interface Note {
    readonly id: number;
    readonly title: string;
    readonly pages: number;
  }

  function rightNotes() {
    const notes = new Map<number, Note>();
    const stored = (note: Note) => {
      notes.set(note.id, note);
      return { note };
    };
    const found = ({ errors }: Raises, id: number): Note => {
      const note = notes.get(id);
      if (note === undefined) throw errors["NotFound"]?.();
      return note;
    };
    return {
      CreateNote: (_: unknown, { note }: { note: Omit<Note, "id"> }) =>
        stored({ ...note, id: notes.size + 1 }),
      GetNote: (ctx: Raises, { id }: { id: number }) => ({ note: found(ctx, id) }),
      ListNotes: (): object => ({ notes: [...notes.values()].map(({ id, title }) => ({ id, title })) }),
      UpdateNote: (ctx: Raises, { id, patch }: { id: number; patch: Partial<Note> }) =>
        stored({ ...found(ctx, id), ...patch }),
    };
  }

  test("a correct server has no findings, and takes what its tests send", async () => {
    const { findings, statuses } = await testOf(contract, { Notes: rightNotes() });
    expect(findings).toEqual([]);
    for (const method of ["CreateNote", "GetNote", "UpdateNote"]) expect(statuses(method)).toContain(200);
  });

  /** Accepts what the server rejects with the message of the field. */
  const acceptsTitles: (send: Send) => Send = (send) => async (call) => {
    const response = await send(call);
    const isAboutTitle = response.text.includes("Please use 9 letters.");
    const text = '{"note":{"id":1,"title":"a","pages":1}}';
    return isAboutTitle ? { ...response, status: 200, text } : response;
  };

  type Notes = ReturnType<typeof rightNotes>;

  test.each<[string, (right: Notes) => object, readonly string[], ((send: Send) => Send)?]>([
    ["lists nothing", () => ({ ListNotes: () => ({ notes: [] }) }), ["ListNotes list-includes-records"]],
    [
      "lists other titles",
      () => ({ ListNotes: () => ({ notes: Array.from({ length: 99 }, (_, id) => ({ id, title: "x" })) }) }),
      ["ListNotes list-returns-stored-values"],
    ],
    ["ignores patches", ({ GetNote }) => ({ UpdateNote: GetNote }), ["UpdateNote update-stores-fields"]],
    [
      "accepts long titles",
      () => ({}),
      ["CreateNote rejects-invalid", "UpdateNote rejects-invalid"],
      acceptsTitles,
    ],
  ])("a server that %s is found", async (_name, wrong, expected, change) => {
    const right = rightNotes();
    const { findings } = await testOf(contract, { Notes: { ...right, ...wrong(right) } }, change);
    expect([...new Set(findings.map(({ method, rule }) => `${method.slice(6)} ${rule}`))].sort()).toEqual(
      expected,
    );
  });
});

interface Raises {
  readonly errors: Readonly<Record<string, () => Error>>;
}
