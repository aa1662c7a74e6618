import { describe, expect, test } from "vitest";
import type { LoadedContract } from "../../../../generator/verify/in-memory/load.ts";
import { type Random, seededRandom } from "../../../support/random.ts";
import { loadVersions, transportTo } from "../../../support/versions.ts";
import { converted, isValid, randomValue, read } from "./history-values.ts";
import { edits, type History, randomHistory } from "./random-edits.ts";
import {
  type Edit,
  type Method,
  printSchema,
  type Schema,
  type SchemaError,
  type Type,
  type Value,
} from "./random-history.ts";

/** `npm run fuzz -- versions` tries more histories. */
const count = Number(process.env["VERSION_HISTORIES"] ?? 6);
/** The histories from here on contain every kind of edit. */
const firstSeed = Number(process.env["VERSION_SEED"] ?? 169);
const callsPerPair = 3;

const tally = {
  values: 0,
  refusedRequests: 0,
  refusedResponses: 0,
  errors: 0,
  errorData: 0,
  custom: 0,
  newerClients: 0,
};
const madeEdits = new Set<string>();

describe("every client with every server of a history: each call is right, or refused", () => {
  test.each(Array.from({ length: count }, (_, index) => firstSeed + index))("seed %i", async (seed) => {
    const history = randomHistory(seed);
    const texts = history.schemas.map((schema, index) => printSchema(schema, `v1.${index}.0`));
    const versions = await loadVersions(texts);
    const random = seededRandom(seed + 1_000_000);
    for (const { name, custom } of history.edits) {
      madeEdits.add(name);
      tally.custom += Object.keys(custom.up).length + Object.keys(custom.down).length;
    }
    for (const [server, live] of versions.entries())
      for (const [client, { client: classes }] of versions.entries()) {
        const pair = new Pair(history, { client, server }, live, classes["Api"] as unknown as ClientClass);
        for (const method of (history.schemas[client] as Schema).methods)
          for (let call = 0; call < callsPerPair; call++)
            await (client > server ? pair.checkNewer(method, random) : pair.check(method, random));
      }
  });

  test("the histories contain every kind of edit and of outcome", () => {
    console.log(`${count} histories:`, tally, `${madeEdits.size} kinds of edits`);
    // One kind of edit is so rare that 150 histories may lack it.
    if (count < 300) return;
    expect(madeEdits.size).toBe(edits.length);
    for (const number of Object.values(tally)) expect(number).toBeGreaterThanOrEqual(10);
  });
});

type Calls = Readonly<Record<string, (request: Value) => unknown>>;
type ClientClass = new (options: object) => Calls;

interface Context {
  readonly errors: Readonly<Record<string, (data?: Value) => Error>>;
}

const refused = { code: -100, name: "WebrpcClientOutdated" };

/** A client of one version, and a server of another. */
class Pair {
  readonly #history: History;
  readonly #client: number;
  readonly #server: number;
  readonly #calls: Calls;
  readonly #transport: typeof fetch;
  /** The last request as the client sent it, and as the handler received it. */
  #sent: Request | undefined;
  #received: Value;
  /** What the handler returns or yields, and the name of its error. */
  #values: readonly Value[] = [];
  #error: string | undefined;
  /** The data of the error. */
  #data: Value;

