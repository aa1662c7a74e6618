/**
 * Official clients of the public service, an older and a newer version of each, call this host. Users see the client's error
 * classes, so each rejection must have the client's own class for it.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DatabaseFault } from "../../server/base/storage/fault.ts";
import { dependencyFailure } from "../../server/host/failures.ts";
import { failureResponse } from "../../server/host/http/failure-response.ts";
import { type Data, makeData, type RunningHost, startHost } from "../support/host.ts";
import { ask, makeKey, makeSecret } from "../support/operator.ts";
import { type ClientClass, isInstalled, loadClient } from "./official.ts";

interface Official {
  /** Its folder under node_modules: package name and version. */
  readonly name: string;
  readonly service: string;
  /** Prefix of its paths. */
  readonly prefix: string;
  readonly method: string;
  readonly needsSecretKey: boolean;
  /** A client method that this host does not have. */
  readonly unknownMethod: string;
}

const api = {
  service: "API",
  prefix: "",
  method: "isValidTypedDataSignature",
  needsSecretKey: false,
  unknownMethod: "runtimeStatus",
};
const metadata = {
  service: "Metadata",
  prefix: "",
  method: "tokenCollectionFilters",
  needsSecretKey: false,
  unknownMethod: "runtimeStatus",
};
const marketplace = {
  service: "Marketplace",
  prefix: "/polygon",
  method: "getFloorOrder",
  needsSecretKey: false,
  unknownMethod: "checkoutOptionsMarketplace",
};
const indexer = {
  service: "Indexer",
  prefix: "/polygon",
  method: "getAllWebhookListeners",
  needsSecretKey: true,
  unknownMethod: "getTransactionHistory",
};

const officials: readonly Official[] = [
  { ...api, name: "api-2.3.8" },
  { ...api, name: "api-3.0.9" },
  { ...metadata, name: "metadata-2.2.14" },
  { ...metadata, name: "metadata-2.3.43", method: "getTokenMetadataPropertyFilters" },
  { ...marketplace, name: "marketplace-2.2.11" },
  { ...marketplace, name: "marketplace-2.3.39" },
  { ...indexer, name: "indexer-2.2.14" },
  { ...indexer, name: "indexer-3.0.13" },
];

test.runIf(process.env["CI"] === "true")("the official clients are installed in CI", () => {
  expect(isInstalled).toBe(true);
});

let data: Data;
let host: RunningHost;
const keys = { disabled: "", foreign: "", revoked: "", expired: "" };

beforeAll(async () => {
  if (!isInstalled) return;
  data = await makeData();
  host = await startHost({ data });
  const { id, accessKey } = await makeKey(data, host.projectId);
  await ask(data, "keys", "disable", String(id));
  const revoked = await makeSecret(data, host.projectId);
  await ask(data, "secrets", "revoke", revoked.id);
  const secret = Buffer.from(readFileSync(join(data.folder, "signing-key"), "utf8"), "base64");
  const expired = await new SignJWT({ project: host.projectId, account: revoked.account })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setJti(revoked.id)
    .setExpirationTime("-5m")
    .sign(secret);
  const foreign = (await makeKey(data)).accessKey;
  Object.assign(keys, { disabled: accessKey, revoked: revoked.secretKey, expired, foreign });
});

afterAll(async () => {
  if (!isInstalled) return;
  await host[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

type Headers = Readonly<Record<string, string>>;

/** The error, the request, and the client's error class. */
const cases: readonly (readonly [
  string,
  string,
  () => { readonly headers?: Headers; readonly body?: string },
])[] = [
  ["no key", "UnauthorizedError", () => ({})],
  ["a wrong key", "UnauthorizedError", () => withKeys(`AQAAAAAAAAPp${"x".repeat(23)}`)],
  ["a disabled key", "UnauthorizedError", () => withKeys(keys.disabled)],
  ["an expired secret key", "SessionExpiredError", () => withKeys(host.accessKey, keys.expired)],
  ["a revoked secret key", "UnauthorizedError", () => withKeys(host.accessKey, keys.revoked)],
  ["keys of two projects", "PermissionDeniedError", () => withKeys(keys.foreign, host.secretKey)],
  [
    "a broken body",
    "WebrpcBadRequestError",
    () => ({ ...withKeys(host.accessKey, host.secretKey), body: "{" }),
  ],
];

function withKeys(accessKey: string, secretKey?: string): { readonly headers: Headers } {
  const authorization = secretKey === undefined ? {} : { authorization: `BEARER ${secretKey}` };
  return { headers: { "x-access-key": accessKey, ...authorization } };
}

describe.runIf(isInstalled).each(officials)("$name", (official) => {
  test.each(cases)("%s is its %s", async (_, errorClass, send) => {
    await expectError(official, official.method, errorClass, send());
  });

  test("an unknown method is its WebrpcBadRouteError", async () => {
    await expectError(official, official.unknownMethod, "WebrpcBadRouteError", withKeys(host.accessKey));
  });

  if (!official.needsSecretKey) return;
  test("a missing secret key is its PermissionDeniedError", async () => {
    await expectError(official, official.method, "PermissionDeniedError", withKeys(host.accessKey));
  });
});

test.runIf(isInstalled).each(officials)(
  "$name shows an unavailable database as HTTP 503",
  async (official) => {
    const failure = dependencyFailure(new DatabaseFault("connection refused"));
    if (failure === undefined) throw new Error("the fault has no response");
    const { body, headers, status } = failureResponse(failure);
    const Client = (await loadClient(official.name))[official.service] as ClientClass;
    const client = new Client(
      "http://host",
      async () => new Response(body as string, { status, headers: { ...headers } }),
    );
    await expect(client[official.method]?.({})).rejects.toMatchObject({ code: 1901, status: 503 });
  },
);

/** Calls the client with the headers and body of a case. */
async function expectError(
  official: Official,
  method: string,
  errorClass: string,
  { headers, body }: { readonly headers?: Headers; readonly body?: string },
): Promise<void> {
  const module = await loadClient(official.name);
  const Client = module[official.service] as ClientClass;
  const client = new Client(`${host.url}${official.prefix}`, (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...(init.headers as Headers), ...headers },
      body: body ?? init.body ?? null,
    }),
  );
  const call = client[method];
  if (call === undefined) throw new Error(`${official.name} has no method ${method}`);
  const error: unknown = await call.call(client, {}).catch((err: unknown) => err);
  expect((error as Error).name).not.toBe("WebrpcBadResponse");
  expect(error).toBeInstanceOf(module[errorClass]);
}
