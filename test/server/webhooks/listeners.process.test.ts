import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseOf } from "../../support/database.ts";
import { type Data, makeData, type RunningHost, startHost } from "../../support/host.ts";
import { makeKey, makeSecret } from "../../support/operator.ts";

let data: Data;
let host: RunningHost;
const other = { accessKey: "", secretKey: "", projectId: 0 };
let readOnly = "";

beforeAll(async () => {
  data = await makeData();
  // Listeners do not call nodes, but their network must have one.
  const rpc = "31337=http://127.0.0.1:1,polygon=http://127.0.0.1:1";
  host = await startHost({
    data,
    args: ["--networks", "31337,polygon,base", "--check-responses"],
    env: {
      NETWORK_DETAILS: JSON.stringify({ "31337": { follow: true }, polygon: { follow: true } }),
      RPC_URLS: rpc,
      RATE_LIMIT_PROJECT: "1000000",
      RATE_LIMIT_ADDRESS: "1000000",
    },
  });
  const key = await makeKey(data);
  const secret = await makeSecret(data, key.projectId);
  Object.assign(other, { ...key, secretKey: secret.secretKey });
  readOnly = (await makeSecret(data, host.projectId, "READ")).secretKey;
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

interface Keys {
  readonly accessKey: string;
  readonly secretKey?: string;
}

// biome-ignore lint: answers are looked at as JSON.
type Json = Record<string, any>;

async function call(method: string, body: object, keys: Keys = host, path = "/31337"): Promise<Json> {
  const response = await fetch(`${host.url}${path}/rpc/Indexer/${method}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-access-key": keys.accessKey,
      ...(keys.secretKey === undefined ? {} : { authorization: `BEARER ${keys.secretKey}` }),
    },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Json;
}

const contract = `0x${"aB".repeat(20)}`;
const transfer = "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)";
const filters = { contractAddresses: [contract], events: [transfer] };
const url = "http://127.0.0.1:9999/hook";
const add = (more: object = {}) => call("AddWebhookListener", { url, filters, ...more });

describe("a listener", () => {
  test("is returned as stored, with its secret once", async () => {
    const { status, listener, secret } = await add({
      filters: {
        ...filters,
        tokenIDs: [7, "340282366920938463463374607431768211456", 7],
        accounts: [contract, contract.toLowerCase()],
        topicHashes: [],
      },
      projectId: String(host.projectId),
    });
    expect(status).toBe(true);
    expect(secret).toMatch(/^whsec_/);
    expect(listener).toEqual({
      id: expect.any(Number),
      projectID: host.projectId,
      chainId: 31_337,
      url,
      filters: {
        contractAddresses: [contract.toLowerCase()],
        events: ["Transfer(address indexed from,address indexed to,uint256 indexed tokenId)"],
        tokenIDs: ["7", "340282366920938463463374607431768211456"],
        accounts: [contract.toLowerCase()],
      },
      name: expect.stringMatching(/^127\.0\.0\.1 #[0-9a-f]{6}$/),
      format: "object",
      delivery: "head",
      active: true,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(listener.id).toBeLessThan(2 ** 32);
    // By its id as a number and as text.
    expect(await call("GetWebhookListener", { id: listener.id })).toEqual({ listener });
    expect(await call("GetWebhookListener", { id: String(listener.id) })).toEqual({ listener });
    const { listeners } = await call("GetAllWebhookListeners", {});
    expect(listeners).toContainEqual(listener);
    expect(await call("RemoveWebhookListener", { id: listener.id, projectId: host.projectId })).toEqual({
      status: true,
    });
    const again = await call("RemoveWebhookListener", { id: String(listener.id), projectId: host.projectId });
    expect(again).toMatchObject({ error: "NotFound", code: 3000, status: 400 });
  });

  test.each(["head", "safe", "finalized"])(
    "is registered with and changed to the delivery %s",
    async (delivery) => {
      const { listener } = await add({ delivery });
      expect(listener).toMatchObject({ delivery });
      const other = await add();
      const { id } = other["listener"];
      const changed = await call("UpdateWebhookListener", { id, delivery });
      expect(changed["listener"]).toMatchObject({ delivery });
      const renamed = await call("UpdateWebhookListener", { id, name: "Other" });
      expect(renamed["listener"]).toMatchObject({ delivery, name: "Other" });
    },
  );

  test("cannot have another delivery", async () => {
    expect(await add({ delivery: "latest" })).toMatchObject({
      error: "WebrpcBadRequest",
      cause: expect.stringContaining("delivery"),
    });
  });

  test("can be registered twice", async () => {
    const [first, second] = [await add(), await add()];
    expect(first["listener"].id).not.toBe(second["listener"].id);
    expect(first["secret"]).not.toBe(second["secret"]);
  });

  test("is changed by flat fields or by `listener`, and omitted fields stay", async () => {
    const { listener } = await add({ name: "Mine" });
    const { id } = listener;
    const flat = await call("UpdateWebhookListener", { id, url: "https://8.8.8.8/new", format: "array" });
    expect(flat["listener"]).toMatchObject({ id, url: "https://8.8.8.8/new", format: "array", name: "Mine" });
    const within = await call("UpdateWebhookListener", {
      listener: {
        id,
        projectID: host.projectId,
        filters: { ...filters, events: ["Ping()"] },
        name: "",
        active: true,
      },
    });
    expect(within["listener"]).toMatchObject({ name: "Mine", format: "array", active: true });
    expect(within["listener"].filters.events).toEqual(["Ping()"]);
    for (const wrong of [{}, { listener: { id }, name: "x" }, { listener: { id }, id }, { name: "x" }])
      expect(await call("UpdateWebhookListener", wrong)).toMatchObject({
        error: "InvalidArgument",
        code: 2000,
      });
  });

  test("is paused and resumed by toggle, by update, and with all others", async () => {
    const { listener } = await add();
    const { id } = listener;
    const paused = await call("ToggleWebhookListener", { id });
    expect(paused["webhookListener"]).toMatchObject({ id, active: false, pauseReason: "owner" });
    const resumed = await call("ToggleWebhookListener", { id });
    expect(resumed["webhookListener"]).toMatchObject({ active: true });
    expect(resumed["webhookListener"]).not.toHaveProperty("pauseReason");
    expect((await call("UpdateWebhookListener", { id, active: false }))["listener"].active).toBe(false);
    expect(await call("ResumeAllWebhookListeners", {})).toEqual({ status: true });
    expect((await call("GetWebhookListener", { id }))["listener"].active).toBe(true);
    expect(await call("PauseAllWebhookListeners", {})).toEqual({ status: true });
    const { listeners } = await call("GetAllWebhookListeners", {});
    expect(new Set(listeners.map(({ active }: Json) => active))).toEqual(new Set([false]));
    expect(await call("RemoveAllWebhookListeners", {})).toEqual({ status: true });
    expect(await call("GetAllWebhookListeners", {})).toEqual({ listeners: [] });
  });

  test("gets a different secret at each rotation", async () => {
    const { listener, secret } = await add();
    const first = (await call("RotateWebhookSecret", { id: listener.id }))["secret"];
    const second = (await call("RotateWebhookSecret", { id: listener.id }))["secret"];
    expect(new Set([secret, first, second]).size).toBe(3);
    expect(first).toMatch(/^whsec_/);
  });

  test("belongs to one network: the path's, the body's, or the preferred one", async () => {
    const { listener } = await call("AddWebhookListener", { url, filters, chainId: "polygon" }, host, "");
    expect(listener.chainId).toBe(137);
    expect(await call("GetWebhookListener", { id: listener.id }, host, "/polygon")).toEqual({ listener });
    expect(await call("GetWebhookListener", { id: listener.id })).toMatchObject({ code: 3000 });
    expect(await call("GetWebhookListener", { id: listener.id }, host, "")).toMatchObject({ code: 3000 });
    // Served, but without a node.
    expect(await call("AddWebhookListener", { url, filters }, host, "/base")).toMatchObject({
      error: "Unavailable",
      code: 2002,
      cause: "this host does not follow base",
    });
  });
});

describe("rejected requests", () => {
  const refused = async (more: object): Promise<Json> => add(more);

  test.each([
    ["Transfer(address indexed from, address to", /^filters\.events\[1\]: .* at its end$/],
    [
      "Transfer(addres from)",
      /^filters\.events\[1\]: "addres" is not a valid type of an event argument.*, at character 10/,
    ],
    [
      "Transfer(address indexed a, address indexed b, address indexed c, address indexed d)",
      /at most 3 indexed/,
    ],
    ["not an event", /^filters\.events\[1\]: expected "\("/],
    ["Ping(address) anonymous", /^filters\.events\[1\]: anonymous events cannot be matched/],
  ])("the event %s, with its location", async (text, cause) => {
    expect(await refused({ filters: { ...filters, events: [transfer, text] } })).toMatchObject({
      error: "InvalidArgument",
      code: 2000,
      status: 400,
      cause: expect.stringMatching(cause),
    });
  });

  test.each(["contractAddresses", "events", "tokenIDs", "accounts", "topicHashes"])(
    "one value too many in %s, or an empty list where one is needed",
    async (kind) => {
      const value: Record<string, unknown> = {
        contractAddresses: contract,
        events: "Ping()",
        tokenIDs: 1,
        accounts: contract,
        topicHashes: `0x${"1".repeat(64)}`,
      };
      const tooMany = { ...filters, [kind]: Array(1_001).fill(value[kind]) };
      expect(await refused({ filters: tooMany })).toMatchObject({ error: "WebrpcBadRequest", code: -4 });
      const most = await refused({ filters: { ...filters, [kind]: Array(1_000).fill(value[kind]) } });
      expect(most["status"]).toBe(true);
      if (kind === "events" || kind === "contractAddresses")
        expect(await refused({ filters: { ...filters, [kind]: [] } })).toMatchObject({ code: -4 });
    },
  );

  test.each([
    ["http://10.0.0.1/", "10.0.0.1 is not a public address (private)"],
    ["http://169.254.169.254/latest/meta-data", "169.254.169.254 is not a public address (link-local)"],
    ["http://[::ffff:10.0.0.1]/", "is not a public address (private)"],
    ["http://[::2]/", "::2 is not a public address"],
    ["http://0.0.0.0/", "0.0.0.0 is not a public address"],
    ["http://0xa000001/", "10.0.0.1 is not a public address (private)"],
    ["https://user:password@8.8.8.8/", "the URL must not contain a user or a password"],
    ["http://8.8.8.8:22/", "port 22 must not be called by this host"],
    ["http://%20/", "the URL is invalid"],
  ])("the URL %s", async (forbidden, cause) => {
    expect(await refused({ url: forbidden })).toMatchObject({
      error: "InvalidArgument",
      cause: expect.stringContaining(cause),
    });
  });

  test.each(["http://127.0.0.0/", "http://127.255.255.255/", "http://[::1]:9999/", "http://localhost:9999/"])(
    "but not %s, for a sandbox calls receivers on its own machine",
    async (own) => {
      expect(await add({ url: own })).toMatchObject({ listener: { url: own } });
    },
  );

  test("a URL with another scheme, and a token id above 2^256 - 1", async () => {
    expect(await refused({ url: "ftp://8.8.8.8/" })).toMatchObject({ error: "WebrpcBadRequest", code: -4 });
    const tokenIDs = [String(2n ** 256n)];
    expect(await refused({ filters: { ...filters, tokenIDs } })).toMatchObject({ error: "InvalidArgument" });
    const largest = [String(2n ** 256n - 1n)];
    expect(await add({ filters: { ...filters, tokenIDs: largest } })).toMatchObject({
      listener: { filters: { tokenIDs: largest } },
    });
  });

  /** An event declaration of this many characters, without blanks. */
  const eventOf = (length: number): string => `E(bool ${"a".repeat(length - 8)})`;

  test.each([
    ["a URL", 2_048, (length: number) => ({ url: `${url}/${"a".repeat(length - url.length - 1)}` })],
    ["a name", 128, (length: number) => ({ name: "a".repeat(length) })],
    [
      "an event",
      1_024,
      (length: number) => ({
        filters: { contractAddresses: [contract.toLowerCase()], events: [eventOf(length)] },
      }),
    ],
  ])("%s with one character more than %i", async (_, most, listenerWith) => {
    for (const length of [most - 1, most])
      expect(await add(listenerWith(length))).toMatchObject({ status: true, listener: listenerWith(length) });
    expect(await refused(listenerWith(most + 1))).toMatchObject({ error: "WebrpcBadRequest", code: -4 });
  });

  test("an event that is too long once its types are written in full", async () => {
    const eventWith = (types: number): string => `E(${Array(types).fill("uint").join(",")})`;
    // Each type then has eight characters, the last one seven.
    const [longest, tooLong] = [eventWith(127), eventWith(128)];
    const kept = await add({ filters: { ...filters, events: [longest] } });
    expect(kept["listener"].filters.events[0]).toHaveLength(1_018);
    expect(await refused({ filters: { ...filters, events: [tooLong] } })).toMatchObject({
      error: "InvalidArgument",
      code: 2000,
      cause:
        "filters.events[0]: the event has 1026 characters with its types written in full; at most 1024 are allowed",
    });
  });

  test("other projects' listeners, unknown listeners, and keys without permission", async () => {
    const { listener } = await add();
    for (const method of ["GetWebhookListener", "ToggleWebhookListener", "RotateWebhookSecret"]) {
      expect(await call(method, { id: listener.id }, other)).toMatchObject({ error: "NotFound", code: 3000 });
      expect(await call(method, { id: 1 })).toMatchObject({ error: "NotFound", code: 3000 });
    }
    expect(
      await call("RemoveWebhookListener", { id: listener.id, projectId: host.projectId }, other),
    ).toMatchObject({
      error: "PermissionDenied",
      code: 1001,
    });
    expect(await call("GetAllWebhookListeners", {}, { accessKey: host.accessKey })).toMatchObject({
      code: 1001,
    });
    const reader = { accessKey: host.accessKey, secretKey: readOnly };
    expect(await call("GetWebhookListener", { id: listener.id }, reader)).toEqual({ listener });
    expect(await call("ToggleWebhookListener", { id: listener.id }, reader)).toMatchObject({ code: 1001 });
  });

  test("a removal without a project applies to the key's project", async () => {
    const { listener } = await add();
    expect(await call("RemoveWebhookListener", { id: listener.id }, other)).toMatchObject({ code: 3000 });
    expect(await call("RemoveWebhookListener", { id: listener.id })).toEqual({ status: true });
    expect(await call("GetWebhookListener", { id: listener.id })).toMatchObject({ code: 3000 });
  });

  describe("a past", () => {
    const tooMany =
      "fromBlock: past blocks are being read for 100 listeners of the project, the most at a time; try again when one is done";

    test("on a network whose newest block is unknown is refused", async () => {
      expect(await add({ fromBlock: 0 })).toMatchObject({
        error: "Unavailable",
        cause: "fromBlock: the host does not know the newest block of the network yet; try again later",
      });
    });

    test.each([
      [0, undefined],
      [109, undefined],
      [110, undefined],
      [111, "fromBlock: 111 is above the newest block, 110; omit fromBlock to start with the next block"],
    ])("from block %i of 110, of which 100 are committed, is refused with %j", async (fromBlock, cause) => {
      await followPolygon();
      const answer = await call("AddWebhookListener", { url, filters, fromBlock }, host, "/polygon");
      if (cause !== undefined) return expect(answer).toMatchObject({ code: 2000, cause });
      const { listener } = answer;
      expect(listener.past).toEqual({
        fromBlock,
        nextBlock: fromBlock,
        toBlock: Math.max(100, fromBlock),
      });
      expect(await call("GetWebhookListener", { id: listener.id }, host, "/polygon")).toEqual({ listener });
      const change = { id: listener.id, name: "x" };
      const changed = await call("UpdateWebhookListener", change, host, "/polygon");
      expect(changed["listener"].past).toEqual(listener.past);
      await call("RemoveWebhookListener", { id: listener.id }, host, "/polygon");
      await using database = databaseOf(data);
      expect(
        await database.query("select 1 from webhook_past where listener_id = $1", [listener.id]),
      ).toEqual([]);
    });

    test.each([
      [98, [undefined, undefined]],
      [99, [undefined, tooMany]],
      [100, [tooMany, tooMany]],
    ])("of a project with %i others is refused with %j", async (others, causes) => {
      await followPolygon();
      await using database = databaseOf(data);
      await call("RemoveAllWebhookListeners", {}, host, "/polygon");
      const { listener } = await call("AddWebhookListener", { url, filters }, host, "/polygon");
      await database.query(
        `with copied as (
           insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret)
           select id + copy, project_id, chain_id, url, host, name, format, filters, secret
           from webhook_listener, generate_series(1, $2::int) copy where id = $1 returning id, chain_id
         )
         insert into webhook_past (listener_id, chain_id, from_block, next_block) select id, chain_id, 0, 0 from copied`,
        [listener.id, others],
      );
      const past = { url, filters, fromBlock: 0 };
      for (const cause of causes)
        expect((await call("AddWebhookListener", past, host, "/polygon"))["cause"]).toBe(cause);
      const added = causes.filter((cause) => cause === undefined).length;
      // Each from block 0 to 100.
      const left = `platform_webhook_past_blocks{chain="polygon"} ${(others + added) * 101}\n`;
      expect(await (await fetch(`${host.adminUrl}/metrics`)).text()).toContain(left);
      // Neither listeners without a past nor other projects are affected.
      expect(await call("AddWebhookListener", { url, filters }, host, "/polygon")).toHaveProperty("secret");
      const { listener: foreign } = await call("AddWebhookListener", past, other, "/polygon");
      await call("RemoveWebhookListener", { id: foreign.id }, other, "/polygon");
      await call("RemoveAllWebhookListeners", {}, host, "/polygon");
    });

    async function followPolygon(): Promise<void> {
      await using database = databaseOf(data);
      await database.query(
        `insert into follower_cursor (chain_id, first_block, block_number, head) values (137, 0, 100, 110)
         on conflict do nothing`,
      );
    }
  });

  test("more listeners than a project may have, even when added concurrently", async () => {
    // The first listener is added by a call, most others as copies of its record.
    expect(await call("AddWebhookListener", { url, filters }, other)).toMatchObject({ status: true });
    await using database = databaseOf(data);
    await database.query(
      `insert into webhook_listener (id, project_id, chain_id, url, host, name, format, filters, secret)
       select id + copy, project_id, chain_id, url, host, name, format, filters, secret
       from webhook_listener, generate_series(1, 949) copy where project_id = $1`,
      [other.projectId],
    );
    let made = 0;
    const refusals: Json[] = [];
    async function addUntilRefused(): Promise<void> {
      while (refusals.length === 0) {
        const answer = await call("AddWebhookListener", { url, filters }, other);
        if (answer["status"] === true) made++;
        else if (answer["code"] === 2000) refusals.push(answer);
      }
    }
    await Promise.all(Array.from({ length: 10 }, addUntilRefused));
    expect(made).toBe(50);
    expect(refusals[0]?.["cause"]).toBe(
      "the project has reached its limit of 1000 listeners; remove one first",
    );
    expect((await call("GetAllWebhookListeners", {}, other))["listeners"]).toHaveLength(1_000);
  });
});