  constructor(
    history: History,
    { client, server }: { readonly client: number; readonly server: number },
    live: LoadedContract,
    Client: ClientClass,
  ) {
    this.#history = history;
    this.#client = client;
    this.#server = server;
    const { methods } = history.schemas[server] as Schema;
    const handlers = methods.map(({ name, isStream }) => [name, isStream ? this.#stream : this.#handle]);
    const custom = history.edits
      .slice(0, server)
      .map((edit, index) => [`v1.${index}.0`, withDerived(edit.custom)]);
    const created = live.createServer(
      { Api: Object.fromEntries(handlers) },
      { versions: Object.fromEntries(custom) },
    );
    this.#transport = transportTo(live, created);
    const transport: typeof fetch = (input, init) => {
      this.#sent = new Request(input as string, { ...init, duplex: "half" } as RequestInit);
      return this.#transport(input, init);
    };
    this.#calls = new Client({ url: "http://api.test", transport });
  }

  readonly #handle = (ctx: Context, request: Value): unknown => {
    this.#received = request;
    return this.#error === undefined ? this.#values[0] : ctx.errors[this.#error]?.(this.#data);
  };

  readonly #stream = (ctx: Context, request: Value): unknown => {
    this.#received = request;
    const [values, error, data] = [this.#values, this.#error, this.#data];
    return (async function* () {
      yield* values;
      return error === undefined ? undefined : ctx.errors[error]?.(data);
    })();
  };

  async check(method: Method, random: Random): Promise<void> {
    const { schemas: versions } = this.#history;
    const request = randomValue(random, input(method), this.#schema(this.#client), true);
    const isServed = versions
      .slice(this.#client, this.#server + 1)
      .every(({ methods }) => methods.some(({ id }) => id === method.id));
    const wanted = isServed ? this.#up(request, method) : undefined;
    const responses = this.#prepare(method, random);
    const outcome = await this.#call(method, request);
    const about = `client ${this.#client}, server ${this.#server}, ${method.name} ${JSON.stringify({ request, values: this.#values })}`;
    if (wanted === undefined) {
      tally.refusedRequests++;
      expect(outcome, about).toEqual([refused]);
      expect(this.#received, about).toBeUndefined();
      return;
    }
    expect(outcome, about).toEqual(responses);
    expect(this.#received, about).toEqual(wanted);
  }

  /** A server cannot know what a later version will mean, so newer clients get the same as clients without a version. */
  async checkNewer(method: Method, random: Random): Promise<void> {
    tally.newerClients++;
    this.#prepare(method, random);
    const now = this.#schema(this.#server).methods.find(({ id }) => id === method.id);
    if (now?.isStream === true) return;
    await this.#call(method, randomValue(random, input(method), this.#schema(this.#client), true));
    const sent = this.#sent as Request;
    const headers = { "content-type": "application/json" };
    const body = await sent.text();
    const withVersion = {
      method: "POST",
      headers: { ...headers, webrpc: sent.headers.get("webrpc") ?? "" },
      body,
    };
    const [given, plain] = await Promise.all(
      [withVersion, { method: "POST", headers, body }].map(async (init) => {
        const response = await this.#transport(sent.url, init);
        const text = await response.text();
        return {
          status: response.status,
          text: text
            .replace(/; the client was generated from [^"]*/, "")
            .replace(/,?"cause":"the client was generated from [^"]*"/, ""),
        };
      }),
    );
    expect(given).toEqual(plain);
  }

  #schema(version: number): Schema {
    return this.#history.schemas[version] as Schema;
  }

  /** Chooses what the handler does. Returns what the client gets. */
  #prepare(method: Method, random: Random): readonly unknown[] {
    const schema = this.#schema(this.#server);
    this.#received = undefined;
    this.#error = random.chance(25) ? random.pick(schema.errors).name : undefined;
    const length = method.isStream ? random.below(4) : 1;
    const data = schema.errors.find(({ name }) => name === this.#error)?.data;
    this.#data =
      data === undefined ? undefined : randomValue(random, { kind: "struct", id: data }, schema, false);
    this.#values = Array.from({ length }, () => randomValue(random, output(method), schema, false));
    const items: unknown[] = [];
    if (method.isStream || this.#error === undefined)
      for (const value of this.#values) {
        const item = this.#client > this.#server ? value : this.#down(value, method);
        items.push(item ?? refused);
        if (item === undefined) {
          tally.refusedResponses++;
          return items;
        }
        tally.values++;
      }
    const error = schema.errors.find(({ name }) => name === this.#error);
    if (error === undefined) return items;
    tally.errors++;
    return [...items, this.#olderError(error)];
  }

  /** Returns an error as the client knows it. A version without its data, or with other rules for it, has none. */
  #olderError(error: SchemaError): object {
    let known = error;
    let data = this.#data;
    for (let version = this.#server; version > this.#client; version--) {
      const edit = this.#history.edits[version - 1] as Edit;
      const newer = known;
      const older = this.#schema(version - 1);
      known = edit.error?.(newer) ?? newer;
      if (data === undefined || newer.data === undefined) continue;
      const type: Type = { kind: "struct", id: newer.data };
      data = converted(data, type, { from: this.#schema(version), to: older }, edit, "down");
      const isKnown = older.errors.some(({ name, data: id }) => name === known.name && id !== undefined);
      if (!isKnown || !isValid(data, type, older)) data = undefined;
    }
    if (data !== undefined) tally.errorData++;
    return { name: known.name, code: known.code, data };
  }

  /** Returns undefined if a version rejects the request. */
  #up(request: Value, method: Method): Value {
    let value = read(request, input(method), this.#schema(this.#client));
    for (let version = this.#client; version < this.#server; version++) {
      const edit = this.#history.edits[version] as Edit;
      const [from, to] = [this.#schema(version), this.#schema(version + 1)];
      value = converted(value, input(method), { from, to }, edit, "up");
      if (!isValid(value, input(method), to)) return undefined;
    }
    return value;
  }

  #down(response: Value, method: Method): Value {
    let value = response;
    for (let version = this.#server; version > this.#client; version--) {
      const edit = this.#history.edits[version - 1] as Edit;
      const [from, to] = [this.#schema(version), this.#schema(version - 1)];
      value = converted(value, output(method), { from, to }, edit, "down");
      if (!isValid(value, output(method), to)) return undefined;
    }
    return value;
  }

  /** Returns the response, the items of a stream, or the error. */
  async #call({ name, isStream }: Method, request: Value): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    try {
      const result = this.#calls[name.charAt(0).toLowerCase() + name.slice(1)]?.(request);
      if (isStream) for await (const item of result as AsyncIterable<unknown>) items.push(item);
      else items.push(await result);
    } catch (thrown) {
      const { name: error, code, data } = thrown as Omit<SchemaError, "data"> & { readonly data?: Value };
      const isKnown = this.#schema(this.#client).errors.some((each) => each.name === error);
      items.push({ name: error, code, ...(isKnown && { data }) });
    }
    return items;
  }
}

/** Derived structs have functions of their own. */
function withDerived({ up, down }: Edit["custom"]): Edit["custom"] {
  const derive = (functions: Edit["custom"]["up"]): Edit["custom"]["up"] =>
    Object.fromEntries(
      Object.entries(functions).flatMap(([name, of]) =>
        ["", "New", "Patch"].map((derived) => [`${name}${derived}`, of]),
      ),
    );
  return { up: derive(up), down: derive(down) };
}

function input(method: Method): Type {
  return { kind: "struct", id: method.input };
}

function output(method: Method): Type {
  return { kind: "struct", id: method.output };
}
