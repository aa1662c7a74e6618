import { statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1";
import { keccak_256 } from "@noble/hashes/sha3";
import { utf8ToBytes } from "@noble/hashes/utils";
import pg from "pg";
import type { Client } from "ridlkit-runtime/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API, Marketplace } from "../../../generated/client.ts";
import { UnavailableError } from "../../../generated/errors.ts";
import { WebrpcSchemaHash } from "../../../generated/types.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { readConfig } from "../../../server/host/read-config.ts";
import { loadHashTypedData } from "../../../server/wallets/signatures/typed-data/hash.ts";
import { makeData, type RunningHost, runHost, startHost } from "../../support/host.ts";
import { migratedDatabase } from "../../support/server.ts";
import { signingKeyText } from "../../support/signing-keys.ts";

const hashTypedData = await loadHashTypedData();

let host: RunningHost;
let url: string;
/** A client with the sandbox's access key. */
let client: Client;

beforeAll(async () => {
  host = await startHost();
  ({ url } = host);
  client = { url, headers: () => ({ "x-access-key": host.accessKey }) };
});

afterAll(async () => {
  expect(await host.stop()).toBe(0);
  await host[Symbol.asyncDispose]();
});

async function call(
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const headers = { "content-type": "application/json", "x-access-key": host.accessKey };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: "{}", ...init });
  const text = await response.text();
  return { status: response.status, body: text === "" ? "" : JSON.parse(text), headers: response.headers };
}

const typedData = {
  types: { Greeting: [{ name: "text", type: "string" }] },
  domain: { name: "Test", chainId: 137 },
  message: { text: "hello" },
};
const key = keccak_256(utf8ToBytes("cow"));
const cow = "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826";

function sign(data: typeof typedData): string {
  const signed = secp256k1.sign(hashTypedData(data), key);
  return `0x${signed.toCompactHex()}${(27 + signed.recovery).toString(16)}`;
}

describe("the generated client against the running host", () => {
  test("Ping and Version, with and without a network in front", async () => {
    await expect(new API(url).ping()).resolves.toEqual({ status: true });
    const { version } = await new Marketplace(`${url}/polygon`).version();
    expect(version).toMatchObject({
      webrpcVersion: "v1",
      schemaVersion: "v0.0.1",
      schemaHash: WebrpcSchemaHash,
    });
  });

  test("an account's signature is valid, however its chain is spelled", async () => {
    const api = new API(client);
    for (const chainId of ["137", "polygon", "0x89"]) {
      const request = { chainId, walletAddress: cow, typedData, signature: sign(typedData) };
      await expect(api.isValidTypedDataSignature(request)).resolves.toEqual({ isValid: true });
    }
  });

  test("a signature of another signer needs the chain, which has no node here", async () => {
    const request = {
      chainId: "137",
      walletAddress: `0x${"11".repeat(20)}`,
      typedData,
      signature: sign(typedData),
    };
    await expect(new API(client).isValidTypedDataSignature(request)).rejects.toBeInstanceOf(UnavailableError);
  });

  test("an unknown collection has no floor order", async () => {
    const request = { contractAddress: cow };
    expect(await new Marketplace(client).getFloorOrder(request)).toEqual({ collectible: null });
  });
});

