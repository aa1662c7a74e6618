import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, type MadeSecret, makeKey, makeSecret } from "../../../support/operator.ts";

let data: Data;
let host: RunningHost;
/** Created once, because each creation runs a process. */
let reader: MadeSecret;
let foreign: { readonly projectId: number; readonly accessKey: string };

beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data, env: { SECRET_KEY_ORIGINS: "https://console.example" } });
  [reader, foreign] = await Promise.all([makeSecret(data, host.projectId, "READ"), makeKey(data)]);
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: number; readonly error?: string; readonly cause?: string };
}

async function call(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object = {},
): Promise<Answer> {
  const response = await fetch(`${host.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

/** Needs the access key. */
const read = "/rpc/Metadata/TokenCollectionFilters";
const readBody = { chainId: "1", contractAddress: `0x${"1".repeat(40)}` };
/** Need both keys. */
const list = "/polygon/rpc/Indexer/GetAllWebhookListeners";
const pause = "/polygon/rpc/Indexer/PauseAllWebhookListeners";

const unauthorized = { status: 401, body: { code: 1000, error: "Unauthorized" } };
const denied = { status: 403, body: { code: 1001, error: "PermissionDenied" } };
const expired = { status: 403, body: { code: 1002, error: "SessionExpired" } };
/** Accepted credentials, whatever the method responds. */
const passed = {
  body: expect.toSatisfy(({ code }: Answer["body"]) => ![1000, 1001, 1002].includes(code ?? 0)),
};

const bearer = (token: string) => ({ "x-access-key": host.accessKey, authorization: `BEARER ${token}` });

/** Signs a token like this host, or with a foreign key. */
function sign(claims: Record<string, unknown>, expiresAt?: number, key = signingKey()): Promise<string> {
  const token = new SignJWT({ project: host.projectId, account: reader.account, ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setJti(randomUUID());
  return (expiresAt === undefined ? token : token.setExpirationTime(expiresAt)).sign(key);
}

function signingKey(): Uint8Array {
  return Buffer.from(readFileSync(join(data.folder, "signing-key"), "utf8"), "base64");
}

describe("the access key", () => {
  test("is required by every method except Ping and Version", async () => {
    expect(await call("/rpc/API/Ping", {})).toMatchObject({ status: 200 });
    expect(await call("/rpc/API/Version", {})).toMatchObject({ status: 200 });
    expect(await call(read, {}, readBody)).toMatchObject(unauthorized);
    expect(await call(read, { "x-access-key": host.accessKey }, readBody)).toMatchObject(passed);
  });

  test.each([
    ["no key at all", "hello"],
    ["another version", `AA${"A".repeat(33)}`],
    ["well formed and unknown", `AQAAAAAAAAPp${"x".repeat(23)}`],
    ["SQL", "' or 1=1 --"],
  ])("that is %s is rejected", async (_, key) => {
    expect(await call(read, { "x-access-key": key }, readBody)).toMatchObject(unauthorized);
  });

  test("is rejected as soon as it is disabled, and accepted once it is enabled again", async () => {
    const { id, accessKey } = await makeKey(data, host.projectId);
    const headers = { "x-access-key": accessKey };
    expect(await call(read, headers, readBody)).toMatchObject(passed);
    await ask(data, "keys", "disable", String(id));
    // The database notifies the host a moment after the command has ended.
    await expect.poll(() => call(read, headers, readBody)).toMatchObject(unauthorized);
    await ask(data, "keys", "enable", accessKey);
    await expect.poll(() => call(read, headers, readBody)).toMatchObject(passed);
  });

  test("that is bound to a service is rejected by others", async () => {
    const { accessKey } = await makeKey(data, host.projectId, "--service", "metadata");
    const headers = { "x-access-key": accessKey };
    expect(await call(read, headers, readBody)).toMatchObject(passed);
    expect(await call("/polygon/rpc/Marketplace/GetOrders", headers, { input: [] })).toMatchObject(denied);
  });

  test("that is bound to a page is rejected from others, and without an origin", async () => {
    const { accessKey } = await makeKey(data, host.projectId, "--origin", "https://shop.example");
    const headers = { "x-access-key": accessKey };
    expect(await call(read, { ...headers, origin: "https://shop.example" }, readBody)).toMatchObject(passed);
    expect(await call(read, { ...headers, origin: "https://shop.example.org" }, readBody)).toMatchObject(
      denied,
    );
    expect(await call(read, headers, readBody)).toMatchObject(denied);
  });
});

describe("the secret key", () => {
  test("is required where the contract says so", async () => {
    expect(await call(list, { "x-access-key": host.accessKey })).toMatchObject(denied);
    expect(await call(list, bearer(host.secretKey))).toMatchObject(passed);
    expect(await call(list, { ...bearer(""), authorization: `bearer ${host.secretKey}` })).toMatchObject(
      passed,
    );
  });

  test("alone is not enough", async () => {
    expect(await call(list, { authorization: `BEARER ${host.secretKey}` })).toMatchObject(unauthorized);
  });

  test.each([
    ["no token", "hello"],
    [
      "unsigned",
      `${base64({ alg: "none" })}.${base64({ project: 1001, account: "0x1", iat: 1, jti: randomUUID() })}.`,
    ],
    ["cut off", "eyJhbGciOiJIUzI1NiJ9.e30"],
  ])("that is %s is rejected, even where none is needed", async (_, token) => {
    expect(await call(list, bearer(token))).toMatchObject(unauthorized);
    expect(await call(read, bearer(token), readBody)).toMatchObject(unauthorized);
  });

  test("in another scheme is rejected", async () => {
    const headers = { "x-access-key": host.accessKey, authorization: `Basic ${host.secretKey}` };
    expect(await call(read, headers, readBody)).toMatchObject(unauthorized);
  });

  test("with a foreign signature, or never issued, is rejected", async () => {
    const stranger = new Uint8Array(32).fill(7);
    expect(await call(list, bearer(await sign({}, undefined, stranger)))).toMatchObject(unauthorized);
    expect(await call(list, bearer(await sign({})))).toMatchObject(unauthorized);
  });

  test("with a false project claim is rejected", async () => {
    const token = new SignJWT({ project: foreign.projectId, account: reader.account })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt()
      .setJti(reader.id);
    const headers = {
      "x-access-key": foreign.accessKey,
      authorization: `BEARER ${await token.sign(signingKey())}`,
    };
    expect(await call(list, headers)).toMatchObject(unauthorized);
  });

  test("expires two minutes late, because clocks differ", async () => {
    const now = Math.floor(Date.now() / 1000);
    expect(await call(list, bearer(await sign({}, now - 130)))).toMatchObject(expired);
    expect(await call(read, bearer(await sign({}, now - 130)), readBody)).toMatchObject(expired);
    // Readable within the tolerance, but never issued.
    expect(await call(list, bearer(await sign({}, now - 60)))).toMatchObject(unauthorized);
    const { secretKey } = await makeSecret(data, host.projectId, "WRITE", "--expires", "1m");
    expect(await call(list, bearer(secretKey))).toMatchObject(passed);
  });

  test("is rejected as soon as it is revoked", async () => {
    const { id, secretKey } = await makeSecret(data, host.projectId);
    expect(await call(list, bearer(secretKey))).toMatchObject(passed);
    await ask(data, "secrets", "revoke", id);
    await expect.poll(() => call(list, bearer(secretKey))).toMatchObject(unauthorized);
    expect(await call(read, bearer(secretKey), readBody)).toMatchObject(unauthorized);
  });

  test("of another project than the access key's is rejected", async () => {
    const headers = { ...bearer(host.secretKey), "x-access-key": foreign.accessKey };
    expect(await call(list, headers)).toMatchObject(denied);
    expect(await call(read, headers, readBody)).toMatchObject(denied);
  });

  test("of a READ account only works for Get methods", async () => {
    expect(await call(list, bearer(reader.secretKey))).toMatchObject(passed);
    expect(await call(pause, bearer(reader.secretKey))).toMatchObject(denied);
    expect(await call(pause, bearer(host.secretKey))).toMatchObject(passed);
  });

  test("is rejected from foreign web pages", async () => {
    const own = new URL(host.url);
    for (const origin of [own.origin, `http://localhost:${own.port}`, "https://console.example"])
      expect(await call(list, { ...bearer(host.secretKey), origin })).toMatchObject(passed);
    for (const origin of ["https://evil.example", "null", `http://evil.example:${own.port}`])
      expect(await call(list, { ...bearer(host.secretKey), origin })).toMatchObject(denied);
    await ask(data, "origins", "add", String(host.projectId), "https://shop.example");
    const fromShop = (): Promise<Answer> =>
      call(list, { ...bearer(host.secretKey), origin: "https://shop.example" });
    await expect.poll(fromShop).toMatchObject(passed);
    await ask(data, "origins", "remove", String(host.projectId), "https://shop.example");
    await expect.poll(fromShop).toMatchObject(denied);
  });
});

