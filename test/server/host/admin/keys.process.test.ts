import { afterAll, beforeAll, expect, test } from "vitest";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { ask, makeKey, makeSecret, operate } from "../../../support/operator.ts";

let data: Data;
let host: RunningHost;
beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data });
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

/** The cause of a rejection, or undefined if the keys are accepted. */
async function rejection(
  accessKey: string,
  secretKey?: string,
  method = "GetAllWebhookListeners",
): Promise<string | undefined> {
  const path =
    secretKey === undefined ? "/rpc/Metadata/TokenCollectionFilters" : `/polygon/rpc/Indexer/${method}`;
  const response = await fetch(`${host.url}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-access-key": accessKey,
      ...(secretKey === undefined ? {} : { authorization: `BEARER ${secretKey}` }),
    },
    body: JSON.stringify({ chainId: "polygon", contractAddress: `0x${"1".repeat(40)}` }),
  });
  const { error = "", cause } = (await response.json()) as {
    readonly error?: string;
    readonly cause?: string;
  };
  return ["Unauthorized", "PermissionDenied", "SessionExpired"].includes(error) ? cause : undefined;
}

/** Polls because notifications take milliseconds, and ends before rows in the cache are too old to be trusted. */
function expectRejection(...call: Parameters<typeof rejection>) {
  return expect.poll(() => rejection(...call), { timeout: 20_000 });
}

test("a key expires on the day that its operator has chosen", async () => {
  const { id } = await ask<{ id: number }>(data, "projects", "create", "Expiry");
  const { expiresAt } = await ask<{ expiresAt: string }>(
    data,
    "keys",
    "create",
    String(id),
    "--expires",
    "2999-01-31",
  );
  expect(expiresAt).toBe("2999-01-31T00:00:00.000Z");
  expect(await ask(data, "keys", "list", String(id))).toMatchObject([{ expiresAt }]);
});

test("a rotated key has the settings of the old one, which works until the overlap ends", async () => {
  const old = await makeKey(data, undefined, "--name", "web", "--service", "Metadata");
  const rotate = (...options: readonly string[]) =>
    ask<{ id: number; accessKey: string; replacedExpiresAt: string }>(
      data,
      "keys",
      "rotate",
      String(old.id),
      ...options,
    );
  const before = Date.now();
  const first = await rotate("--expires", "90d");
  expect(Date.parse(first.replacedExpiresAt) - before).toBeGreaterThan(86_390_000);
  expect(Date.parse(first.replacedExpiresAt) - before).toBeLessThan(90_000_000);
  await expectRejection(old.accessKey).toBeUndefined();
  await expectRejection(first.accessKey).toBeUndefined();
  // An overlap does not prolong the life of the old key.
  const second = await rotate("--overlap", "99d");
  expect(second.replacedExpiresAt).toBe(first.replacedExpiresAt);
  await rotate("--overlap", "0m");
  await expectRejection(old.accessKey).toBe("the access key has expired");
  await expectRejection(second.accessKey).toBeUndefined();
  expect((await operate(data, "keys", "rotate", String(old.id))).err).toContain("is disabled or has expired");
  const listed = await ask<object[]>(data, "keys", "list", String(old.projectId));
  expect(listed).toHaveLength(4);
  for (const key of listed) expect(key).toMatchObject({ name: "web", services: ["Metadata"], origins: [] });
  expect(await ask(data, "keys", "set", String(first.id), "--name", "shop")).toMatchObject({
    name: "shop",
    services: ["Metadata"],
  });
});

test("a rotated secret key works until the overlap ends", async () => {
  const old = await makeSecret(data, host.projectId);
  const first = await ask<{ secretKey: string; account: string }>(data, "secrets", "rotate", old.id);
  expect(first.account).toBe(old.account);
  for (const { secretKey } of [old, first]) await expectRejection(host.accessKey, secretKey).toBeUndefined();
  await ask(data, "secrets", "rotate", old.id, "--overlap", "0m");
  await expectRejection(host.accessKey, old.secretKey).toBe("the secret key has expired");
  await expectRejection(host.accessKey, first.secretKey).toBeUndefined();
  expect((await operate(data, "secrets", "rotate", old.id)).err).toContain("is not a valid secret key");
});

test("the access of a service account changes, and it is disabled and enabled", async () => {
  const { account, secretKey } = await makeSecret(data, host.projectId, "READ");
  const expectAdd = () => expectRejection(host.accessKey, secretKey, "PauseAllWebhookListeners");
  await expectAdd().toBe("this account may only read");
  expect(await ask(data, "accounts", "set", account, "--access", "write", "--name", "ci")).toMatchObject({
    account,
    access: "WRITE",
    name: "ci",
    disabled: false,
    secretKeys: 1,
  });
  await expectAdd().toBeUndefined();
  expect(await ask(data, "accounts", "disable", account)).toMatchObject({ disabled: true });
  await expectAdd().toBe("the service account is disabled");
  expect(await ask(data, "accounts", "enable", account)).toMatchObject({ disabled: false });
  await expectAdd().toBeUndefined();
});