describe("on the wire", () => {
  test.each([
    ["/nope", 404, -2],
    ["/rpc/API/Nope", 404, -2],
    ["/atlantis/rpc/Marketplace/Ping", 404, -2],
    ["/polygon/rpc/API/Ping", 404, -2],
  ])("%s is an unknown path", async (path, status, code) => {
    const answer = await call(path);
    expect(answer).toMatchObject({ status, body: { code, error: "WebrpcBadRoute" } });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("any HTTP method except POST is a bad method", async () => {
    const answer = await call("/rpc/API/Ping", { method: "GET", body: null });
    expect(answer).toMatchObject({ status: 405, body: { code: -3 } });
    expect(answer.headers.get("allow")).toBe("POST");
  });

  test("a preflight succeeds, and a plain OPTIONS is a bad method", async () => {
    const preflight = { origin: "https://app.example", "access-control-request-method": "POST" };
    expect(await call("/rpc/API/Ping", { method: "OPTIONS", body: null, headers: preflight })).toMatchObject({
      status: 204,
    });
    expect(await call("/rpc/API/Ping", { method: "OPTIONS", body: null })).toMatchObject({ status: 405 });
  });

  test("an unknown chain and invalid typed data are reported with their position", async () => {
    const request = { chainId: "atlantis", walletAddress: cow, typedData, signature: "0x" };
    const send = (body: object) => call("/rpc/API/IsValidTypedDataSignature", { body: JSON.stringify(body) });
    expect(await send(request)).toMatchObject({
      status: 400,
      body: { code: 2000, cause: expect.stringContaining("atlantis") },
    });
    const unknown = { ...typedData, types: { Greeting: [{ name: "text", type: "Nope" }] } };
    const answer = await send({ ...request, chainId: "137", typedData: unknown });
    const cause = '/typedData/types/Greeting/text: unknown type "Nope"';
    expect(answer.body).toMatchObject({ code: 2000, cause });
  });

  test.each([
    ["/polygon", { chainId: "mainnet" }, '/chainId: "mainnet" differs from the path\'s network, polygon'],
    ["/137", { chainId: 1 }, '/chainId: "1" differs from the path\'s network, polygon'],
    ["/polygon", { chainId: "atlantis" }, '/chainId: this host does not serve "atlantis"; it serves '],
    ["", { chainId: "424242" }, '/chainId: this host does not serve "424242"'],
  ])("%s with a body of %j is rejected: no served network", async (prefix, named, cause) => {
    const body = JSON.stringify({ contractAddress: cow, ...named });
    const answer = await call(`${prefix}/rpc/Marketplace/GetFloorOrder`, { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 2000, error: "InvalidArgument", cause: expect.stringContaining(cause) },
    });
  });

  test.each([
    [
      { chainId: 137, chainID: 1 },
      { status: 400, body: { code: -4, error: "WebrpcBadRequest" } },
    ],
    [
      { chainID: "1", chainId: "polygon" },
      { status: 400, body: { code: -4, error: "WebrpcBadRequest" } },
    ],
    [
      { chainId: 137, chainID: 137 },
      { status: 200, body: { filters: [] } },
    ],
    [
      { chainId: 137, chainID: "137" },
      { status: 200, body: { filters: [] } },
    ],
    [{ chainID: 137 }, { status: 200, body: { filters: [] } }],
  ])("a body with both spellings of the field: %j", async (named, expected) => {
    const body = JSON.stringify({ contractAddress: cow, ...named });
    expect(await call("/rpc/Metadata/TokenCollectionFilters", { body })).toMatchObject(expected);
  });

  const currency = `0x${"1".repeat(40)}`;
  const swap = { buyCurrencyAddress: currency, sellCurrencyAddress: cow, buyAmount: "1" };
  test.each([
    ["IsValidTypedDataSignature", { walletAddress: currency, typedData, signature: "0x1234" }],
    ["GetSwapPrice", swap],
    ["GetSwapQuote", { ...swap, userAddress: cow }],
  ])("%s on a network without a node is Unavailable", async (method, request) => {
    const body = JSON.stringify({ chainId: "polygon", ...request });
    expect(await call(`/rpc/API/${method}`, { body })).toMatchObject({
      body: { code: 2002, error: "Unavailable", cause: expect.stringContaining("polygon") },
    });
  });

  test("a service without network paths also rejects an unknown network", async () => {
    const body = JSON.stringify({ chainID: "atlantis", contractAddress: cow });
    const answer = await call("/rpc/Metadata/TokenCollectionFilters", { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 2000, cause: expect.stringContaining("atlantis") },
    });
  });

  test.each([
    ["/polygon", {}],
    ["/polygon", { chainId: 137 }],
    ["/137", { chainId: "0x89" }],
    ["", { chainId: "Polygon" }],
    ["", {}],
  ])("%s with a body of %j is accepted", async (prefix, named) => {
    const body = JSON.stringify({ contractAddress: cow, ...named });
    expect(await call(`${prefix}/rpc/Marketplace/GetFloorOrder`, { body })).toMatchObject({
      status: 200,
      body: { collectible: null },
    });
  });

  test("every response has the header Webrpc", async () => {
    const { headers } = await call("/rpc/API/Ping");
    expect(headers.get("webrpc")).toMatch(/^webrpc@v0\.48\.0;ridlkit@.+;platform@v0\.0\.1$/);
  });
});

