/** Changes of listeners with idempotency keys, on a host, Postgres and real sockets. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Indexer, retries } from "../../../../generated/client.ts";
import type { Database } from "../../../../server/base/storage/database.ts";
import { hostOptions, listenerRequest, lossyWrites, noteChangesSql } from "../../../crash/writes.ts";
import { databaseOf } from "../../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../../support/host.ts";
import { startLossyProxy } from "../../../support/lossy-proxy.ts";
import { makeKey, makeSecret } from "../../../support/operator.ts";
import { seededRandom } from "../../../support/random.ts";

const writes = 300;

test(`${writes} writes of 20 clients through a proxy that loses calls are each made once`, async () => {
  await using data = await makeData();
  const report = await lossyWrites(data, {
    listeners: writes / 3,
    clients: 20,
    kills: 0,
    random: seededRandom(3),
  });
  expect(report).toMatchObject({ writes, once: writes, never: 0, severalTimes: 0, wrong: [] });
  for (const count of Object.values(report.lost)) expect(count).toBeGreaterThan(10);
});

test("also if the host is killed meanwhile", async () => {
  await using data = await makeData();
  const report = await lossyWrites(data, { listeners: 40, clients: 10, kills: 2, random: seededRandom(4) });
  expect(report).toMatchObject({ writes: 120, once: 120, never: 0, severalTimes: 0, wrong: [], kills: 2 });
});

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

interface Keys {
  readonly accessKey: string;
  readonly secretKey?: string;
}

let data: Data;
let host: RunningHost;
let database: Database;
const other = { accessKey: "", secretKey: "", projectId: 0 };

beforeAll(async () => {
  data = await makeData();
  host = await startHost({ data, ...hostOptions, args: ["--networks", "31337,polygon"] });
  database = databaseOf(data);
  await database.query(noteChangesSql);
  const key = await makeKey(data);
  Object.assign(other, { ...key, secretKey: (await makeSecret(data, key.projectId)).secretKey });
});
beforeEach(() => database.query("truncate write_made, kept_response").then(() => {}));
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

interface Sent {
  readonly method?: string;
  readonly key?: string;
  readonly body?: object;
  readonly keys?: Keys;
  readonly path?: string;
  readonly url?: string;
}

async function send({
  method = "AddWebhookListener",
  key = "k",
  body = { ...listenerRequest, name: "a" },
  keys = host,
  path = "/31337",
  url = host.url,
}: Sent = {}): Promise<Answer> {
  const response = await fetch(`${url}${path}/rpc/Indexer/${method}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-access-key": keys.accessKey,
      authorization: `BEARER ${keys.secretKey}`,
      "idempotency-key": `"${key}"`,
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get("retry-after"),
  };
}

async function made(): Promise<number> {
  return (await database.query("select from write_made")).length;
}

describe("a key", () => {
  test("gets the response again, with the secret, which the database does not show", async () => {
    const first = await send();
    expect(first.status).toBe(200);
    expect(await send()).toEqual(first);
    expect(await made()).toBe(1);
    const [row] = await database.query<{ response: Buffer }>("select response from kept_response");
    const { secret } = JSON.parse(first.text) as { secret: string };
    expect(secret).toMatch(/^whsec_/);
    const stored = row?.response ?? Buffer.alloc(0);
    for (const text of ["whsec_", secret.slice(10, 30), "listener"])
      expect(stored.includes(Buffer.from(text))).toBe(false);
  });

  test("belongs to a project, and to the network of the path", async () => {
    const first = await send();
    const second = await send({ keys: other });
    expect(second.status).toBe(200);
    expect(second.text).not.toBe(first.text);
    expect((await send({ path: "" })).status).toBe(200);
    expect(await made()).toBe(3);
    const renamed = { ...listenerRequest, name: "b" };
    expect((await send({ keys: other, body: renamed })).status).toBe(422);
    expect((await send({ method: "ToggleWebhookListener", body: { id: 1 } })).status).toBe(422);
    expect(await made()).toBe(3);
  });

  test("makes one change for fifty calls at once", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send()));
    const counts = new Map<number, number>();
    for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect([...counts.keys()].filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    for (const { status, retryAfter } of answers) if (status === 409) expect(retryAfter).toBe("1");
    expect(await made()).toBe(1);
    const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
    expect(texts.size).toBe(1);
  });

  test("keeps the errors that the handler chose", async () => {
    const first = await send({ method: "ToggleWebhookListener", body: { id: 1 } });
    expect(first).toMatchObject({ status: 400, text: expect.stringContaining("NotFound") });
    expect(await send({ method: "ToggleWebhookListener", body: { id: 1 } })).toEqual(first);
    expect(await database.query("select from kept_response")).toHaveLength(1);
    const invalid = { ...listenerRequest, url: "http://127.0.0.1:9/hook" };
    const refused = await send({ key: "i", body: invalid });
    expect(refused.text).toContain("InvalidArgument");
    expect(await send({ key: "i", body: invalid })).toEqual(refused);
  });

  test("is released if the change took too long, and nothing was changed", async () => {
    const slow = database.transaction(async (tx) => {
      await tx.query("lock table webhook_listener in access exclusive mode");
      const answer = await send();
      expect(answer.text).toMatch(/"error":"(Overloaded|Aborted)"/);
    });
    await slow;
    expect(await database.query("select from kept_response")).toHaveLength(0);
    expect((await send()).status).toBe(200);
    expect(await made()).toBe(1);
  });

  test.each([
    ["23:59", 1],
    ["24:00", 2],
    ["24:01", 2],
  ])("that is %s hours old makes %i changes", async (age, changes) => {
    await send();
    await database.query("update kept_response set kept_at = now() - $1::interval", [age]);
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(200);
    expect(await made()).toBe(changes);
  });

  test("whose response another signing key has encrypted does not run the call again", async () => {
    await send();
    await database.query("update kept_response set response = decode(repeat('00', 64), 'hex')");
    const { status, text } = await send();
    expect(status).toBe(409);
    expect(text).toContain("has ended, but its response was not kept");
    expect((await send({ body: { ...listenerRequest, name: "b" } })).status).toBe(422);
    expect(await made()).toBe(1);
  });

  test("may be sent by pages of other origins", async () => {
    const { headers } = await fetch(`${host.url}/31337/rpc/Indexer/AddWebhookListener`, {
      method: "OPTIONS",
      headers: { Origin: "https://a.example", "Access-Control-Request-Method": "POST" },
    });
    expect(headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
  });
});

describe("a host that is killed", () => {
  test.each([
    [
      "while the handler writes",
      "insert into webhook_network (chain_id) values (31337) on conflict (chain_id) do update set revision = 7",
    ],
    ["after the handler and before its response is kept", "lock table kept_response in exclusive mode"],
  ])("%s has changed nothing, and the repeated call makes the change", async (_about, block) => {
    let lost: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await tx.query(block);
      lost = send({ key: "within" }).catch((err) => err);
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await tx.query(waiting)).length).toBeGreaterThan(0);
      host.process.kill("SIGKILL");
      await host.stop();
      expect(await lost).toBeInstanceOf(Error);
    });
    expect(await made()).toBe(0);
    host = await startHost({ data, ...hostOptions });
    // The killed host's transaction may still end.
    await expect.poll(async () => (await send({ key: "within" })).status).toBe(200);
    expect(await made()).toBe(1);
  });

  test("after the commit has made the change, and the repeated call gets the response", async () => {
    await using proxy = await startLossyProxy({
      target: () => host.url,
      loss: () => "after",
      onResponse: () => host.process.kill("SIGKILL"),
    });
    await expect(send({ key: "after", url: proxy.url })).rejects.toThrow();
    await host.stop();
    expect(await made()).toBe(1);
    const [before] = await database.query<{ id: string }>(
      "select max(id) as id from webhook_listener where name = 'a'",
    );
    host = await startHost({ data, ...hostOptions });
    const { status, text } = await send({ key: "after" });
    expect(status).toBe(200);
    expect(await made()).toBe(1);
    expect(before).toBeDefined();
    expect(JSON.parse(text)).toMatchObject({
      listener: { name: "a" },
      secret: expect.stringMatching(/^whsec_/),
    });
  });
});

test("a client of the platform retries by itself", async () => {
  let calls = 0;
  await using proxy = await startLossyProxy({
    target: () => host.url,
    loss: () => (++calls === 1 ? "after" : undefined),
  });
  const indexer = new Indexer({
    url: `${proxy.url}/31337`,
    headers: () => ({ "X-Access-Key": host.accessKey, Authorization: `BEARER ${host.secretKey}` }),
    interceptor: retries(),
  });
  const { listener } = await indexer.addWebhookListener(listenerRequest);
  expect([calls, await made()]).toEqual([2, 1]);
  expect(listener.active).toBe(true);
});
