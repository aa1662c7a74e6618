import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Data, makeDataFolder, runHost, startHost } from "../../../support/host.ts";
import { ask, makeKey, makeSecret, operateInProcess } from "../../../support/operator.ts";
import { startReceiver } from "../../../support/receiver.ts";
import { signingKeysOf, signingKeyText } from "../../../support/signing-keys.ts";
import { openWebhookWorld, type WebhookWorld } from "../../../support/webhook-world.ts";

let world: WebhookWorld;
let data: Data;
beforeAll(async () => {
  world = await openWebhookWorld();
  data = makeDataFolder();
});
afterAll(async () => {
  await data?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const idOf = (byte: number): string => signingKeysOf(byte)[0].id;

/** The data of an operator or a host with these signing keys. */
function withKeys(byte: number, ...fallbacks: readonly number[]): Data {
  const env = {
    DATABASE_URL: world.url,
    SIGNING_KEY: signingKeyText(byte),
    SIGNING_KEY_FALLBACKS: fallbacks.map(signingKeyText).join(","),
    OUTBOUND_ALLOW: "127.0.0.0/8",
    OUTBOUND_PORTS: "1-65535",
    ADMIN_PORT: "0",
  };
  return { ...data, env };
}

const start = (...keys: [number, ...number[]]) => startHost({ data: withKeys(...keys) });

async function metricOf({ adminUrl }: { readonly adminUrl: string }, name: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
}

test("webhooks keep their secrets while the signing key rotates, and a host without the key refuses to start", async () => {
  await using receiver = await startReceiver();
  const { listener, secret } = await world.add(receiver.url);
  // As listeners were stored before keys had ids.
  await world.database.query("update webhook_listener set secret = substr(secret, 13)");
  {
    await using host = await start(1);
    expect(host.process.exitCode).toBeNull();
  }
  expect(await ask(withKeys(2, 1), "signing-keys", "list")).toContainEqual({
    id: "unknown",
    use: null,
    algorithm: null,
    secretKeys: 0,
    webhookListeners: 1,
    keptResponses: 0,
  });
  expect(await ask(withKeys(1), "signing-keys", "reseal")).toMatchObject({ resealed: 1 });
  const { accessKey } = await makeKey(withKeys(1), world.projectId);
  const old = await makeSecret(withKeys(1), world.projectId);
  const newest = await makeSecret(withKeys(2), world.projectId);

  const isServed = async ({ url }: { readonly url: string }, secretKey: string): Promise<boolean> => {
    const response = await fetch(`${url}/polygon/rpc/Indexer/GetAllWebhookListeners`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-access-key": accessKey,
        authorization: `BEARER ${secretKey}`,
      },
      body: "{}",
    });
    const { code } = (await response.json()) as { readonly code?: number };
    // Unauthorized, or Unavailable: polygon is not followed.
    return code !== 1000;
  };
  const isDelivered = async (): Promise<void> => {
    const before = receiver.calls.length;
    await world.tell([listener.id], 1);
    await expect.poll(() => receiver.calls.length, { timeout: 120_000 }).toBe(before + 1);
    const call = receiver.calls.at(-1);
    expect(() => new Webhook(secret).verify(call?.body ?? "", { ...call?.headers })).not.toThrow();
  };

  const refused = await runHost(["--port", "0", "--data-dir", data.folder], withKeys(2).env);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain(
    `the secrets of 1 webhook listeners are encrypted with the signing key ${idOf(1)}, which is neither in SIGNING_KEY (${idOf(2)}) nor in SIGNING_KEY_FALLBACKS`,
  );

  {
    // Replicas with the old key accept what replicas with the new one have signed.
    await using host = await start(1, 2);
    expect(await isServed(host, newest.secretKey)).toBe(true);
    await isDelivered();
  }
  await using rotated = await start(2, 1);
  expect(await isServed(rotated, old.secretKey)).toBe(true);
  await isDelivered();
  expect(await metricOf(rotated, "platform_webhook_secrets_unreadable")).toBe(0);
  expect(await ask(withKeys(2, 1), "signing-keys", "list")).toEqual([
    { id: idOf(2), use: "signs", algorithm: "HS256", secretKeys: 1, webhookListeners: 0, keptResponses: 0 },
    {
      id: idOf(1),
      use: "verifies",
      algorithm: "HS256",
      secretKeys: 1,
      webhookListeners: 1,
      keptResponses: 0,
    },
  ]);
  expect(await operateInProcess(withKeys(2), ["signing-keys", "reseal"])).toMatchObject({
    code: 1,
    out: expect.stringContaining("Unreadable secrets need a key that is missing in SIGNING_KEY_FALLBACKS"),
  });
  const resealed = { key: idOf(2), resealed: 1, unreadable: 0 };
  expect(await ask(withKeys(2, 1), "signing-keys", "reseal")).toEqual(resealed);
  expect(await ask(withKeys(2, 1), "signing-keys", "reseal")).toEqual({ ...resealed, resealed: 0 });
  await isDelivered();
  await rotated.stop();

  await using after = await start(2);
  await isDelivered();
  expect(await isServed(after, old.secretKey)).toBe(false);
  expect(after.err()).toContain(
    `1 secret keys are signed with the signing key ${idOf(1)}, which is neither in SIGNING_KEY (${idOf(2)}) nor in SIGNING_KEY_FALLBACKS, so calls with them get 401`,
  );
  expect(await isServed(after, newest.secretKey)).toBe(true);
  console.log(
    `signing key: ${receiver.calls.length} of 4 webhooks delivered during a rotation, all verified`,
  );

  for (const command of [
    ["signing-keys", "reseal"],
    ["webhooks", "rotate", String(listener.id)],
    ["secrets", "create", `0x${"1".repeat(40)}`],
    ["secrets", "rotate", "0"],
  ])
    expect(await operateInProcess(withKeys(3, 2), command)).toMatchObject({
      code: 1,
      err: `platform: no running host has the signing key ${idOf(3)}; they have ${idOf(2)}; see: platform replicas list\n`,
    });

  // A replica that runs reports secrets that another one has encrypted.
  await world.database.query(
    "update webhook_listener set secret = substr(secret, 1, 4) || decode($1, 'hex') || substr(secret, 13)",
    [idOf(3)],
  );
  expect(await metricOf(after, "platform_webhook_secrets_unreadable")).toBe(1);
});

