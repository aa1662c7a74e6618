import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readCommandLine } from "../../../../server/base/config/command-line.ts";
import type { Config } from "../../../../server/base/config/config.ts";
import { readFlags, readSettings } from "../../../../server/base/config/read.ts";

const folder = mkdtempSync(join(tmpdir(), "platform-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file of settings, and returns its path. */
function fileOf(text: string): string {
  const path = join(folder, "settings.yaml");
  writeFileSync(path, text);
  return path;
}

describe("a setting is read from the first of", () => {
  const port = async (flags: object, env: object, defaults: Partial<Config> = {}): Promise<number> => {
    const { config, faults } = await readSettings({ ...flags }, { ...env }, defaults);
    expect(faults).toEqual([]);
    return config.port;
  };
  const PLATFORM_CONFIG = fileOf("port: 3");

  test.each([
    ["its flag", { port: "1" }, { PORT: "2", PLATFORM_CONFIG }, { port: 5 }, 1],
    ["its variable", {}, { PORT: "2", PLATFORM_CONFIG }, { port: 5 }, 2],
    ["the file", {}, { PORT: "", PLATFORM_CONFIG }, { port: 5 }, 3],
    ["the caller's default", {}, { PORT: " " }, { port: 5 }, 5],
    ["its own default", {}, {}, {}, 4_000],
    ["its flag with blanks", { port: " 1 " }, {}, {}, 1],
    ["its variable with blanks", {}, { PORT: " 2\n" }, {}, 2],
  ])("%s", async (_, flags, env, defaults, expected) => {
    expect(await port(flags, env, defaults)).toBe(expected);
  });

  test("the flag --config names the file, rather than the variable", async () => {
    expect(await port({ config: PLATFORM_CONFIG }, { PLATFORM_CONFIG: "/nowhere" })).toBe(3);
  });
});

describe("a mistake is reported with its place, and the setting has its default", () => {
  test.each<[string, object, object, string, string]>([
    ["port", { port: "x" }, {}, "", '--port: expected a whole number from 0 to 65535, found "x"'],
    ["port", {}, { PORT: "65536" }, "", 'PORT: expected a whole number from 0 to 65535, found "65536"'],
    ["port", {}, {}, "port: 1.5", '"port" of FILE: expected a whole number from 0 to 65535, found "1.5"'],
    ["host", { host: "" }, {}, "", '--host: expected a text that is not empty, found ""'],
    ["host", {}, {}, "host: 7", '"host" of FILE: expected a text that is not empty, found "7"'],
    ["json", {}, { JSON: "yes" }, "", 'JSON: expected true or false, found "yes"'],
    [
      "logLevel",
      { "log-level": "Info" },
      {},
      "",
      '--log-level: expected one of debug, info, warn, error, silent, found "Info"',
    ],
    [
      "trustedProxies",
      {},
      {},
      "trustedProxies: 7",
      '"trustedProxies" of FILE: expected a list such as a,b,c, found "7"',
    ],
    [
      "trustedProxies",
      { "trusted-proxies": "10.0.0.0/8,x,y" },
      {},
      "",
      '--trusted-proxies: "x" is not an address range such as 10.0.0.0/8; "y" is not an address range such as 10.0.0.0/8',
    ],
    [
      "secretKeyOrigins",
      { "secret-key-origins": "https://a.example/" },
      {},
      "",
      '--secret-key-origins: "https://a.example/" is not an origin such as https://console.example',
    ],
    [
      "redisUrl",
      {},
      { REDIS_URL: "http://secret" },
      "",
      "REDIS_URL: expected a URL that starts with redis:// or rediss://",
    ],
    ["networkDetails", {}, { NETWORK_DETAILS: "{secret" }, "", "NETWORK_DETAILS: expected JSON"],
    [
      "services",
      { services: "api,markeplace" },
      {},
      "",
      '--services: unknown service "markeplace"; did you mean "Marketplace"?',
    ],
    [
      "services",
      { services: " , " },
      {},
      "",
      '--services: expected one or more of API, Builder, Metadata, Marketplace, Indexer, found ","',
    ],
    [
      "ipfsGateway",
      { "ipfs-gateway": "https://a.example/?x" },
      {},
      "",
      '--ipfs-gateway: expected a URL such as https://gateway.example/ipfs/, found "https://a.example/?x"',
    ],
    [
      "adminNames",
      { "admin-names": "Metrics.example" },
      {},
      "",
      '--admin-names: expected a host name in lower case without a port, found "Metrics.example"',
    ],
    [
      "collections",
      { collections: "polygon=0x12" },
      {},
      "",
      '--collections: expected network=0x… or network=0x…@block, found "polygon=0x12"',
    ],
  ])("%s: %j %j %s", async (key, flags, env, file, fault) => {
    const path = fileOf(file);
    const { config, faults } = await readSettings({ ...flags, config: path }, { ...env });
    expect(faults).toEqual([fault.replace("FILE", path)]);
    const { config: defaults } = await readSettings({}, {});
    expect(config[key as keyof Config]).toEqual(defaults[key as keyof Config]);
  });

  test.each([
    ["por: 1", 'unknown setting "por"; did you mean "port"?'],
    ["zebra: 1", 'unknown setting "zebra"'],
    ["[1]", "expected settings such as port: 4000"],
    ["text", "expected settings such as port: 4000"],
    ["port: {", expect.stringMatching(/^Flow map/)],
  ])("of the file: %s", async (text, fault) => {
    const path = fileOf(text);
    const { faults } = await readSettings({ config: path }, {});
    expect(faults).toHaveLength(1);
    expect(faults[0]?.slice(0, path.length + 2)).toBe(`${path}: `);
    expect(faults[0]?.slice(path.length + 2)).toEqual(fault);
  });

  test("of a named file that does not exist", async () => {
    const { faults } = await readSettings({ config: "/nowhere.yaml" }, {});
    expect(faults).toEqual(["/nowhere.yaml: it does not exist"]);
  });
});

test.each<[keyof Config, object, string, unknown]>([
  ["json", { json: true }, "", true],
  ["json", { json: false }, "json: true", false],
  ["json", {}, "json: 1", undefined],
  ["json", {}, 'json: "1"', true],
  ["json", {}, 'json: "true"', true],
  ["json", {}, 'json: "0"', false],
  ["json", {}, 'json: "false"', false],
  ["json", {}, "json: false", false],
  ["networks", { networks: "a, b,,c" }, "", ["a", "b", "c"]],
  ["networks", {}, "networks: [a, 137]", ["a", "137"]],
  ["networkDetails", {}, "networkDetails: {a: 1}", { a: 1 }],
  ["services", { services: "marketplace,API,MARKETPLACE" }, "", ["Marketplace", "API"]],
  ["ipfsGateway", { "ipfs-gateway": "https://a.example/ipfs" }, "", "https://a.example/ipfs/"],
  ["ipfsGateway", { "ipfs-gateway": "http://a.example/ipfs/" }, "", "http://a.example/ipfs/"],
  ["arweaveGateway", { "arweave-gateway": "https://a.example" }, "", "https://a.example/"],
  ["adminNames", { "admin-names": "a,metrics.a-1.example" }, "", ["a", "metrics.a-1.example"]],
  ["secretKeyOrigins", { "secret-key-origins": "https://a.example:8443" }, "", ["https://a.example:8443"]],
  ["logLevel", { "log-level": "silent" }, "", "silent"],
  ["tracingUrl", { "tracing-url": "http://a.example/v1" }, "", "http://a.example/v1"],
])("%s of %j and the file %s is %j", async (key, flags, file, value) => {
  const { config, faults } = await readSettings({ ...flags, config: fileOf(file) }, {});
  if (value === undefined) expect(faults).toHaveLength(1);
  else expect([faults, config[key]]).toEqual([[], value]);
});

test.each([
  [`polygon=0x${"aA".repeat(20)}`, true],
  [`polygon=0x${"aA".repeat(20)}@0`, true],
  [`polygon=0x${"aA".repeat(20)}@${"9".repeat(15)}`, true],
  [`polygon=0x${"aA".repeat(20)}@${"9".repeat(16)}`, false],
  [`polygon=0x${"aA".repeat(20)}@`, false],
  [`polygon=0x${"aA".repeat(19)}a`, false],
  [`=0x${"aA".repeat(20)}`, false],
])("whether the collection %s is valid: %s", async (collections, isValid) => {
  expect((await readSettings({ collections }, {})).faults).toHaveLength(isValid ? 0 : 1);
});

test.each([
  ["postgres://user:password@host:5432/name", true],
  ["postgresql://user@/name?host=/run/postgresql", true],
  ["postgres://user:p%40ss@host/name", true],
  ["mysql://host/name", false],
  ["postgres://user:p/ss@host/name", false],
  ["postgres://user:p#ss@host/name", false],
  ["postgres://user:100%@host/name", false],
  ["postgres://us%er@host/name", false],
  ["postgres://host:65536/name", false],
])("whether %s is the URL of a database: %s", async (databaseUrl, isValid) => {
  const { faults } = await readSettings({}, { DATABASE_URL: databaseUrl });
  expect(faults).toHaveLength(isValid ? 0 : 1);
  expect(faults.join()).not.toContain(databaseUrl);
});

describe("the command line", () => {
  test.each([
    [["--port", "1", "--port=2"], { port: "2" }],
    [["--json"], { json: true }],
    [["--json", "--no-json"], { json: false }],
    [["--trusted-proxies", "-1"], { "trusted-proxies": "-1" }],
    [["--record-to", "--other"], { "record-to": "--other" }],
    [["--help"], { help: true }],
    [["--config", "a"], { config: "a" }],
  ])("%j is read as %j", (argv, flags) => {
    expect(readFlags(argv)).toEqual({ flags, faults: [] });
  });

  test.each([
    [["--port"], "--port: a value is missing"],
    [["--port", "--json"], "--port: a value is missing"],
    [["--port", "--host=x"], "--port: a value is missing"],
    [["--prot", "1"], 'unknown option "--prot"; did you mean "--port"?'],
    [["--zebra-crossing"], 'unknown option "--zebra-crossing"'],
    [["--no-port"], expect.stringContaining('unknown option "--no-port"')],
    [["--no-json=1"], expect.stringContaining('unknown option "--no-json"')],
    [
      ["--signing-key", "x"],
      expect.stringMatching(/^--signing-key: this setting has no flag.*set SIGNING_KEY$/),
    ],
    [
      ["serve"],
      'unexpected argument "serve": settings are given as options, and a command comes before them',
    ],
  ])("%j is reported: %s", (argv, fault) => {
    expect(readFlags(argv).faults[0]).toEqual(fault);
  });

  test("keeps all values of an option, and its words", () => {
    const kinds = { from: "text", all: "switch" } as const;
    expect(readCommandLine(["a", "--from", "1", "b", "--from", "2", "--all"], kinds)).toEqual({
      options: { from: ["1", "2"], all: [true] },
      words: ["a", "b"],
      faults: [],
    });
  });
});