test("a body with another project is rejected, in every spelling of a number", async () => {
  const headers = { "x-access-key": host.accessKey };
  const path = "/rpc/Builder/GetAudience";
  expect(await call(path, headers, { projectId: host.projectId, audienceId: 1 })).toMatchObject(passed);
  expect(await call(path, headers, { projectId: String(host.projectId), audienceId: 1 })).toMatchObject(
    passed,
  );
  for (const projectId of [foreign.projectId, String(foreign.projectId)])
    expect(await call(path, headers, { projectId, audienceId: 1 })).toMatchObject(denied);
  expect(await call(list, bearer(host.secretKey), { projectId: foreign.projectId })).toMatchObject(denied);
});

test("a listener with another project is rejected, in the spelling of the official clients", async () => {
  const update = (projectID: number) =>
    call("/rpc/Indexer/UpdateWebhookListener", bearer(host.secretKey), { listener: { id: 1, projectID } });
  expect(await update(host.projectId)).toMatchObject(passed);
  const refused = await update(foreign.projectId);
  expect(refused).toMatchObject(denied);
  expect(refused.body.cause).toMatch(/^\/listener\/projectID: /);
});

test("path and HTTP method are checked before credentials, the body after them", async () => {
  expect(await call("/rpc/API/Nope", {})).toMatchObject({ status: 404, body: { code: -2 } });
  expect(await call(read, {}, { chainId: 1e30 })).toMatchObject(unauthorized);
  expect(await call(read, { "x-access-key": host.accessKey }, {})).toMatchObject({
    status: 400,
    body: { code: -4 },
  });
});

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
