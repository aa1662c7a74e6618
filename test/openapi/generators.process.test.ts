/** Common generators make clients of documents in each version of OpenAPI, and the clients call a server. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emitOpenapi } from "../../generator/codegen/emit/openapi/index.ts";
import type { OpenapiVersion } from "../../generator/codegen/options.ts";
import type { Plan } from "../../generator/codegen/plan/plan.ts";
import type { RunningServer } from "../support/adapters.ts";
import { type RunningHost, startHost } from "../support/host.ts";
import { platformPlan } from "../support/platform-plan.ts";
import { folder } from "../support/program.ts";
import { planOf } from "../support/sample-plan.ts";

import { type ClientRequest, type GeneratorName, generatorNames, generators } from "./generators.ts";
import { everySchema, helloSchema, serveEvery, serveHello } from "./servers.ts";
import { isInstalled, validate } from "./tools.ts";

const versions: readonly OpenapiVersion[] = ["3.0", "3.1"];

const plans = {
  hello: planOf({ "hello.ridl": helloSchema }, "hello.ridl"),
  every: planOf({ "every.ridl": everySchema }, "every.ridl", { int64: "bigint" }),
  platform: platformPlan(),
} satisfies Readonly<Record<string, Plan>>;

type SchemaName = keyof typeof plans;
const schemaNames = Object.keys(plans) as readonly SchemaName[];

const sampleFile = fileURLToPath(new URL("fixtures/every.json", import.meta.url));
const { everything, order } = JSON.parse(readFileSync(sampleFile, "utf8")) as Readonly<
  Record<string, object>
>;

const ordered = { count: 1, text: "", mood: "calm", ...order };

/** The results of the calls of each client of `every.ridl`. */
const everyResults = {
  echo: everything,
  order: ordered,
  missing: 1,
  gone: "gone for good",
  names: [1, 6, "Order"],
  invalid: [["name"]],
  old: "Busy",
  secure: { id: 7 },
  never: 200,
  pay: { amount: "12345678901234567890" },
  repeat: 200,
  read: { ids: [1, 2], mood: "calm" },
  readByGet: { ids: [1, 2], mood: "calm" },
  list: { names: ["Tom"] },
  upload: { title: "Tom", sizes: [5, 5, 1] },
  submit: { sizes: [5] },
  download: "bytes of a",
  watch: [{ id: 2 }, { id: 3 }],
  listed: {
    limit: 3,
    tags: ["a b", "c"],
    moods: ["very_cross", "calm"],
    size: "L, or more",
    since: "2026-01-31T12:00:00Z",
    active: false,
    near: 0.5,
    after: 7,
  },
  getMissing: 404,
  put: { order: ordered },
  patch: { id: 9, name: "Ann" },
  remove: 200,
  byName: { mood: "very_cross", name: "Tom", at: "2026-01-31T12:00:00Z" },
};

/** The id that each client sends and receives. */
const largest: Readonly<Record<GeneratorName, string>> = {
  "oapi-codegen": "9223372036854775807",
  "openapi-python-client": "9223372036854775807",
  orval: String(Number.MAX_SAFE_INTEGER),
  "hey-api": String(Number.MAX_SAFE_INTEGER),
};

const documents = versions.flatMap((version) =>
  schemaNames.map((schema) => ({ schema, version, folder: `${schema}${version.replace(".", "")}` })),
);

const root = folder({});
const pathOf = ({ folder: file }: { readonly folder: string }): string => join(root.path, `${file}.yaml`);

let hello: RunningServer;
let every: RunningServer;
let platform: RunningHost;

beforeAll(async () => {
  for (const document of documents) {
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      accessKey: { type: "apiKey", in: "header", name: "X-Access-Key" },
      secretKey: { type: "http", scheme: "bearer" },
    };
    const { schema, version } = document;
    const [emitted] = emitOpenapi(plans[schema], { version, securitySchemes });
    writeFileSync(pathOf(document), emitted?.text ?? "");
  }
  [hello, every, platform] = await Promise.all([serveHello(), serveEvery(), startHost()]);
});

afterAll(async () => {
  await Promise.all([hello, every, platform].map((server) => server[Symbol.asyncDispose]()));
  root[Symbol.dispose]();
});

test.runIf(isInstalled).each(documents)("the document $folder is valid", async (document) => {
  const { valid, errors } = await validate(readFileSync(pathOf(document), "utf8"));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

interface Fault {
  /** Messages of the generator. */
  readonly messages?: string;
  /** Results of calls of `every.ridl` that fail. */
  readonly results?: readonly unknown[];
}

const omitted = [
  "WARNING parsing POST /rpc/Shop/Watch within shop.",
  "WARNING parsing POST /rpc/Indexer/SubscribeEvents within indexer.",
];

/** Faults of generators, which docs/openapi.md lists. If a generator is fixed, remove its row there. */
const faults: Readonly<Partial<Record<GeneratorName, Fault>>> = {
  "openapi-python-client": {
    // The client returns the bytes of a stream. Once for each version.
    messages: [...omitted, ...omitted].join("\n"),
    // A timestamp in a path has a blank.
    results: [400],
  },
  // Files are parsed as JSON.
  orval: { results: ["SyntaxError"] },
};

describe.each(generatorNames)("%s", (name) => {
  const generator = generators[name];
  const at = join(root.path, name);
  const clients: readonly ClientRequest[] = documents.map((document) => ({
    folder: document.folder,
    document: pathOf(document),
    app: document.schema,
  }));

  test.runIf(generator.isInstalled)("generates clients that compile", async () => {
    mkdirSync(at);
    expect(await generator.generate(at, clients)).toBe(faults[name]?.messages ?? "");
    expect(await generator.compile(at, clients)).toBe("");
  });

  test.runIf(generator.isInstalled).each(clients)("the client of $folder makes calls", async (client) => {
    const args: Readonly<Record<string, readonly string[]>> = {
      hello: [hello.url],
      every: [every.url, sampleFile],
      platform: [platform.url, platform.accessKey, platform.secretKey],
    };
    const results: Readonly<Record<string, object>> = {
      hello: { greeting: "Hello, Ann!" },
      every: { ...everyResults, get: largest[name], faults: faults[name]?.results },
      platform: { ping: true, unauthorized: 1000, sources: [] },
    };
    const output = await generator.run(at, client, args[client.app] ?? []);
    // Documents do not describe second names of a value. Some clients return them, too.
    const found = JSON.parse(output, (key, value) => (key === "image_data" ? undefined : value));
    expect(found).toEqual(results[client.app]);
  });
});
