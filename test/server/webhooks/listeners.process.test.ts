import { describe, expect, test } from "vitest";
import { contract, filters, type Json, url, useListenerHost } from "./listener-host.ts";

const shared = useListenerHost();
const { add, call } = shared;

describe("a listener", () => {
  test("is returned as stored, with its secret once", async () => {
    const { status, listener, secret } = await add({
      filters: {
        ...filters,
        tokenIDs: [7, "340282366920938463463374607431768211456", 7],
        accounts: [contract, contract.toLowerCase()],
        topicHashes: [],
      },
      projectId: String(shared.host.projectId),
    });
    expect(status).toBe(true);
    expect(secret).toMatch(/^whsec_/);
    expect(listener).toEqual({
      id: expect.any(Number),
      projectID: shared.host.projectId,
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
      confirmations: 1,
      active: true,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(listener.id).toBeLessThan(2 ** 32);
    // By its id as a number and as text.
    expect(await call("GetWebhookListener", { id: listener.id })).toEqual({ listener });
    expect(await call("GetWebhookListener", { id: String(listener.id) })).toEqual({ listener });
    const { listeners } = await call("GetAllWebhookListeners", {});
    expect(listeners).toContainEqual(listener);
    expect(
      await call("RemoveWebhookListener", { id: listener.id, projectId: shared.host.projectId }),
    ).toEqual({
      status: true,
    });
    const again = await call("RemoveWebhookListener", {
      id: String(listener.id),
      projectId: shared.host.projectId,
    });
    expect(again).toMatchObject({ error: "NotFound", code: 3000, status: 400 });
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
        projectID: shared.host.projectId,
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
    const { listener } = await call(
      "AddWebhookListener",
      { url, filters, chainId: "polygon" },
      shared.host,
      "",
    );
    expect(listener.chainId).toBe(137);
    expect(await call("GetWebhookListener", { id: listener.id }, shared.host, "/polygon")).toEqual({
      listener,
    });
    expect(await call("GetWebhookListener", { id: listener.id })).toMatchObject({ code: 3000 });
    expect(await call("GetWebhookListener", { id: listener.id }, shared.host, "")).toMatchObject({
      code: 3000,
    });
    // Served, but without a node.
    expect(await call("AddWebhookListener", { url, filters }, shared.host, "/base")).toMatchObject({
      error: "Unavailable",
      code: 2002,
      cause: "this host does not follow base",
    });
  });
});

describe("the filters of a project's listeners", () => {
  /** Filters of about 1 MiB: 1,000 events of 1,024 characters. */
  const large = (listener: number) => ({
    ...filters,
    events: Array.from(
      { length: 1_000 },
      (_, event) => `${`E${listener}_${event}`.padEnd(1_015, "x")}(uint256)`,
    ),
  });

  test("have at most 4 MiB in total, for new and for changed listeners", { timeout: 60_000 }, async () => {
    await call("RemoveAllWebhookListeners", {});
    const ids: number[] = [];
    for (let listener = 0; listener < 4; listener++)
      ids.push((await add({ filters: large(listener) }))["listener"].id);
    const rejection = {
      error: "InvalidArgument",
      cause: expect.stringMatching(/^\/filters: .*at most 4194304/),
    };
    expect(await call("AddWebhookListener", { url, filters: large(4) })).toMatchObject(rejection);
    const { listener } = await add();
    expect(await call("UpdateWebhookListener", { id: listener.id, filters: large(5) })).toMatchObject(
      rejection,
    );
    const { listeners } = await call("GetAllWebhookListeners", {});
    expect(listeners.map(({ id }: { id: number }) => id).toSorted()).toEqual(
      [...ids, listener.id].toSorted(),
    );
    expect(JSON.stringify(listeners).length).toBeLessThan(4_400_000);
    await call("RemoveWebhookListener", { id: ids[0] });
    expect(await call("UpdateWebhookListener", { id: listener.id, filters: large(5) })).toMatchObject({
      listener: { id: listener.id },
    });
    await call("RemoveAllWebhookListeners", {});
  });
});