test("an operator gives up the secrets of a lost key, after a confirmation", async () => {
  await world.add("http://127.0.0.1:9/");
  await world.database.query(
    "update webhook_listener set secret = substr(secret, 1, 4) || decode($1, 'hex') || substr(secret, 13)",
    [idOf(4)],
  );
  const [{ count: listeners } = { count: 0 }] = await world.database.query<{ count: number }>(
    "select count(*)::int as count from webhook_listener",
  );
  const lost = await makeSecret(withKeys(4), world.projectId);
  const run = (...args: string[]) => operateInProcess(withKeys(2), ["signing-keys", "forget", ...args]);
  expect(await run("nonsense")).toMatchObject({ code: 1, err: expect.stringContaining("invalid id") });
  expect((await run(idOf(2))).err).toContain("is configured, so its secrets are not lost");
  expect((await run(idOf(5))).err).toContain("no webhook listener and no secret key needs the signing key");
  expect(await run(idOf(4))).toMatchObject({
    code: 2,
    err: `platform: the secrets of ${listeners} webhook listeners are lost, and 1 secret key revoked, which cannot be undone; to confirm, repeat the command with --yes\n`,
  });
  expect(await ask(withKeys(2), "signing-keys", "forget", idOf(4), "--yes")).toEqual({
    key: idOf(4),
    webhookListeners: listeners,
    secretKeys: 1,
  });
  const keys = await ask<{ id: string; revokedAt: string | null }[]>(withKeys(2), "secrets", "list");
  expect(keys.find(({ id }) => id === lost.id)?.revokedAt).not.toBeNull();
  const listed = await ask<{ state: string }[]>(withKeys(2), "webhooks", "list");
  expect(listed.map(({ state }) => state)).toEqual(Array(listeners).fill("secret lost"));
  await using host = await start(2);
  expect(host.process.exitCode).toBeNull();
  await makeSecret(withKeys(2), world.projectId);
  expect(await operateInProcess(withKeys(1), ["signing-keys", "forget", idOf(2)])).toMatchObject({
    code: 1,
    err: `platform: a running host has the signing key ${idOf(2)}; see: platform replicas list\n`,
  });
});