describe("starting", () => {
  test("all configuration errors are reported at the same time", async () => {
    const { code, err } = await runHost(["--port", "70000", "--networks", "polygon,atlantis"]);
    expect(code).toBe(2);
    expect(err).toContain('port: expected a whole number from 0 to 65535, found "70000"');
    expect(err).toContain('networks: unknown network "atlantis"');
    expect(err).not.toContain("    at ");
  });

  test("errors of flags and of the signing key are reported too, one per line", async () => {
    const flags = [
      "--admin-port",
      "-1",
      "--prot",
      "1",
      "--no-jsn",
      "--data-dir",
      "--json",
      "--sandbox=perhaps",
      "extra",
    ];
    const { code, err } = await runHost(flags, { SIGNING_KEY: "c2hvcnQ=", RATE_LIMIT_PROJECT: "many" });
    expect(code).toBe(2);
    expect(err.trim().split("\n")).toEqual([
      'platform: unknown option "--prot"; did you mean "--port"?',
      'platform: unknown option "--no-jsn"',
      "platform: --data-dir: a value is missing",
      'platform: unexpected argument "1": settings are given as options, and a command comes before them',
      'platform: unexpected argument "extra": settings are given as options, and a command comes before them',
      'platform: --sandbox: expected true or false, found "perhaps"',
      'platform: RATE_LIMIT_PROJECT: expected a whole number from 1 to 1000000000, found "many"',
      'platform: --admin-port: expected a whole number from 0 to 65535, found "-1"',
      "platform: SIGNING_KEY: expected base64 of at least 32 bytes; create a key with: openssl rand -base64 32",
      "platform: see all settings with --help",
    ]);
  });

  test("--version prints only the version", async () => {
    expect(await runHost(["--port", "1", "--version"])).toEqual({
      code: 0,
      out: `${packageJson.version}\n`,
      err: "",
    });
  });

  test("in production, invalid settings are one line of the log", async () => {
    const { code, err } = await runHost(["--prot", "1"], { PRODUCTION: "true" });
    expect(code).toBe(2);
    expect(JSON.parse(err)).toEqual({
      level: "fatal",
      time: expect.stringMatching(/Z$/),
      faults: expect.arrayContaining([
        expect.stringContaining('unknown option "--prot"'),
        expect.stringContaining("DATABASE_URL: required with --production"),
      ]),
      msg: "the settings are invalid; see all settings with --help",
    });
  });

  test("the signing key is never printed", async () => {
    const pem = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----";
    const { code, err } = await runHost(["--signing-algorithm", "EdDSA"], { SIGNING_KEY: pem });
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/^platform: SIGNING_KEY: not a private key for EdDSA; create one/),
    });
    expect(err).not.toContain("c2VjcmV0");
  });

  test("invalid URLs are reported with all other errors, without their passwords", async () => {
    const expected = "expected a URL in the form scheme://user:password@host:port/name";
    for (const [databaseUrl, redisUrl] of [
      ["postgres://u:SECRET#SECRET@127.0.0.1/x", "redis://:pw#SECRET@127.0.0.1:70000"],
      ["postgres://u:SECRET/SECRET@127.0.0.1/x", "redis://:SECRET@127.0.0.1:70000"],
      ["postgres://u:1?SECRET@127.0.0.1/x", "redis://:SEC%RET@127.0.0.1"],
      ["postgres://u:SECRET@127.0.0.1:565599/x", "redis://:1/SECRET@127.0.0.1"],
    ] as const) {
      const { code, err } = await runHost(["--port", "70000"], {
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
      });
      expect(code).toBe(2);
      expect(err).toContain(`platform: DATABASE_URL: ${expected}`);
      expect(err).toContain(`platform: REDIS_URL: ${expected}`);
      expect(err).toContain("%23");
      expect(err).toContain('--port: expected a whole number from 0 to 65535, found "70000"');
      expect(err).not.toMatch(/SECRET|SEC%RET| {4}at /);
    }
  });

  test("every valid URL is accepted, and blanks around a value are trimmed", async () => {
    for (const url of [
      "postgres://u:p%2Fw%23@db.example:5432/x?sslmode=require",
      "postgresql://u@%2Frun%2Fpostgresql/x",
      "postgres://u@/x?host=/run/postgresql",
      "postgres:///x?host=/run/postgresql",
      "postgres://u:p@[::1]/x",
    ]) {
      const env = {
        DATABASE_URL: ` ${url}\n`,
        HOST: " 127.0.0.1",
        PORT: " 4000 ",
        ADMIN_HOST: " ",
        SANDBOX: "1",
      };
      expect(await readConfig([], env)).toMatchObject({
        config: { databaseUrl: url, host: "127.0.0.1", port: 4000, adminHost: "127.0.0.1" },
      });
    }
    expect(await readConfig(["--host", " "], {})).toMatchObject({
      faults: ['--host: expected a text that is not empty, found ""'],
    });
  });

  test("a port in use and an unknown flag are reported in one line", async () => {
    await using spare = await makeData();
    const { port } = new URL(url);
    expect(await runHost(["--port", port, "--data-dir", spare.folder], spare.env)).toMatchObject({
      code: 2,
      err: expect.stringContaining("the port is in use"),
    });
    expect(await runHost(["--prot", "1"])).toMatchObject({ code: 2, err: expect.stringContaining("--prot") });
  });

  test("an unusable data folder is reported in one line, by the host and by admin commands", async () => {
    await using spare = await makeData();
    // Root may write anywhere, so the folder is a dangling link.
    const folder = join(spare.folder, "away");
    symlinkSync(join(spare.folder, "not", "mounted"), folder);
    const oneLine = /^platform: the data folder .*away: a file with this name exists[^\n]*--data-dir\n$/;
    const host = await runHost(["--port", "0", "--admin-port", "0", "--data-dir", folder]);
    expect(host).toMatchObject({ code: 2, err: expect.stringMatching(oneLine) });
    const command = await runHost(["projects", "list", "--data-dir", folder]);
    expect(command).toMatchObject({ code: 1, err: expect.stringContaining("there is no database in") });
  });

  test.each([
    ["default_transaction_read_only=on", "(25006); end its read-only mode, or connect to the primary server"],
    ["role=pg_read_all_data", "(42501); grant the permission to the role"],
    ["role=pg_monitor", "permission denied for table migration (42501); grant the permission to the role"],
  ])("in production, a database with %s is reported in one line of the log", async (setting, message) => {
    await using server = await migratedDatabase();
    const flags = ["--production", "--port", "0", "--admin-port", "0", "--networks", "polygon"];
    const { code, err } = await runHost(flags, {
      DATABASE_URL: server.url,
      SIGNING_KEY: signingKeyText(1),
      PGOPTIONS: `-c ${setting}`,
    });
    const msg = expect.stringContaining(message);
    expect(JSON.parse(err)).toEqual({ level: "fatal", time: expect.stringMatching(/Z$/), msg });
    expect(code).toBe(2);
  });

  test("in production, an unexpected error is one line of the log with its stack", async () => {
    await using server = await migratedDatabase();
    const client = new pg.Client(server.url);
    await client.connect();
    await client.query("alter table access_key rename to access_key_away");
    await client.end();
    const { code, err } = await runHost(["--production", "--port", "0", "--admin-port", "0"], {
      DATABASE_URL: server.url,
      SIGNING_KEY: signingKeyText(1),
    });
    expect(JSON.parse(err)).toEqual({
      level: "fatal",
      time: expect.stringMatching(/Z$/),
      stack: expect.stringMatching(/^error: relation "access_key" does not exist\n {4}at /),
      msg: "internal error",
    });
    expect(code).toBe(1);
  });

  test("a data folder that cannot be created is reported", async () => {
    const { code, err } = await runHost([
      "--port",
      "0",
      "--admin-port",
      "0",
      "--data-dir",
      "/proc/none/data",
    ]);
    expect({ code, lines: err.trim().split("\n").length }).toEqual({ code: 2, lines: 1 });
    expect(err).toMatch(
      /^platform: the data folder \/proc\/none\/data: (its folder does not exist|permission was denied); /,
    );
  });

  test("only its owner can list the data folder", async () => {
    await using spare = await makeData();
    const folder = join(spare.folder, "new", "data");
    await using quiet = await startHost({ data: { ...spare, folder } });
    expect(await quiet.stop()).toBe(0);
    const { mode } = statSync(folder);
    // When the host runs as root, Postgres runs as another user, who must pass through the folder.
    expect(mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    expect(statSync(join(folder, "sandbox.json")).mode & 0o777).toBe(0o600);
  });
});
